// SPDX-License-Identifier: Apache-2.0
// The distribution of each argument and result of @main over the partitions. Values are whole on
// every chip, tiled over the chips (arguments and results of manual computations), or local to a
// chip (GSPMD's shard shapes). Operations on tiled values, and annotations that require another
// distribution than a value has, need a partitioner, so they are refused here, all at once with
// their places. Pure functions.
#pragma once

#include <vector>

#include "program/passes/annotations.h"

namespace understudy::program::passes {

// One place per value; those of tokens are empty.
struct Places {
  std::vector<Place> arguments, results;
};

// Throws what interface_of() throws; Error{unsupported} names every objection in its notes.
Places places_of(const Module& module, const Function& main, std::int64_t partitions);

}  // namespace understudy::program::passes
