// SPDX-License-Identifier: Apache-2.0
// The compiler: verified module in, executable out. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program/executable/executable.h"
#include "program/executable/group_mode.h"
#include "program/ir/ir.h"

namespace understudy::program {

struct CompileOptions {
  Numerics numerics = Numerics::tpu;
  std::int64_t replicas = 0;  // 0: what the module says, 1 where it says nothing
  std::string entry = {};     // the function that runs; empty: @main, or the only one
  std::vector<std::string> disabled_passes = {};  // names of passes::pass_list()
  // Overwrite each temporary at the end of its life, so that code which reads it later shows it.
  bool poison = false;
  // Arguments are on the chips already, in the shardings of their annotations: a computation that
  // takes them in other shards needs a partitioner. Otherwise they are loaded as it takes them.
  bool arguments_are_placed = false;
  // Called with "lowering", each pass and "placement", and the code after it, where set.
  std::function<void(std::string_view pass, const std::string& listing)> after_pass = {};
};

// The function that runs. Throws Error{input} where there is none.
const Function& entry_of(const Module& module, const CompileOptions& options);

// How one global array is distributed over the processes of a program (process = replica *
// partitions + partition). Tile t of the array, row-major over `tiles`, is on every process p with
// tile_of[p] == t. If `per_replica` is set, every replica has its own array: tile_of = replica *
// (number of tiles) + tile.
struct Sharding {
  Shape tiles;                        // pieces along each dimension
  std::vector<std::int64_t> tile_of;  // per process
  bool per_replica = false;
  // Shardy's unreduced axes: the tile is the sum of what its processes hold, one value per distinct
  // number here. Per process; empty: each process of a tile holds the tile itself.
  std::vector<std::int64_t> summand_of = {};
  std::int64_t tile_count(std::int64_t replicas) const;  // distinct tiles, with all replicas' own
};

struct Parameter {
  TensorType global;  // the whole array
  TensorType local;   // what one chip holds
  Sharding sharding;
  std::string name;                  // jax.result_info, or empty
  bool declared_replicated = false;  // the program says that every chip holds the same
};

// The arguments and results of a program. Replica-style programs (replicas > 1) are per_replica:
// every replica has its own whole array, and nothing is declared replicated.
struct Interface {
  std::vector<Parameter> arguments;
  std::vector<Parameter> results;
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::int64_t processes() const { return replicas * partitions; }
  ProcessCounts counts() const { return {replicas, partitions}; }
};

// Throws Error{input} and Error{usage} for numbers that no pod has or that contradict each other.
ProcessCounts process_counts(const Module& module, const CompileOptions& options);

// Throws Error{input} where a sharding does not fit its array, Error{unsupported} for a program
// that needs a partitioner (sharded arguments without a fully manual computation).
Interface interface_of(const Module& module, const CompileOptions& options);

// Lowers, runs the passes of passes/pass_list.cc, plans buffers. Throws what interface_of() throws,
// and Error{unsupported}; Error{usage} for a pass that does not exist.
Executable compile(const Module& module, const CompileOptions& options);

// Every operation in pre-order, functions in the order of the module; Instruction::op indexes it.
std::vector<const Operation*> operations_in_order(const Module& module);

// Digest of the module's canonical form: printed without locations and value names.
std::string canonical_digest(const Module& module);

}  // namespace understudy::program
