// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/grid.h"

#include <algorithm>

namespace understudy::collectives {
namespace {

constexpr std::size_t kNobodyThere = static_cast<std::size_t>(-1);

// The distinct coordinates of the members on one axis, sorted.
std::vector<std::int64_t> places_on(const PodLayout& layout, std::span<const Rank> ranks,
                                    std::size_t axis) {
  std::vector<std::int64_t> places;
  for (const Rank rank : ranks) {
    places.push_back(layout.at[static_cast<std::size_t>(rank.value)][axis]);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// The step over the wraparound must be as long as all others; with uneven spacing a pass around the
// circle would use some links several times.
bool is_circle(const PodLayout& layout, std::size_t axis, const std::vector<std::int64_t>& places) {
  // Two places have one link, whichever way it is called.
  if (!layout.wraps[axis] || places.size() < 3) return false;
  const std::int64_t stride = places[1] - places[0];
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] - places[i - 1] != stride) return false;
  }
  return places.front() + layout.shape[axis] - places.back() == stride;
}

}  // namespace

// Row-major, the last axis fastest.
std::size_t Grid::index_of(std::span<const std::size_t> places) const {
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    index = index * axes[axis].extent + places[axis];
  }
  return index;
}

std::size_t Grid::moved(std::size_t member, std::size_t axis, std::size_t to) const {
  std::vector<std::size_t> places = at[member];
  places[axis] = to;
  return members_[index_of(places)];
}

std::optional<Grid> grid_of(const PodLayout& layout, std::span<const Rank> ranks) {
  const bool known = !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), [&](Rank rank) {
    // Members of several slices are no grid: DCN joins slices, not ICI.
    return rank.value >= 0 && static_cast<std::size_t>(rank.value) < layout.at.size() &&
           layout.slice_of(rank) == layout.slice_of(ranks.front());
  });
  if (!known) return std::nullopt;
  Grid grid;
  grid.at.resize(ranks.size());
  std::size_t chips = 1;
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    const auto places = places_on(layout, ranks, axis);
    // An axis with one place is no axis of this group.
    if (places.size() == 1) continue;
    grid.axes.push_back({places.size(), is_circle(layout, axis, places)});
    chips *= places.size();
    for (std::size_t member = 0; member < ranks.size(); ++member) {
      const auto& chip = layout.at[static_cast<std::size_t>(ranks[member].value)];
      const auto found = std::lower_bound(places.begin(), places.end(), chip[axis]);
      grid.at[member].push_back(static_cast<std::size_t>(found - places.begin()));
    }
  }
  // As many members as combinations, and no combination twice: then each occurs exactly once.
  if (chips != ranks.size()) return std::nullopt;
  grid.members_.assign(chips, kNobodyThere);
  for (std::size_t member = 0; member < ranks.size(); ++member) {
    std::size_t& there = grid.members_[grid.index_of(grid.at[member])];
    if (there != kNobodyThere) return std::nullopt;  // two members on one chip
    there = member;
  }
  return grid;
}

}  // namespace understudy::collectives
