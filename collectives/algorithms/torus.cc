// SPDX-License-Identifier: Apache-2.0
// The multi-axis bucket algorithm: the published name, which has nothing to do with the buckets of
// worker/pod/buckets.h. The data is cut into flows that run at the same time. Each flow
// works along one axis after the other; flows start on different axes and run in both directions,
// so that all links of a chip are busy. An axis that wraps is a circle; one that does not is a
// line, which uses both of its directions anyway. A group that is not a grid in the slice uses the
// ring.
#include <algorithm>

#include "collectives/algorithms/circle.h"
#include "collectives/algorithms/grid.h"
#include "collectives/algorithms/schedules.h"
#include "collectives/algorithms/tree.h"

namespace understudy::collectives {
namespace {

constexpr std::string_view kTorus = "torus";

// A part of the data and its way through the axes.
struct Flow {
  std::vector<std::size_t> axes;  // in the order of its phases
  Direction direction = Direction::rightwards;
  std::vector<Range> owned;           // by member: the range that it has folded, or that it gives
  std::vector<std::size_t> in_order;  // members, by the beginning of their range
};

std::vector<Flow> flows_over(const Grid& grid) {
  // Two directions are useful only on circles: the schedules for a line already use both.
  const bool both = std::any_of(grid.axes.begin(), grid.axes.end(),
                                [](const Grid::Axis& axis) { return axis.circle; });
  std::vector<Flow> flows;
  // Each flow starts on an axis of its own, so no two of them load the same links first.
  for (std::size_t first = 0; first < grid.axes.size(); ++first) {
    Flow flow;
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
      flow.axes.push_back((first + i) % grid.axes.size());
    }
    flows.push_back(flow);
    if (!both) continue;
    flow.direction = Direction::leftwards;
    flows.push_back(flow);
  }
  return flows;
}

// Sorted, so that circle_at() appends ranges in ascending order and append() can join neighbours.
void sort_members(Flow& flow) {
  flow.in_order.resize(flow.owned.size());
  for (std::size_t m = 0; m < flow.owned.size(); ++m) flow.in_order[m] = m;
  std::stable_sort(flow.in_order.begin(), flow.in_order.end(), [&](std::size_t a, std::size_t b) {
    return flow.owned[a].begin < flow.owned[b].begin;
  });
}

// Each flow takes a piece of every member's block.
std::vector<Flow> flows_of_blocks(const Task& task, const Grid& grid) {
  std::vector<Flow> flows = flows_over(grid);
  const Chunks pieces{task.block(), flows.size()};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (std::size_t m = 0; m < task.members; ++m) {
      flows[i].owned.push_back({m * task.block() + pieces.begin(i), pieces.size(i)});
    }
    sort_members(flows[i]);
  }
  return flows;
}

// In an all_reduce any member may own any range. Chunks are numbered along the flow's axes, the
// first axis slowest, so that every message is one range.
std::vector<Flow> flows_of_chunks(const Task& task, const Grid& grid) {
  std::vector<Flow> flows = flows_over(grid);
  const Chunks parts{task.items, flows.size()};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const Chunks chunks{parts.size(i), task.members};
    for (std::size_t m = 0; m < task.members; ++m) {
      std::size_t chunk = 0;
      for (const std::size_t axis : flows[i].axes) {
        chunk = chunk * grid.axes[axis].extent + grid.at[m][axis];
      }
      flows[i].owned.push_back({parts.begin(i) + chunks.begin(chunk), chunks.size(chunk)});
    }
    sort_members(flows[i]);
  }
  return flows;
}

// The circle through us along a flow's axis number `phase`. A member on it stands for all members
// that have our coordinates on the earlier axes and its coordinate on this one: it owns their
// ranges.
Circle circle_at(const Task& task, const Grid& grid, const Flow& flow, std::size_t phase) {
  const std::size_t axis = flow.axes[phase];
  Circle circle;
  circle.at = grid.at[task.self][axis];
  circle.owned.resize(grid.axes[axis].extent);
  for (std::size_t place = 0; place < circle.owned.size(); ++place) {
    // The members at the other places of this axis, with all our other coordinates.
    circle.members.push_back(grid.moved(task.self, axis, place));
  }
  for (const std::size_t m : flow.in_order) {
    const bool agrees = std::all_of(
        flow.axes.begin(), flow.axes.begin() + static_cast<std::ptrdiff_t>(phase),
        [&](std::size_t before) { return grid.at[m][before] == grid.at[task.self][before]; });
    if (agrees) append(circle.owned[grid.at[m][axis]], flow.owned[m]);
  }
  return circle;
}

// Steps of a fold or a gather over all axes; as many for each flow.
std::size_t steps_over(const Grid& grid) {
  std::size_t steps = 0;
  for (const Grid::Axis& axis : grid.axes) steps += axis.extent - 1;
  return steps;
}

void fold_over_axes(Schedule& schedule, const Task& task, const Grid& grid, const Flow& flow) {
  std::size_t step = 0;
  for (std::size_t phase = 0; phase < flow.axes.size(); ++phase) {
    const Circle circle = circle_at(task, grid, flow, phase);
    if (grid.axes[flow.axes[phase]].circle) {
      fold_around(schedule, step, circle, flow.direction);
    } else {
      fold_along(schedule, step, circle);
    }
    step += circle.size() - 1;
  }
}

// The phases in reverse order: what was gathered along one axis is passed on along the next.
void gather_over_axes(Schedule& schedule, std::size_t step, const Task& task, const Grid& grid,
                      const Flow& flow) {
  for (std::size_t phase = flow.axes.size(); phase-- > 0;) {
    const Circle circle = circle_at(task, grid, flow, phase);
    if (grid.axes[flow.axes[phase]].circle) {
      gather_around(schedule, step, circle, flow.direction);
    } else {
      gather_along(schedule, step, circle);
    }
    step += circle.size() - 1;
  }
}

// nullopt: the caller falls back to the ring.
std::optional<Grid> grid_for(const Task& task) {
  if (task.layout == nullptr || task.members == 1) return std::nullopt;
  return grid_of(*task.layout, task.ranks);
}

// The broadcast tree of one flow: from the root along its first axis, from all members there along
// the second, and so on.
class SpreadingTree {
 public:
  SpreadingTree(const Task& task, const Grid& grid, const Flow& flow)
      : grid_(grid), flow_(flow), root_(grid.at[task.root]) {}

  TreePlace place_of(std::size_t member, std::size_t members) const {
    TreePlace place;
    place.depth = depth_of(member);
    for (std::size_t m = 0; m < members; ++m) {
      place.height = std::max(place.height, depth_of(m));
      if (parent_of(m) == member && depth_of(m) > 0) place.children.push_back(m);
    }
    if (place.depth > 0) place.parent = parent_of(member);
    return place;
  }

 private:
  // Hops from the root's coordinate on this axis, and the coordinate one hop nearer to it. On a
  // circle all hops go in the flow's direction, on a line away from the root.
  std::size_t hops(std::size_t place, std::size_t axis) const {
    const auto& [extent, circle] = grid_.axes[axis];
    const std::size_t right = (place + extent - root_[axis]) % extent;
    if (circle) return flow_.direction == Direction::rightwards ? right : (extent - right) % extent;
    return place > root_[axis] ? place - root_[axis] : root_[axis] - place;
  }
  std::size_t nearer(std::size_t place, std::size_t axis) const {
    const std::size_t extent = grid_.axes[axis].extent;
    const bool came_rightwards =
        grid_.axes[axis].circle ? flow_.direction == Direction::rightwards : place > root_[axis];
    return came_rightwards ? (place + extent - 1) % extent : (place + 1) % extent;
  }
  std::size_t depth_of(std::size_t member) const {
    std::size_t depth = 0;
    for (const std::size_t axis : flow_.axes) depth += hops(grid_.at[member][axis], axis);
    return depth;
  }
  // One hop towards the root on the last axis on which the member differs from it; the root itself
  // for the root.
  std::size_t parent_of(std::size_t member) const {
    for (std::size_t phase = flow_.axes.size(); phase-- > 0;) {
      const std::size_t axis = flow_.axes[phase], place = grid_.at[member][axis];
      if (hops(place, axis) > 0) return grid_.moved(member, axis, nearer(place, axis));
    }
    return member;
  }

  const Grid& grid_;
  const Flow& flow_;
  const std::vector<std::size_t>& root_;
};

Schedule folded_over_grid(const Task& task, const Grid& grid, std::span<const Flow> flows) {
  Schedule schedule{.algorithm = kTorus};
  schedule.step(0).before.push_back(widen_all(task));
  for (const Flow& flow : flows) fold_over_axes(schedule, task, grid, flow);
  return schedule;
}

// Every pair of members on an axis swaps blocks, near pairs first. Returns the number of the next
// step.
std::size_t swap_along(Schedule& schedule, std::size_t number, const Task& task, const Grid& grid,
                       std::size_t axis, const std::vector<Ranges>& rooms) {
  const std::size_t extent = rooms.size(), at = grid.at[task.self][axis];
  // Distances up to half the axis: both neighbours at each distance are served in one step.
  for (std::size_t s = 1; s <= extent / 2; ++s, ++number) {
    Step& step = schedule.step(number);
    const std::size_t right = (at + s) % extent, left = (at + extent - s) % extent;
    // Halfway round an axis of even length both neighbours are the same member: it is sent to once.
    for (const std::size_t to : {right, left}) {
      const std::size_t peer = grid.moved(task.self, axis, to);
      step.sends.push_back({peer, Space::result, rooms[to]});
      step.receives.push_back({peer, Space::result, rooms[to]});
      if (left == right) break;
    }
  }
  return number;
}

}  // namespace

Schedule all_reduce_torus(const Task& task) {
  const auto grid = grid_for(task);
  if (!grid) return all_reduce_ring(task);
  const std::vector<Flow> flows = flows_of_chunks(task, *grid);
  Schedule schedule = folded_over_grid(task, *grid, flows);
  const std::size_t gather = steps_over(*grid);
  for (const Flow& flow : flows) {
    const Range own = flow.owned[task.self];
    // Our own range is complete once the fold ends, so the gather starts from it.
    schedule.step(gather).before.push_back(
        {Space::partials, own.begin, Space::result, own.begin, own.count});
    gather_over_axes(schedule, gather, task, *grid, flow);
  }
  return schedule;
}

Schedule reduce_scatter_torus(const Task& task) {
  const auto grid = grid_for(task);
  if (!grid) return reduce_scatter_ring(task);
  Schedule schedule = folded_over_grid(task, *grid, flows_of_blocks(task, *grid));
  schedule.after.push_back(
      {Space::partials, task.self * task.block(), Space::result, 0, task.block()});
  return schedule;
}

Schedule all_gather_torus(const Task& task) {
  const auto grid = grid_for(task);
  if (!grid) return all_gather_ring(task);
  Schedule schedule{.algorithm = kTorus};
  schedule.step(0).before.push_back(
      {Space::operand, 0, Space::result, task.self * task.items, task.items});
  for (const Flow& flow : flows_of_blocks(task, *grid)) {
    gather_over_axes(schedule, 0, task, *grid, flow);
  }
  return schedule;
}

// Along each axis, the blocks for another coordinate are sent there, and the blocks that come from
// there take their place, in the same order of members. After the last axis the place of a member's
// block holds what that member sent. This routes every block over one axis at a time, in place.
Schedule all_to_all_torus(const Task& task) {
  const auto grid = grid_for(task);
  if (!grid) return all_to_all_pairwise(task);
  Schedule schedule{.algorithm = kTorus};
  schedule.step(0).before.push_back({Space::operand, 0, Space::result, 0, task.items});
  for (const Flow& flow : flows_of_blocks(task, *grid)) {
    std::size_t number = 0;
    for (const std::size_t axis : flow.axes) {
      std::vector<Ranges> rooms(grid->axes[axis].extent);
      for (const std::size_t m : grid->members()) append(rooms[grid->at[m][axis]], flow.owned[m]);
      number = swap_along(schedule, number, task, *grid, axis, rooms);
    }
  }
  return schedule;
}

Schedule broadcast_torus(const Task& task) {
  const auto grid = grid_for(task);
  if (!grid) return broadcast_chain(task);
  Schedule schedule = broadcast_from(task, kTorus);
  const std::vector<Flow> flows = flows_over(*grid);
  const Chunks parts{task.items, flows.size()};
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const TreePlace place = SpreadingTree(task, *grid, flows[i]).place_of(task.self, task.members);
    spread(schedule, place, {parts.begin(i), parts.size(i)}, segments_of(parts.size(i)));
  }
  return schedule;
}

}  // namespace understudy::collectives
