// SPDX-License-Identifier: Apache-2.0
// A group whose members stand on a grid in the slice: on all combinations of some x, some y and
// some z. A box is one; so is what a mesh axis with a stride leaves. Values.
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

// nullopt where the members stand on no grid. An axis is a circle where the slice wraps and the
// places are evenly spaced all round; two chips have one link, so that an axis of 2 is a line.
std::optional<Grid> grid_of(const PodLayout& layout, std::span<const Rank> ranks);

}  // namespace understudy::collectives
