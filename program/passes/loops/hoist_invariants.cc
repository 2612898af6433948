// SPDX-License-Identifier: Apache-2.0
// Loop-invariant code: what a loop computes from values that it does not change is computed once,
// before it. Innermost loops first, so that code leaves several of them. Instructions of branches
// stay where they are, as they may never run; so does what would keep more bytes alive than it
// reads, unless these are few. What reads such a value besides others of its size (a matrix times a
// scalar) is computed before the loop from a copy of it. Equivalent: XLA's
// WhileLoopInvariantCodeMotion.
#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// A loop that runs often spends more time on a step than on reading so much from the cache.
constexpr std::int64_t kFewBytes = 4 << 10;

// A fill stays: loops of the tile have it in a register.
bool is_small(const Instruction& instruction) {
  return !std::holds_alternative<Fill>(instruction.work) &&
         std::ranges::all_of(instruction.outputs,
                             [](const Operand& out) { return out.type.bytes() <= kFewBytes; });
}

class Hoister {
 public:
  explicit Hoister(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    Code hoisted;
    hoisted.reserve(code.size());
    for (Instruction& instruction : code) {
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      if (auto* loop = std::get_if<While>(&instruction.work)) {
        auto changing = written_by(instruction);
        // The condition runs before the body.
        // What leaves the condition is fixed for the body.
        spreads_.clear();
        for (Code* const list : {&loop->condition, &loop->body}) lift(*list, changing, hoisted);
      }
      hoisted.push_back(std::move(instruction));
    }
    code = std::move(hoisted);
  }

 private:
  using Changing = std::unordered_set<std::uint32_t>;

  // Moves the invariant instructions of one list to the end of `before`.
  void lift(Code& list, Changing& changing, Code& before) {
    Code left;
    left.reserve(list.size());
    for (Instruction& instruction : list) {
      if (is_invariant(instruction, changing)) {
        for (Operand& input : instruction.inputs) read_copy(input, before);
        // Its results no longer change in the loop, so instructions after it may follow.
        for (const Operand& output : instruction.outputs) changing.erase(output.at.index);
        before.push_back(std::move(instruction));
      } else {
        note_spread(instruction, changing);
        left.push_back(std::move(instruction));
      }
    }
    list = std::move(left);
  }

  bool is_fixed(const Operand& input, const Changing& changing) const {
    return writes_.is_stable(input.at) &&
           (input.at.space != Space::temporary || !changing.contains(input.at.index));
  }
  // An output that is written elsewhere, too, must keep its place among those writes.
  bool writes_values(const Instruction& instruction) const {
    return std::ranges::all_of(instruction.outputs,
                               [&](const Operand& out) { return writes_.is_value(out); });
  }

  bool is_invariant(const Instruction& instruction, const Changing& changing) const {
    if (!is_function_of_inputs(instruction)) return false;
    std::int64_t read = 0, written = 0;
    for (const Operand& input : instruction.inputs) {
      const Instruction* const spread = spread_of(input);
      if (spread == nullptr && !is_fixed(input, changing)) return false;
      for (const Operand& source : spread == nullptr ? std::vector{input} : spread->inputs)
        read += source.type.bytes();
    }
    for (const Operand& output : instruction.outputs) written += output.type.bytes();
    return (written <= read || is_small(instruction)) && writes_values(instruction);
  }

  // Remembers what makes a larger value of fixed ones.
  void note_spread(const Instruction& instruction, const Changing& changing) {
    const bool spreads = std::holds_alternative<Fill>(instruction.work) ||
                         std::holds_alternative<StridedCopy>(instruction.work);
    if (spreads && is_function_of_inputs(instruction) &&
        is_fixed(instruction.inputs[0], changing) &&
        !made_.contains(instruction.outputs[0].at.index) && writes_values(instruction))
      spreads_[instruction.outputs[0].at.index] = {instruction, {}};
  }
  const Instruction* spread_of(const Operand& input) const {
    if (input.at.space != Space::temporary) return nullptr;
    const auto found = spreads_.find(input.at.index);
    return found == spreads_.end() ? nullptr : &found->second.instruction;
  }

  // Lets an instruction before the loop read a copy of a larger value that is made there, too.
  void read_copy(Operand& input, Code& before) {
    if (spread_of(input) == nullptr) return;
    Spread& spread = spreads_.at(input.at.index);
    if (!spread.copy) {
      Instruction made = spread.instruction;
      made.outputs = {new_temporary(draft_, made.outputs[0].type)};
      made_.insert(made.outputs[0].at.index);
      spread.copy = made.outputs[0].at;
      before.push_back(std::move(made));
    }
    input.at.index = spread.copy->index;
  }

  struct Spread {
    Instruction instruction;
    std::optional<Buffer> copy;  // what is made of it before the present loop
  };

  Draft& draft_;
  Writes writes_;
  std::unordered_map<std::uint32_t, Spread> spreads_;  // of the present loop, by what they write
  Changing made_;                                      // copies, which `writes_` does not know
};

}  // namespace

void hoist_invariants(Draft& draft) {
  Hoister(draft).run(draft.code);
  eliminate_dead_code(draft);  // values of which only the copy is read
}

}  // namespace understudy::program::passes
