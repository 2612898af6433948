// SPDX-License-Identifier: Apache-2.0
// Few steps for small operands: recursive doubling, which folds whole operands in an in-order tree
// of the group, and Bruck's algorithms (Bruck et al. 1997) for any number of members.
#include <bit>

#include "collectives/algorithms/pairs.h"
#include "collectives/algorithms/schedules.h"
#include "collectives/algorithms/tree.h"

namespace understudy::collectives {
namespace {

constexpr std::string_view kDoubling = "doubling";

}  // namespace

// Both partners fold the same two partials in the same order, so all members get the same bits.
Schedule all_reduce_doubling(const Task& task) {
  if (task.members == 1) return alone(task, kDoubling);
  const Pairs pairs(task.members, task.self);
  Ranges whole;
  append(whole, {0, task.items});
  Schedule schedule{.algorithm = kDoubling};
  schedule.step(0).before.push_back(widen_all(task));
  // The lower member's partial is always the left operand.
  const auto fold = [&](std::size_t number, std::size_t peer, bool sends, bool receives) {
    Step& step = schedule.step(number);
    if (sends) step.sends.push_back({peer, Space::partials, whole});
    if (receives) {
      const Action action = peer < task.self ? Action::fold_left : Action::fold_right;
      step.receives.push_back({peer, Space::partials, whole, action});
    }
  };
  // Members beyond the largest power of two give their operand to a partner first (the fold), and
  // get the result last.
  if (pairs.is_paired()) fold(0, pairs.partner(), !pairs.works(), pairs.works());
  for (std::size_t level = 0; level < pairs.levels(); ++level) {
    // Workers that differ in one bit are partners at that level.
    const std::size_t other = pairs.worker() ^ (std::size_t{1} << level);
    fold(pairs.pair_steps() + level, pairs.member(other), pairs.works(), pairs.works());
  }
  const std::size_t last = pairs.levels() + pairs.pair_steps();
  const Move narrow{Space::partials, 0, Space::result, 0, task.items};
  if (pairs.pair_steps() == 0) {
    schedule.after.push_back(narrow);
    return schedule;
  }
  Step& step = schedule.step(last);
  if (pairs.works()) step.before.push_back(narrow);
  if (pairs.is_paired()) {
    auto& messages = pairs.works() ? step.sends : step.receives;
    messages.push_back({pairs.partner(), Space::result, whole});
  }
  return schedule;
}

// After step s a member has the blocks of 2^(s+1) members, its own and those on its right.
Schedule all_gather_bruck(const Task& task) {
  if (task.members == 1) return alone(task, "bruck");
  const std::size_t n = task.members, block = task.items;
  Schedule schedule{.algorithm = "bruck"};
  schedule.step(0).before.push_back({Space::operand, 0, Space::result, task.self * block, block});
  const auto blocks = [&](std::size_t from, std::size_t count) {
    Ranges ranges;
    for (std::size_t i = 0; i < count; ++i) append(ranges, {(from + i) % n * block, block});
    return ranges;
  };
  std::size_t number = 0;
  for (std::size_t have = 1; have < n; have *= 2, ++number) {
    // The last step may need fewer blocks than a member has.
    const std::size_t count = std::min(have, n - have), right = (task.self + have) % n;
    Step& step = schedule.step(number);
    step.sends.push_back({(task.self + n - have) % n, Space::result, blocks(task.self, count)});
    step.receives.push_back({right, Space::result, blocks(right, count)});
  }
  return schedule;
}

// Slot j holds the block that has to travel j places to the right. In step s all slots with bit s
// set in j travel 2^s places. At the end slot j holds the block from the member j places to the
// left.
Schedule all_to_all_bruck(const Task& task) {
  if (task.members == 1) return alone(task, "bruck");
  const std::size_t n = task.members, block = task.block();
  Schedule schedule{.algorithm = "bruck", .scratch_items = n * block};
  // The rotation at the start and its inverse at the end make the steps equal on all members.
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t to = (task.self + j) % n, from = (task.self + n - j) % n;
    schedule.step(0).before.push_back(
        {Space::operand, to * block, Space::scratch, j * block, block});
    schedule.after.push_back({Space::scratch, j * block, Space::result, from * block, block});
  }
  std::size_t number = 0;
  for (std::size_t hop = 1; hop < n; hop *= 2, ++number) {
    Ranges slots;
    for (std::size_t j = 0; j < n; ++j) {
      if ((j & hop) != 0) append(slots, {j * block, block});
    }
    Step& step = schedule.step(number);
    step.sends.push_back({(task.self + hop) % n, Space::scratch, slots});
    step.receives.push_back({(task.self + n - hop) % n, Space::scratch, slots});
  }
  return schedule;
}

Schedule broadcast_tree(const Task& task) {
  if (task.members == 1) return alone(task, "tree");
  Schedule schedule = broadcast_from(task, "tree");
  spread(schedule, binomial_place(task), {0, task.items}, segments_of(task.items));
  return schedule;
}

}  // namespace understudy::collectives
