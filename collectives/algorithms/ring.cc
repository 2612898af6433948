// SPDX-License-Identifier: Apache-2.0
// The ring: all messages travel to the right. The number of messages does not depend on the size,
// so that even the signature of an empty operand is checked; chunks may be uneven or empty.
#include "collectives/algorithms/circle.h"
#include "collectives/algorithms/schedules.h"
#include "collectives/algorithms/tree.h"

namespace understudy::collectives {
namespace {

constexpr std::string_view kRing = "ring";

// The chunk of each member, of all items of a buffer.
Circle ring_of(const Task& task, std::size_t items) {
  Circle circle = circle_of(task);
  const Chunks chunks{items, task.members};
  for (std::size_t k = 0; k < task.members; ++k) {
    append(circle.owned[k], {chunks.begin(k), chunks.size(k)});
  }
  return circle;
}

Schedule folded_ring(const Task& task, const Circle& ring) {
  Schedule schedule{.algorithm = kRing};
  schedule.step(0).before.push_back(widen_all(task));
  fold_around(schedule, 0, ring, Direction::rightwards);
  return schedule;
}

}  // namespace

Schedule all_reduce_ring(const Task& task) {
  if (task.members == 1) return alone(task, kRing);
  const Circle ring = ring_of(task, task.items);
  const Chunks chunks{task.items, task.members};
  Schedule schedule = folded_ring(task, ring);
  // The gather follows the fold's last step, when the own chunk is complete.
  const std::size_t gather = schedule.steps.size();
  const std::size_t own = chunks.begin(task.self);
  schedule.step(gather).before.push_back(
      {Space::partials, own, Space::result, own, chunks.size(task.self)});
  gather_around(schedule, gather, ring, Direction::rightwards);
  return schedule;
}

Schedule reduce_scatter_ring(const Task& task) {
  if (task.members == 1) return alone(task, kRing);
  Schedule schedule = folded_ring(task, ring_of(task, task.items));
  // The own block is complete after the last step.
  schedule.after.push_back(
      {Space::partials, task.self * task.block(), Space::result, 0, task.block()});
  return schedule;
}

Schedule all_gather_ring(const Task& task) {
  if (task.members == 1) return alone(task, kRing);
  Schedule schedule{.algorithm = kRing};
  // The own block starts in its place of the result; the ring fills the others.
  schedule.step(0).before.push_back(
      {Space::operand, 0, Space::result, task.self * task.items, task.items});
  gather_around(schedule, 0, ring_of(task, task.items * task.members), Direction::rightwards);
  return schedule;
}

Schedule broadcast_chain(const Task& task) {
  if (task.members == 1) return alone(task, kRing);
  Schedule schedule = broadcast_from(task, kRing);
  spread(schedule, chain_place(task, true), {0, task.items}, segments_of(task.items));
  return schedule;
}

}  // namespace understudy::collectives
