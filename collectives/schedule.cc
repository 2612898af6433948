// SPDX-License-Identifier: Apache-2.0
#include "collectives/schedule.h"

#include <array>

namespace understudy::collectives {

std::string_view name_of(Kind kind) {
  constexpr std::array<std::string_view, kKinds> kNames = {
      "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool reduces(Kind kind) { return kind == Kind::all_reduce || kind == Kind::reduce_scatter; }

void append(Ranges& ranges, Range range) {
  if (range.count == 0) return;
  // Joined ranges mean one message part instead of two, often without staging.
  if (!ranges.empty() && ranges.back().begin + ranges.back().count == range.begin) {
    ranges.back().count += range.count;
  } else {
    ranges.push_back(range);
  }
}

std::size_t items_in(std::span<const Range> ranges) {
  std::size_t items = 0;
  for (const Range& range : ranges) items += range.count;
  return items;
}

Step& Schedule::step(std::size_t number) {
  if (steps.size() <= number) steps.resize(number + 1);
  return steps[number];
}

Move widen_all(const Task& task) { return {Space::operand, 0, Space::partials, 0, task.items}; }

Schedule alone(const Task& task, std::string_view algorithm) {
  Schedule schedule{.algorithm = algorithm};
  // As bytes or elements: a copy needs no conversion.
  schedule.after.push_back({Space::operand, 0, Space::result, 0, task.items});
  return schedule;
}

}  // namespace understudy::collectives
