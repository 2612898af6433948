// SPDX-License-Identifier: Apache-2.0
// Global-view programs: written for whole arrays, with shardings as annotations. An SPMD
// partitioner makes the program of one chip of them and inserts the collectives. This library has
// none; it decides which programs need one, and says what to ask. Equivalents: XLA's
// SpmdPartitioner and ShardyXLA with ExecutableBuildOptions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/ir/ir.h"

namespace understudy::program {

// What a partitioner is asked: everything that its answer depends on.
struct PartitionRequest {
  std::string program;  // bytes as the user gave them: text or portable artifact
  std::string file;     // name without folder, for places of operations in text
  std::string entry;    // the function that runs; empty: @main, or the only one
  std::int64_t replicas = 1, partitions = 1;
  std::vector<std::int64_t> device_order;  // chip of each process; empty: process i is on chip i
  bool shardy = true;                      // Shardy annotations; false: GSPMD strings
  // allow_spmd_sharding_propagation_to_parameters and _to_output, one per argument and result: the
  // partitioner may choose the sharding of those that the program leaves open.
  std::vector<bool> propagate_to_parameters, propagate_to_output;
  // For errors, no part of the question: the first operation that needs a partitioner, and why.
  std::string reason;
};

// The answer: a program that interface_of() and compile() take
// (program/passes/sharding/partitioned.h).
struct PerChipProgram {
  std::string program;                // text or portable artifact
  std::vector<std::string> warnings;  // the partitioner's own, such as costly reshards
};

// Thread-compatible.
class Partitioner {
 public:
  virtual ~Partitioner() = default;
  // Throws Error{unsupported} with the partitioner's words where it refuses the program,
  // Error{system} where it cannot run, Error{timeout}.
  virtual PerChipProgram partition(const PartitionRequest& request) = 0;
};

// What to ask for a program that only a partitioner can make runnable; nullopt if it is one of a
// chip, or wholly manual. Throws Error{input} and Error{usage}.
std::optional<PartitionRequest> partition_request(const Module& module,
                                                  const CompileOptions& options);

}  // namespace understudy::program
