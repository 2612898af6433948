// SPDX-License-Identifier: Apache-2.0
// Collectives of our executable beside those that the TPU compiler scheduled: the same, or why not.
// Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "configs/receipt/preflight/preflight.h"
#include "launcher/preflight/collective_parts.h"
#include "program/hlo/schedule.h"

namespace understudy::launcher {

// Rows of equal collectives, in program order.
std::vector<configs::PreflightCollective> collectives_in(const program::hlo::Schedule& schedule);

struct ComparisonFacts {
  // Counts in the program that an SPMD partitioner made for us; null where none was needed.
  const std::map<std::string, std::int64_t>* partitioner = nullptr;
  std::int64_t chips_per_slice = 0;  // of joined slices; 0: there is one
};
// One row for each kind that either side has. "explained" only if every array that a collective of
// this kind moves is accounted for (match_collectives.h).
std::vector<configs::PreflightComparison> compare_collectives(const CollectiveSide& ours,
                                                              const CollectiveSide& compiler,
                                                              const ComparisonFacts& facts);

}  // namespace understudy::launcher
