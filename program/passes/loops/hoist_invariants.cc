// SPDX-License-Identifier: Apache-2.0
// Loop-invariant code: what a loop computes from values that it does not change is computed once,
// before it. Innermost loops first, so that code leaves several of them. Instructions of branches
// stay where they are, as they may never run; so does what would keep more bytes alive than it
// reads, unless these are few. Equivalent: XLA's WhileLoopInvariantCodeMotion.
#include <algorithm>
#include <iterator>

#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// A loop that runs often spends more time on a step than on reading so much from the cache.
constexpr std::int64_t kFewBytes = 4 << 10;

// A fill stays: loops of the tile have it in a register.
bool is_small(const Instruction& instruction) {
  return is_function(instruction) && !std::holds_alternative<Fill>(instruction.work) &&
         std::ranges::all_of(instruction.outputs,
                             [](const Operand& out) { return out.type.bytes() <= kFewBytes; });
}

class Hoister {
 public:
  explicit Hoister(const Draft& draft) : writes_(draft) {}

  void run(Code& code) {
    Code hoisted;
    hoisted.reserve(code.size());
    for (Instruction& instruction : code) {
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      if (auto* loop = std::get_if<While>(&instruction.work)) {
        auto changing = written_by(instruction);
        // The condition runs before the body.
        // What leaves the condition is fixed for the body.
        for (Code* const list : {&loop->condition, &loop->body}) lift(*list, changing, hoisted);
      }
      hoisted.push_back(std::move(instruction));
    }
    code = std::move(hoisted);
  }

 private:
  // Moves the invariant instructions of one list to the end of `before`.
  void lift(Code& list, std::unordered_set<std::uint32_t>& changing, Code& before) const {
    Code left;
    left.reserve(list.size());
    for (Instruction& instruction : list) {
      if (is_invariant(instruction, changing)) {
        // Its results no longer change in the loop, so instructions after it may follow.
        for (const Operand& output : instruction.outputs) changing.erase(output.at.index);
        before.push_back(std::move(instruction));
      } else {
        left.push_back(std::move(instruction));
      }
    }
    list = std::move(left);
  }

  bool is_invariant(const Instruction& instruction,
                    const std::unordered_set<std::uint32_t>& changing) const {
    if (!may_move(instruction) && !is_small(instruction)) return false;
    const auto is_fixed = [&](const Operand& input) {
      return writes_.is_stable(input.at) &&
             (input.at.space != Space::temporary || !changing.contains(input.at.index));
    };
    return std::ranges::all_of(instruction.inputs, is_fixed) &&
           // An output that is written elsewhere, too, must keep its place among those writes.
           std::ranges::all_of(instruction.outputs,
                               [&](const Operand& out) { return writes_.is_value(out); });
  }

  Writes writes_;
};

}  // namespace

void hoist_invariants(Draft& draft) { Hoister(draft).run(draft.code); }

}  // namespace understudy::program::passes
