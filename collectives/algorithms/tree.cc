// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/tree.h"

#include <bit>

namespace understudy::collectives {

std::size_t segments_of(std::size_t bytes) {
  // Nothing to send is one empty segment, so that the schedule still has its steps.
  return bytes == 0 ? 1 : (bytes + kBroadcastSegmentBytes - 1) / kBroadcastSegmentBytes;
}

TreePlace chain_place(const Task& task, bool rightwards) {
  const std::size_t n = task.members, forward = rightwards ? 1 : n - 1;
  TreePlace place;
  // forward is 1 or -1 modulo n: the distance from the root in the direction of the chain.
  place.depth = (task.self + n - task.root) * forward % n;
  place.height = n - 1;
  if (place.depth > 0) place.parent = (task.self + n - forward) % n;
  if (place.depth < place.height) place.children = {(task.self + forward) % n};
  return place;
}

// Members are counted from the root. The parent of a member is its number without the highest bit,
// so its children are its number with one higher bit set, the smallest subtree first.
TreePlace binomial_place(const Task& task) {
  const std::size_t n = task.members;
  const auto member_at = [&](std::size_t place) { return (task.root + place) % n; };
  const std::size_t self = (task.self + n - task.root) % n;
  TreePlace place;
  place.depth = static_cast<std::size_t>(std::popcount(self));
  for (std::size_t other = 0; other < n; ++other) {
    place.height = std::max(place.height, static_cast<std::size_t>(std::popcount(other)));
  }
  // Without its highest bit: the parent got the data one step earlier.
  if (self != 0) place.parent = member_at(self - std::bit_floor(self));
  for (std::size_t bit = std::bit_ceil(n); bit > 0; bit /= 2) {
    if (bit > self && self + bit < n) place.children.push_back(member_at(self + bit));
  }
  return place;
}

// A pipeline: a member at `depth` sends segment s in step depth + s, one step after it received it.
void spread(Schedule& schedule, const TreePlace& place, Range range, std::size_t segments) {
  const Chunks pieces{range.count, segments};
  const auto segment = [&](std::size_t s) {
    Ranges ranges;
    append(ranges, {range.begin + pieces.begin(s), pieces.size(s)});
    return ranges;
  };
  // A single member has nobody to send to.
  if (place.height == 0) return;
  // All members have the same number of steps, whatever they do in them.
  schedule.step(place.height + segments - 2);
  for (std::size_t s = 0; s < segments; ++s) {
    if (place.parent) {
      schedule.step(place.depth - 1 + s)
          .receives.push_back({*place.parent, Space::result, segment(s)});
    }
    for (const std::size_t child : place.children) {
      schedule.step(place.depth + s).sends.push_back({child, Space::result, segment(s)});
    }
  }
}

// Only the root reads its operand; all others forward from their result.
Schedule broadcast_from(const Task& task, std::string_view algorithm) {
  Schedule schedule{.algorithm = algorithm};
  if (task.self == task.root) {
    schedule.step(0).before.push_back({Space::operand, 0, Space::result, 0, task.items});
  }
  return schedule;
}

}  // namespace understudy::collectives
