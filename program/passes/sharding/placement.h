// SPDX-License-Identifier: Apache-2.0
// The distribution of each argument and result of @main over the partitions. Values are whole on
// every chip, tiled over the chips (arguments and results of manual computations), or local to a
// chip (GSPMD's shard shapes). Operations on tiled values, and annotations that require another
// distribution than a value has, need a partitioner: they are found here, all at once with their
// places. Pure functions.
#pragma once

#include <vector>

#include "program/passes/sharding/annotations.h"

namespace understudy::program::passes {

// One place per value; those of tokens are empty. With an objection, places may be wrong or
// missing.
struct Places {
  std::vector<Place> arguments, results;
  std::vector<UnsupportedAnnotation> objections;  // empty: no partitioner is needed
};

// `arguments_are_placed`: as CompileOptions has it. Throws Error{input} for shardings that do not
// fit.
Places places_of(const Module& module, const Function& main, std::int64_t partitions,
                 bool arguments_are_placed = false);

// Throws Error{unsupported} where there are objections; its notes name every one.
void refuse_objections(const Places& places);

}  // namespace understudy::program::passes
