// SPDX-License-Identifier: Apache-2.0
// Elements at indices in a fused loop (samples of images at four neighbours): each of them ends a
// chain of element-wise steps. Those that need no other come together.
#include <algorithm>
#include <vector>

#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

namespace {

// Each of them, and what it reads, then has a place in the tile.
constexpr std::ptrdiff_t kMostTakes = 16;

bool takes(const Instruction& step) { return std::holds_alternative<TakeElements>(step.work); }

enum class Turn : std::uint8_t { first, take, last };

// Whether each step is an element at indices, or comes before or after them. `values`: of the tile,
// each with a number of its own.
std::vector<Turn> turns_of(const Code& steps, std::uint64_t values) {
  std::vector<Turn> turns(steps.size(), Turn::last);
  std::vector<bool> is_taken(values, false), is_needed(values, false);
  const auto any_input = [](const Instruction& step, const std::vector<bool>& is) {
    return std::ranges::any_of(step.inputs, [&](const Operand& input) {
      return input.at.space == Space::frame && is[input.at.offset];
    });
  };
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const bool needs_take = any_input(steps[s], is_taken);
    if (takes(steps[s]) && !needs_take) turns[s] = Turn::take;
    const Buffer& out = steps[s].outputs[0].at;
    if (out.space == Space::frame) is_taken[out.offset] = needs_take || takes(steps[s]);
  }
  for (std::size_t s = steps.size(); s-- > 0;) {
    const Buffer& out = steps[s].outputs[0].at;
    // Joined arrays stay ahead.
    const bool joins = std::holds_alternative<Join>(steps[s].work);
    if (turns[s] == Turn::last && out.space == Space::frame &&
        (is_needed[out.offset] || (joins && !is_taken[out.offset])))
      turns[s] = Turn::first;
    if (turns[s] == Turn::last) continue;
    for (const Operand& input : steps[s].inputs)
      if (input.at.space == Space::frame) is_needed[input.at.offset] = true;
  }
  return turns;
}

}  // namespace

void group_takes(Fused& work, std::uint64_t values) {
  const std::ptrdiff_t count = std::ranges::count_if(work.steps, takes);
  // What a step reads of a result depends on the steps before it.
  const bool reads_results = std::ranges::any_of(work.steps, [](const Instruction& step) {
    return std::ranges::any_of(
        step.inputs, [](const Operand& input) { return input.at.space == Space::result; });
  });
  if (count < 2 || count > kMostTakes || reads_results) return;
  const std::vector<Turn> turns = turns_of(work.steps, values);
  Code ordered;
  for (const Turn turn : {Turn::first, Turn::take, Turn::last})
    for (std::size_t s = 0; s < turns.size(); ++s)
      if (turns[s] == turn) ordered.push_back(std::move(work.steps[s]));
  work.steps = std::move(ordered);
}

}  // namespace understudy::program::passes
