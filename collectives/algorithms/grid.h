// SPDX-License-Identifier: Apache-2.0
// A group whose members form a grid in one slice: all combinations of some x, some y and some z. A
// box is a grid; so are the members along a mesh axis with a stride. Values.
#pragma once

#include <optional>
#include <vector>

#include "collectives/schedule.h"

namespace understudy::collectives {

struct Grid {
  struct Axis {
    std::size_t extent = 1;
    bool circle = false;  // its ends are joined; else it is a line
  };
  std::vector<Axis> axes;                    // those longer than 1
  std::vector<std::vector<std::size_t>> at;  // by member: its place on each axis

  // In the order of their places, the last axis fastest.
  std::span<const std::size_t> members() const { return members_; }
  // The member that differs from `member` in its place on one axis.
  std::size_t moved(std::size_t member, std::size_t axis, std::size_t to) const;

 private:
  friend std::optional<Grid> grid_of(const PodLayout& layout, std::span<const Rank> ranks);
  std::size_t index_of(std::span<const std::size_t> places) const;
  std::vector<std::size_t> members_;  // by index
};

// nullopt if the members form no grid, or are in several slices: no ICI link joins those. An axis
// is a circle if the slice wraps and the members are evenly spaced all around; two chips have only
// one link, so an axis of 2 is a line.
std::optional<Grid> grid_of(const PodLayout& layout, std::span<const Rank> ranks);

}  // namespace understudy::collectives
