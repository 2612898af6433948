// SPDX-License-Identifier: Apache-2.0
// Slices for tests: where the chips stand, and groups of all of them.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "collectives/schedule.h"

namespace understudy::collectives {

using Wraps = std::array<bool, 3>;

// Shapes and which of their axes wrap.
inline const std::vector<std::pair<PodLayout::Coordinates, Wraps>> kSlices = {
    {{2, 4, 1}, {}},
    {{4, 4, 1}, {}},
    {{4, 4, 1}, {true, true, false}},
    {{2, 2, 2}, {}},
    {{2, 2, 2}, {true, true, true}},
    {{3, 3, 1}, {}},
    {{3, 3, 1}, {true, true, false}},
    {{3, 4, 1}, {false, true, false}},
    {{3, 2, 4}, {true, false, true}},
    {{5, 1, 1}, {}},
    {{5, 1, 1}, {true, false, false}},
};

inline PodLayout layout_of(const PodLayout::Coordinates& shape, const Wraps& wraps) {
  PodLayout layout;
  layout.shape = shape;
  layout.wraps = wraps;
  for (std::int64_t z = 0; z < shape[2]; ++z) {
    for (std::int64_t y = 0; y < shape[1]; ++y) {
      for (std::int64_t x = 0; x < shape[0]; ++x) layout.at.push_back({x, y, z});
    }
  }
  layout.host_of.assign(layout.at.size(), HostId(0));
  return layout;
}

// One group of all chips, by rank or in an order that is none of an axis.
struct Slice {
  PodLayout layout;
  std::vector<Rank> ranks;

  Task task(Kind kind, std::size_t items, std::size_t root = 0) const {
    return {.kind = kind,
            .members = ranks.size(),
            .items = items,
            .root = root,
            .layout = &layout,
            .ranks = ranks};
  }
};

inline std::vector<Rank> all_ranks(std::size_t n, bool shuffled) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < n; ++i) ranks.emplace_back(static_cast<int>(i));
  if (shuffled) {
    std::sort(ranks.begin(), ranks.end(), [](Rank a, Rank b) {
      const auto key = [](Rank rank) { return std::pair(rank.value * 7 % 5, rank.value); };
      return key(a) < key(b);
    });
  }
  return ranks;
}

inline Slice slice_of(const PodLayout::Coordinates& shape, const Wraps& wraps, bool shuffled) {
  Slice slice{layout_of(shape, wraps), {}};
  slice.ranks = all_ranks(slice.layout.at.size(), shuffled);
  return slice;
}

}  // namespace understudy::collectives
