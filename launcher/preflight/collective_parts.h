// SPDX-License-Identifier: Apache-2.0
// The collectives of a program, operand by operand, as both our executable and the scheduled
// program of the TPU compiler have them: what is left after combining small ones into one
// instruction is undone. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/hlo/schedule.h"

namespace understudy::launcher {

// All collectives of one kind in one program. Bytes: of the operands, on one chip.
struct CollectiveSum {
  std::int64_t count = 0;  // instructions
  std::uint64_t bytes = 0;
  std::int64_t asynchronous = 0;
};
using CollectiveSums = std::map<std::string, CollectiveSum>;  // by "all-reduce"

// One array that a collective moves or reduces.
struct CollectivePart {
  std::string kind;  // "all-reduce"
  // Processes (replica * partitions + partition), group by group in ascending order of their first
  // member; or pairs of source and target, sorted. Members of an all-reduce are sorted.
  program::hlo::Rows groups;
  program::ElementType element = program::ElementType::f32;
  std::int64_t elements = 0;  // of the operand, on one chip
  bool in_loop = false;
  // Iterations of all loops around it, if they are known; only of our executable.
  std::optional<std::int64_t> iterations = std::nullopt;
  // Of the compiler: an all-reduce fused with a slice, of which each chip keeps 1 part of its
  // group's size.
  bool keeps_part = false;
  program::Shape dimensions = {};  // of the operand; of the compiler they may be padded

  std::int64_t group() const;  // members of the largest group
  bool operator==(const CollectivePart&) const = default;
};
std::string text_of(const CollectivePart& part);  // "f32[512] over {0,1},{2,3}"

// "{0,1},{2,3}", shortened after `most` groups.
std::string groups_text(const program::hlo::Rows& groups, std::size_t most);

struct CollectiveSide {
  CollectiveSums sums;
  std::vector<CollectivePart> parts;
  // Of our program: all-reduces that are not needed if others are computed later. Their results are
  // only added to (or compared with) results of other all-reduces over the same groups, so that the
  // sum of the operands is enough to reduce.
  std::vector<CollectivePart> superfluous;
};

// Our side; `executable` is compiled from `module`.
CollectiveSide side_of(const program::Module& module, const program::Executable& executable);
// `counts`: of the program; they give the numbers in replica groups their meaning.
CollectiveSide side_of(const program::hlo::Schedule& schedule,
                       const program::ProcessCounts& counts);

}  // namespace understudy::launcher
