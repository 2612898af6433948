// SPDX-License-Identifier: Apache-2.0
// Broadcast down a tree, in segments, so that all links of a path work at once. Pure.
#pragma once

#include <optional>
#include <vector>

#include "collectives/schedule.h"

namespace understudy::collectives {

// Items are bytes in a broadcast.
inline constexpr std::size_t kBroadcastSegmentBytes = std::size_t{256} << 10;
// At least one: an empty buffer still travels, as a message without payload.
std::size_t segments_of(std::size_t bytes);

// A tree of all members as one of them sees it.
struct TreePlace {
  std::optional<std::size_t> parent;  // none: the root
  std::vector<std::size_t> children;
  std::size_t depth = 0;   // below the root
  std::size_t height = 0;  // of the whole tree
};

// Members in a row that starts at the root and goes round the group in one direction.
TreePlace chain_place(const Task& task, bool rightwards);
// Binomial: ceil(log2 n) levels.
TreePlace binomial_place(const Task& task);

// Adds `height + segments - 1` steps; the root's result must be there before the first of them.
void spread(Schedule& schedule, const TreePlace& place, Range range, std::size_t segments);

// The schedule of a broadcast before anything is sent: the root has its result.
Schedule broadcast_from(const Task& task, std::string_view algorithm);

}  // namespace understudy::collectives
