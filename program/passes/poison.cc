// SPDX-License-Identifier: Apache-2.0
#include "program/passes/poison.h"

#include <iterator>
#include <utility>

namespace understudy::program::passes {

namespace {

// Counts positions exactly as Liveness of plan.cc does. A death between two phases of a loop (of
// its predicate) belongs to the loop: what its body placed there is dead when the loop is.
class Poisoner {
 public:
  explicit Poisoner(Deaths deaths) : deaths_(std::move(deaths)) {}

  void walk(Code& code) {
    Code with;
    with.reserve(code.size());
    for (Instruction& instruction : code) {
      // Positions from here to now_ are those of this instruction.
      const std::uint32_t begin = now_ + 1;
      visit(instruction);
      const std::uint32_t op = instruction.op;
      with.push_back(std::move(instruction));
      const auto first = deaths_.lower_bound(begin), last = deaths_.upper_bound(now_);
      for (auto death = first; death != last; ++death)
        with.push_back({Poison{}, {}, {death->second}, op});
      // Nested lists have taken theirs already, so each death is written once.
      deaths_.erase(first, last);
    }
    code = std::move(with);
  }

 private:
  void visit(Instruction& instruction) {
    // The counts follow those of Liveness: a loop has a position before, between and after its
    // lists.
    ++now_;
    if (auto* loop = std::get_if<While>(&instruction.work)) {
      ++now_;
      walk(loop->condition);
      ++now_;
      walk(loop->body);
      ++now_;
    } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
      // Results may lie where an input has died, so it is overwritten before the branches run.
      const std::uint32_t entered = now_;
      for (Code& nested : branch->branches) {
        walk(nested);
        Code dead;
        const auto [first, last] = deaths_.equal_range(entered);
        for (auto death = first; death != last; ++death)
          dead.push_back({Poison{}, {}, {death->second}, instruction.op});
        nested.insert(nested.begin(), std::make_move_iterator(dead.begin()),
                      std::make_move_iterator(dead.end()));
      }
      deaths_.erase(entered);
      ++now_;
    }
  }

  Deaths deaths_;
  std::uint32_t now_ = 0;
};

}  // namespace

void poison_dead(Code& code, Deaths deaths) { Poisoner(std::move(deaths)).walk(code); }

}  // namespace understudy::program::passes
