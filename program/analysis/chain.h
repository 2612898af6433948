// SPDX-License-Identifier: Apache-2.0
// The exchanges between chips that a result went through, from the data to the result: what makes
// it equal on all chips. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "program/analysis/flow.h"

namespace understudy::program::analysis {

// One axis of the process grid.
struct Axis {
  std::string name;
  std::int64_t size = 1;
  std::vector<std::int64_t> coordinate;  // of each process
};

struct Link {
  NodePointer node = nullptr;
  std::string exchange;           // "all_reduce sum"
  std::vector<std::string> axes;  // along which the members of a group differ
  bool partly = false;            // a group has only some of the chips along its axes
};

struct Chain {
  std::vector<Link> links;  // the last is the nearest to the result
  bool is_cut = false;      // there are more before the first
};

// Of one element all exchanges up to a bound, of an array the nearest ones: its parts went through
// those before.
Chain chain_behind(NodePointer result, bool all, const std::vector<Axis>& axes);

// The axes along which processes that the collective connects differ. They point into `axes`.
std::vector<const Axis*> axes_along(const Collective& collective, const std::vector<Axis>& axes);

}  // namespace understudy::program::analysis
