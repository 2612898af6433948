// SPDX-License-Identifier: Apache-2.0
// Where each argument and result of @main lies over the partitions. Values are whole on every chip,
// tiled over the chips (arguments, results of manual computations), or local to a chip (GSPMD's
// shard shapes). Work on tiled values, and annotations that ask for another place than a value has,
// are a partitioner's job, so they are refused here, all at once with their places. Pure functions.
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
