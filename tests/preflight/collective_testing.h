// SPDX-License-Identifier: Apache-2.0
// Collectives of two made-up programs, to compare.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launcher/preflight/compare_collectives.h"

namespace understudy::launcher {

inline const program::hlo::Rows kAll = {{0, 1, 2, 3}};
inline const program::hlo::Rows kPairs = {{0, 1}, {2, 3}};
inline const program::hlo::Rows kRing = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};

inline CollectivePart part(std::string kind, std::int64_t elements,
                           program::hlo::Rows groups = kAll,
                           program::ElementType element = program::ElementType::f32) {
  CollectivePart one;
  one.kind = std::move(kind);
  one.elements = elements;
  one.groups = std::move(groups);
  one.element = element;
  return one;
}

inline CollectivePart in_loop(CollectivePart one, std::optional<std::int64_t> iterations) {
  one.in_loop = true;
  one.iterations = iterations;
  return one;
}

// One instruction for each part, or as many of each kind as `combined` says.
inline CollectiveSide side(std::vector<CollectivePart> parts,
                           const std::map<std::string, std::int64_t>& combined = {}) {
  CollectiveSide made;
  for (const CollectivePart& one : parts) {
    CollectiveSum& sum = made.sums[one.kind];
    ++sum.count;
    sum.bytes += static_cast<std::uint64_t>(one.elements * program::byte_size(one.element));
  }
  for (const auto& [kind, count] : combined) made.sums[kind].count = count;
  made.parts = std::move(parts);
  return made;
}

inline std::vector<CollectivePart> times(std::int64_t count, const CollectivePart& one) {
  return std::vector<CollectivePart>(static_cast<std::size_t>(count), one);
}

}  // namespace understudy::launcher
