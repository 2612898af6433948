// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/schedules.h"

namespace understudy::collectives {
namespace {

Ranges block_of(const Task& task, std::size_t member) {
  Ranges ranges;
  append(ranges, {member * task.block(), task.block()});
  return ranges;
}

// Blocks of the operand go by receiver, those of the result by sender.
void exchange_at(Step& step, const Task& task, std::size_t to, std::size_t from) {
  step.sends.push_back({to, Space::operand, block_of(task, to)});
  step.receives.push_back({from, Space::result, block_of(task, from)});
}

// The own block needs no message.
Schedule keeping_own(const Task& task, std::string_view name) {
  Schedule schedule{.algorithm = name};
  const std::size_t own = task.self * task.block();
  schedule.step(0).before.push_back({Space::operand, own, Space::result, own, task.block()});
  return schedule;
}

}  // namespace

// In every step each member sends to one member and receives from one, so no link is a bottleneck.
Schedule all_to_all_pairwise(const Task& task) {
  if (task.members == 1) return alone(task, "pairwise");
  Schedule schedule = keeping_own(task, "pairwise");
  const std::size_t n = task.members;
  for (std::size_t s = 1; s < n; ++s) {
    // Step s: to the member s places on, from the one s places back, so that pairs match.
    exchange_at(schedule.step(s - 1), task, (task.self + s) % n, (task.self + n - s) % n);
  }
  return schedule;
}

// Floor(n/2) steps; the member opposite gets one message, the others two at once.
Schedule all_to_all_both_ways(const Task& task) {
  if (task.members == 1) return alone(task, "pairwise");
  Schedule schedule = keeping_own(task, "pairwise");
  const std::size_t n = task.members;
  for (std::size_t s = 1; s <= n / 2; ++s) {
    Step& step = schedule.step(s - 1);
    const std::size_t right = (task.self + s) % n, left = (task.self + n - s) % n;
    exchange_at(step, task, right, left);
    if (right != left) exchange_at(step, task, left, right);
  }
  return schedule;
}

}  // namespace understudy::collectives
