// SPDX-License-Identifier: Apache-2.0
// Where each argument and result of @main lies over the partitions. Values are whole on every chip,
// tiled over the chips (arguments, results of manual computations), or local to a chip (GSPMD's
// shard shapes). Work on tiled values is a partitioner's job, so it is refused here, with its
// place. Pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "program/passes/sharding.h"

namespace understudy::program::passes {

struct Place {
  bool local = false;
  Sharding sharding;  // of values that are not local; one entry per partition
};

// One place per value; those of tokens are empty.
struct Places {
  std::vector<Place> arguments, results;
};

// Throws what interface_of() throws.
Places places_of(const Module& module, const Function& main, std::int64_t partitions);

const Attribute* find_in(const std::vector<NamedAttribute>& attributes, std::string_view name);

}  // namespace understudy::program::passes
