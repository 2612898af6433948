// SPDX-License-Identifier: Apache-2.0
// Recursive halving and doubling (Rabenseifner; Thakur, Rabenseifner and Gropp 2005), with
// distances that double in the fold: what has been folded comes from members side by side, so that
// the tree's in-order traversal is the group's order.
#include <algorithm>

#include "collectives/algorithms/pairs.h"
#include "collectives/algorithms/schedules.h"

namespace understudy::collectives {
namespace {

constexpr std::string_view kName = "halving";

Ranges one_range(std::size_t begin, std::size_t count) {
  Ranges ranges;
  append(ranges, {begin, count});
  return ranges;
}

// The range of each worker if blocks belong to members: the blocks of the members it stands for.
std::vector<Range> owned_blocks(const Pairs& pairs, std::size_t block) {
  std::vector<Range> owned;
  for (std::size_t w = 0; w < pairs.workers(); ++w) {
    owned.push_back({pairs.member(w) * block, pairs.stands_for(w) * block});
  }
  return owned;
}

// In an all_reduce any worker may own any chunk. With chunk numbers that are the worker's number
// with its bits reversed, the share of a worker is one contiguous range at every level.
std::vector<Range> owned_chunks(const Pairs& pairs, std::size_t items) {
  std::vector<Range> owned;
  const Chunks chunks{items, pairs.workers()};
  for (std::size_t w = 0; w < pairs.workers(); ++w) {
    std::size_t chunk = 0;
    for (std::size_t bit = 1; bit < pairs.workers(); bit *= 2) {
      // Bit reversal: the lowest bit of the worker becomes the highest of the chunk.
      chunk = chunk * 2 + ((w & bit) != 0 ? 1 : 0);
    }
    owned.push_back({chunks.begin(chunk), chunks.size(chunk)});
  }
  return owned;
}

// The ranges of all workers that agree with worker `w` in the bits below `end`.
Ranges share_of(const std::vector<Range>& owned, std::size_t w, std::size_t end) {
  std::vector<Range> found;
  for (std::size_t other = w % end; other < owned.size(); other += end) {
    found.push_back(owned[other]);
  }
  std::sort(found.begin(), found.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  Ranges ranges;
  for (const Range& range : found) append(ranges, range);
  return ranges;
}

// At each level a worker keeps the half that agrees with it in one more bit, and sends the other
// half to its partner.
void fold_by_halving(Schedule& schedule, std::size_t first_step, const Pairs& pairs,
                     const std::vector<Range>& owned) {
  const std::size_t self = pairs.worker();
  for (std::size_t level = 0; level < pairs.levels(); ++level) {
    Step& step = schedule.step(first_step + level);
    if (!pairs.works()) continue;
    // Distances double (1, 2, 4...), so what is folded comes from neighbours in group order.
    const std::size_t bit = std::size_t{1} << level, other = self ^ bit;
    step.sends.push_back({pairs.member(other), Space::partials, share_of(owned, other, 2 * bit)});
    step.receives.push_back({pairs.member(other), Space::partials, share_of(owned, self, 2 * bit),
                             other < self ? Action::fold_left : Action::fold_right});
  }
}

// The same levels in reverse order, with results instead of partials.
void gather_by_doubling(Schedule& schedule, std::size_t first_step, const Pairs& pairs,
                        const std::vector<Range>& owned) {
  const std::size_t self = pairs.worker();
  for (std::size_t level = 0; level < pairs.levels(); ++level) {
    Step& step = schedule.step(first_step + level);
    if (!pairs.works()) continue;
    const std::size_t bit = pairs.workers() >> (level + 1), other = self ^ bit;
    step.sends.push_back({pairs.member(other), Space::result, share_of(owned, self, 2 * bit)});
    step.receives.push_back({pairs.member(other), Space::result, share_of(owned, other, 2 * bit)});
  }
}

// In one step, the odd member of a pair gives to the even one, or takes from it.
void give_to_even(Step& step, const Pairs& pairs, Space space, Ranges ranges, Action action) {
  if (!pairs.is_paired()) return;
  // Workers are the even members of pairs; odd ones only give and take.
  if (pairs.works()) {
    step.receives.push_back({pairs.partner(), space, std::move(ranges), action});
  } else {
    step.sends.push_back({pairs.partner(), space, std::move(ranges)});
  }
}
void give_to_odd(Step& step, const Pairs& pairs, Message sent, Message received) {
  if (!pairs.is_paired()) return;
  if (pairs.works()) {
    step.sends.push_back(std::move(sent));
  } else {
    step.receives.push_back(std::move(received));
  }
}

// All partials folded to their owners; steps 0 to pair_steps() + levels() - 1.
Schedule folded(const Task& task, const Pairs& pairs, const std::vector<Range>& owned) {
  Schedule schedule{.algorithm = kName};
  Step& first = schedule.step(0);
  first.before.push_back(widen_all(task));
  give_to_even(first, pairs, Space::partials, one_range(0, task.items), Action::fold_right);
  fold_by_halving(schedule, pairs.pair_steps(), pairs, owned);
  return schedule;
}

}  // namespace

// Reduce-scatter by halving, then all-gather by doubling. Members without a partner in the power of
// two give their operand first and get the result last.
Schedule all_reduce_halving(const Task& task) {
  if (task.members == 1) return alone(task, kName);
  const Pairs pairs(task.members, task.self);
  const auto owned = owned_chunks(pairs, task.items);
  Schedule schedule = folded(task, pairs, owned);
  const std::size_t gather = schedule.steps.size();
  if (pairs.works()) {
    const Range own = owned[pairs.worker()];
    schedule.step(gather).before.push_back(
        {Space::partials, own.begin, Space::result, own.begin, own.count});
  }
  gather_by_doubling(schedule, gather, pairs, owned);
  if (pairs.pair_steps() > 0) {
    const Message whole{pairs.partner(), Space::result, one_range(0, task.items)};
    give_to_odd(schedule.step(schedule.steps.size()), pairs, whole, whole);
  }
  return schedule;
}

// As in the all_reduce, but blocks belong to members: a worker that stands for a pair folds both
// blocks and passes one on.
Schedule reduce_scatter_halving(const Task& task) {
  if (task.members == 1) return alone(task, kName);
  const Pairs pairs(task.members, task.self);
  const std::size_t block = task.block();
  Schedule schedule = folded(task, pairs, owned_blocks(pairs, block));
  if (pairs.works()) {
    schedule.after.push_back({Space::partials, task.self * block, Space::result, 0, block});
  }
  if (pairs.pair_steps() > 0) {
    Step& last = schedule.step(schedule.steps.size());
    if (pairs.is_paired() && pairs.works()) {
      schedule.scratch_items = block;
      last.before.push_back({Space::partials, pairs.partner() * block, Space::scratch, 0, block});
    }
    give_to_odd(last, pairs, {pairs.partner(), Space::scratch, one_range(0, block)},
                {pairs.partner(), Space::result, one_range(0, block)});
  }
  return schedule;
}

// The odd member of a pair gives its block to the even one first, and receives all blocks except
// its own in the end.
Schedule all_gather_halving(const Task& task) {
  if (task.members == 1) return alone(task, kName);
  const Pairs pairs(task.members, task.self);
  const std::size_t block = task.items, all = block * task.members;
  Schedule schedule{.algorithm = kName};
  Step& first = schedule.step(0);
  first.before.push_back({Space::operand, 0, Space::result, task.self * block, block});
  // The bit makes it the odd one, whichever of the pair we are.
  const std::size_t odd = task.self | 1;  // of our pair
  give_to_even(first, pairs, Space::result, one_range(odd * block, block), Action::store);
  gather_by_doubling(schedule, pairs.pair_steps(), pairs, owned_blocks(pairs, block));
  if (pairs.pair_steps() > 0) {
    Step& last = schedule.step(schedule.steps.size());
    Message others{pairs.partner(), Space::result, one_range(0, odd * block)};
    if (pairs.is_paired()) append(others.ranges, {(odd + 1) * block, all - (odd + 1) * block});
    give_to_odd(last, pairs, others, others);
  }
  return schedule;
}

}  // namespace understudy::collectives
