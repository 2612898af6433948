// SPDX-License-Identifier: Apache-2.0
// The ring with both directions of every link at work: the first half of each chunk travels to the
// right, the second to the left. As many steps as the ring, each with half the bytes on a link.
#include "collectives/algorithms/circle.h"
#include "collectives/algorithms/schedules.h"
#include "collectives/algorithms/tree.h"

namespace understudy::collectives {
namespace {

constexpr std::string_view kRingBidirectional = "ring-bidirectional";
constexpr Direction kDirections[] = {Direction::rightwards, Direction::leftwards};

// The first half is the larger one if the size is odd.
Range half_of(Range range, std::size_t half) {
  const Chunks halves{range.count, 2};
  return {range.begin + halves.begin(half), halves.size(half)};
}

// The chunk of each member: of all items of a buffer, its first or second half.
Circle half_ring(const Task& task, std::size_t items, std::size_t half) {
  Circle circle = circle_of(task);
  const Chunks chunks{items, task.members};
  for (std::size_t k = 0; k < task.members; ++k) {
    append(circle.owned[k], half_of({chunks.begin(k), chunks.size(k)}, half));
  }
  return circle;
}

Schedule folded_both_ways(const Task& task) {
  Schedule schedule{.algorithm = kRingBidirectional};
  schedule.step(0).before.push_back(widen_all(task));
  // Both directions share the steps: step s holds the messages of both.
  for (const std::size_t half : {0, 1}) {
    fold_around(schedule, 0, half_ring(task, task.items, half), kDirections[half]);
  }
  return schedule;
}

void gather_both_ways(Schedule& schedule, std::size_t first_step, const Task& task,
                      std::size_t items) {
  for (const std::size_t half : {0, 1}) {
    gather_around(schedule, first_step, half_ring(task, items, half), kDirections[half]);
  }
}

}  // namespace

Schedule all_reduce_both_ways(const Task& task) {
  // Nobody to talk to: the result is the operand.
  if (task.members == 1) return alone(task, kRingBidirectional);
  const Chunks chunks{task.items, task.members};
  Schedule schedule = folded_both_ways(task);
  // The gather begins after the last step of the fold, when the own chunk is complete.
  const std::size_t gather = schedule.steps.size(), own = chunks.begin(task.self);
  schedule.step(gather).before.push_back(
      {Space::partials, own, Space::result, own, chunks.size(task.self)});
  gather_both_ways(schedule, gather, task, task.items);
  return schedule;
}

Schedule reduce_scatter_both_ways(const Task& task) {
  if (task.members == 1) return alone(task, kRingBidirectional);
  Schedule schedule = folded_both_ways(task);
  // The own block, folded, is the result.
  schedule.after.push_back(
      {Space::partials, task.self * task.block(), Space::result, 0, task.block()});
  return schedule;
}

Schedule all_gather_both_ways(const Task& task) {
  if (task.members == 1) return alone(task, kRingBidirectional);
  Schedule schedule{.algorithm = kRingBidirectional};
  // Everybody's block has its place in the result.
  schedule.step(0).before.push_back(
      {Space::operand, 0, Space::result, task.self * task.items, task.items});
  gather_both_ways(schedule, 0, task, task.items * task.members);
  return schedule;
}

Schedule broadcast_both_ways(const Task& task) {
  if (task.members == 1) return alone(task, kRingBidirectional);
  Schedule schedule = broadcast_from(task, kRingBidirectional);
  for (const std::size_t half : {0, 1}) {
    const Range range = half_of({0, task.items}, half);
    // Each half has a chain of its own, in its own direction.
    spread(schedule, chain_place(task, half == 0), range, segments_of(range.count));
  }
  return schedule;
}

}  // namespace understudy::collectives
