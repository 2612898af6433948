// SPDX-License-Identifier: Apache-2.0
// Collectives of our executable beside those that the TPU compiler scheduled: the same, or why not.
// Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "configs/receipt/preflight.h"
#include "program/analysis/collective_list.h"
#include "program/hlo/schedule.h"

namespace understudy::launcher {

// All collectives of one kind in one program. Bytes: of the operands, on one chip.
struct CollectiveSum {
  std::int64_t count = 0;       // instructions
  std::int64_t operations = 0;  // before small ones were combined into one instruction
  std::uint64_t bytes = 0;
  std::int64_t asynchronous = 0, in_loop = 0;
  std::int64_t alone = 0;  // of groups with one member
};
using CollectiveSums = std::map<std::string, CollectiveSum>;  // by "all-reduce"

CollectiveSums sums_of(const std::vector<program::analysis::CollectiveUse>& uses);
CollectiveSums sums_of(const program::hlo::Schedule& schedule);

// Rows of equal collectives, in program order.
std::vector<configs::PreflightCollective> collectives_in(const program::hlo::Schedule& schedule);

// One row for each kind that either side has. `partitioner`: counts in the program that an SPMD
// partitioner made for us; null where none was needed.
std::vector<configs::PreflightComparison> compare_collectives(
    const CollectiveSums& ours, const CollectiveSums& compiler,
    const std::map<std::string, std::int64_t>* partitioner);

}  // namespace understudy::launcher
