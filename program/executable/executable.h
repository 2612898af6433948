// SPDX-License-Identifier: Apache-2.0
// The result of compilation, which workers run and caches store: a flat list of instructions over
// planned buffers. It is the same bytes for every chip: it contains no rank, no path and no
// absolute address; partition_id and replica_id are run-time inputs. Plain values: the cache
// archives them field by field: the fields of works are rows in work.h and control_work.h, all
// others are listed in cache/archive.cc; add a new one there too. Equivalents:
// xla::BufferAssignment + thunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "program/executable/control_work.h"
#include "program/executable/work.h"
#include "program/ir/types.h"

namespace understudy::program {

// Every kind of work, in the order that the archive counts them.
#define UNDERSTUDY_WORKS(row) UNDERSTUDY_FUNCTION_WORKS(row) UNDERSTUDY_CONTROL_WORKS(row)

template <class Nothing, class... Kinds>
struct VariantOf {
  using Type = std::variant<Kinds...>;
};
#define UNDERSTUDY_ALTERNATIVE(type, ...) , type
using Work = VariantOf<void UNDERSTUDY_WORKS(UNDERSTUDY_ALTERNATIVE)>::Type;
#undef UNDERSTUDY_ALTERNATIVE

struct Instruction {
  Work work;
  std::vector<Operand> inputs;
  std::vector<Operand> outputs;
  std::uint32_t op = 0;  // ordinal of the operation in the module: see operations_in_order()
  bool operator==(const Instruction&) const = default;
};

enum class Numerics : std::uint8_t { tpu, ieee };
constexpr Numerics last_of(Numerics /*of*/) { return Numerics::ieee; }

// A result that reuses the memory of an argument, which the caller gives up. A launch may
// also keep the argument: the result then has memory of its own.
struct Donation {
  std::uint32_t argument = 0, result = 0;
  bool operator==(const Donation&) const = default;
};

struct Executable {
  std::vector<TensorType> arguments;  // per chip
  std::vector<TensorType> results;    // per chip
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  Numerics numerics = Numerics::tpu;
  Code code;
  std::vector<std::byte> constants;
  std::uint64_t temporary_bytes = 0;
  std::uint64_t host_temporary_bytes = 0;  // of Space::host
  // Ascending: arguments and results that lie in host memory. All others are in HBM.
  std::vector<std::uint32_t> host_arguments, host_results;
  std::vector<Donation> donations;    // no argument and no result twice
  std::vector<std::string> op_names;  // by Instruction::op
  bool operator==(const Executable&) const = default;
  // What one launch needs, in bytes: arguments, results, temporaries, code (memory_plan.h).
  std::uint64_t hbm_bytes() const;
};

// Throws Error{internal} where a buffer leaves its space, an index is out of range or work and
// operands do not fit; called whenever an executable is loaded, so the executor need not check.
void check_bounds(const Executable& executable);

}  // namespace understudy::program
