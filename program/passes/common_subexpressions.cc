// SPDX-License-Identifier: Apache-2.0
// Common subexpressions: an instruction that computes what an earlier one in the same list, or in a
// list around it, has computed from the same values is removed, and its users read the earlier
// result. What is cheap to make next to its users is made again for each of them, but counts as
// equal where reductions, products and other work that combines elements read it. Differentiated
// programs repeat parts of the forward computation. Equivalent: XLA's HloCSE.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "program/passes/equal_copies.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Equal but for the operations of the source that the instructions of regions stand for.
bool computes_the_same(const Instruction& a, const Instruction& b) {
  const auto bodies = bodies_of(a), others = bodies_of(b);
  if (bodies.size() != others.size()) return false;
  const bool same_sources = std::ranges::equal(bodies, others, [](const Body* x, const Body* y) {
    return std::ranges::equal(x->code, y->code, {}, &Instruction::op, &Instruction::op);
  });
  if (same_sources) return a.work == b.work;
  Instruction renamed{b.work, {}, {}};
  const auto renamed_bodies = bodies_of(renamed);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i]->code.size() != renamed_bodies[i]->code.size()) return false;
    for (std::size_t k = 0; k < bodies[i]->code.size(); ++k)
      renamed_bodies[i]->code[k].op = bodies[i]->code[k].op;
  }
  return a.work == renamed.work;
}

class Merger {
 public:
  explicit Merger(const Draft& draft) : writes_(draft) { note_readers(draft.code); }

  void run(Code& code) {
    std::vector<std::pair<Known*, std::size_t>> added;
    const std::size_t around = list_;
    const std::size_t list = list_ = ++lists_;
    LastWrites written;
    std::vector<bool> gone(code.size(), false);
    for (std::size_t i = 0; i < code.size(); ++i) {
      // Inputs are renamed before they are compared, so equal values have equal names.
      rename(code[i]);
      for_each_nested(code[i], [this](Code& nested) { run(nested); });
      note_writes(code[i], i, written);
      // The condition, whose instructions may just have been merged with earlier ones, has made it.
      if (auto* loop = std::get_if<While>(&code[i].work)) rename(loop->predicate);
      if (!is_comparable(code[i])) continue;
      // By its operands, then by their values.
      const Seen now{&code[i], code[i].inputs, list, i, reads_stable(code[i])};
      const Instruction* equal = find(made_, now, written);
      const bool has_its_operands = equal != nullptr;
      Seen by_value = now;
      by_value.inputs = values_of(code[i]);
      if (!has_its_operands) equal = find(firsts_, by_value, written);
      if (equal != nullptr && may_move(code[i]) &&
          (has_its_operands || may_merge(*equal, code[i]))) {
        for (std::size_t r = 0; r < code[i].outputs.size(); ++r)
          // Results are renamed, not copied: users read the earlier buffer.
          renamed_[code[i].outputs[r].at.index] = equal->outputs[r].at.index;
        gone[i] = true;
        continue;
      }
      for (std::size_t r = 0; equal != nullptr && r < code[i].outputs.size(); ++r)
        values_[code[i].outputs[r].at.index] = value_of(equal->outputs[r].at.index);
      if (!has_its_operands) remember(made_, now, added);
      if (equal == nullptr) remember(firsts_, std::move(by_value), added);
    }
    // What a nested list has computed is not known behind it.
    for (const auto& [known, key] : added) known->at(key).pop_back();
    remove_marked(code, gone);
    list_ = around;
  }

 private:
  struct Seen {
    const Instruction* instruction;
    std::vector<Operand> inputs;  // as they are, or by their values
    std::size_t list, position;
    bool reads_stable;
  };
  using Known = std::unordered_map<std::size_t, std::vector<Seen>>;

  template <class Named>  // an instruction or an operand
  void rename(Named& named) const {
    rename_temporaries(named, renamed_,
                       [](Buffer& at, std::uint32_t earlier) { at.index = earlier; });
  }

  bool is_comparable(const Instruction& instruction) const {
    if (!is_function_of_inputs(instruction)) return false;
    for (const Operand& input : instruction.inputs)
      if (!writes_.is_stable(input.at) && input.at.space != Space::temporary) return false;
    for (const Operand& output : instruction.outputs)
      if (!writes_.is_value(output)) return false;
    return true;
  }

  // What only repeats its operands stays next to its users, and so does element-wise work on that:
  // one array for all of them would live longer, and loops of the tile make it for free. No loop
  // could make what only dots read.
  bool may_merge(const Instruction& earlier, const Instruction& later) const {
    return !is_lane_by_lane(later.work) || (is_for_dots(earlier) && is_for_dots(later));
  }

  // The temporaries that others than dots read.
  void note_readers(const Code& code) {
    for (const Instruction& instruction : code) {
      for_each_nested(instruction, [this](const Code& nested) { note_readers(nested); });
      if (std::holds_alternative<Dot>(instruction.work)) continue;
      for (const Operand& input : instruction.inputs)
        if (input.at.space == Space::temporary) read_elsewhere_.insert(input.at.index);
    }
  }
  bool is_for_dots(const Instruction& instruction) const {
    return std::ranges::none_of(instruction.outputs, [this](const Operand& out) {
      return read_elsewhere_.contains(out.at.index);
    });
  }

  // The temporary that was the first to have the value of this one.
  std::uint32_t value_of(std::uint32_t temporary) const {
    const auto found = values_.find(temporary);
    return found == values_.end() ? temporary : found->second;
  }
  std::vector<Operand> values_of(const Instruction& instruction) const {
    std::vector<Operand> inputs = instruction.inputs;
    for (Operand& input : inputs)
      if (input.at.space == Space::temporary) input.at.index = value_of(input.at.index);
    return inputs;
  }

  static std::size_t key_of(const Seen& seen) {
    std::size_t key = seen.instruction->work.index();
    for (const Operand& input : seen.inputs)
      // Fibonacci hashing of the buffers; equality is checked in full by find().
      key = key * 0x9e3779b97f4a7c15U ^ BufferHash()(input.at);
    return key;
  }

  bool reads_stable(const Instruction& instruction) const {
    return std::ranges::all_of(instruction.inputs,
                               [&](const Operand& in) { return writes_.is_stable(in.at); });
  }

  // Positions in the present list.
  using LastWrites = std::unordered_map<std::uint32_t, std::size_t>;
  static void note_writes(const Instruction& instruction, std::size_t position,
                          LastWrites& written) {
    for (const std::uint32_t temporary : written_by(instruction)) written[temporary] = position;
  }

  // Values that are written more than once, as those that a loop carries: they are the same where
  // nothing in between writes them.
  static bool sees_the_same(const Seen& earlier, std::size_t list, const LastWrites& written) {
    if (earlier.reads_stable) return true;
    return earlier.list == list &&
           std::ranges::all_of(earlier.instruction->inputs, [&](const Operand& in) {
             const auto last = written.find(in.at.index);
             return in.at.space != Space::temporary || last == written.end() ||
                    last->second < earlier.position;
           });
  }

  // An earlier instruction with the same results.
  static const Instruction* find(const Known& all, const Seen& now, const LastWrites& written) {
    const auto found = all.find(key_of(now));
    if (found == all.end()) return nullptr;
    for (const Seen& seen : found->second) {
      const Instruction &earlier = *seen.instruction, &later = *now.instruction;
      if (sees_the_same(seen, now.list, written) && seen.inputs == now.inputs &&
          std::ranges::equal(earlier.outputs, later.outputs, {}, &Operand::type, &Operand::type) &&
          computes_the_same(earlier, later))
        return &earlier;
    }
    return nullptr;
  }

  static void remember(Known& all, Seen seen, std::vector<std::pair<Known*, std::size_t>>& added) {
    const std::size_t key = key_of(seen);
    all[key].push_back(std::move(seen));
    added.emplace_back(&all, key);
  }

  Writes writes_;
  Known made_, firsts_;               // by operands; by their values, the first of equal ones
  std::size_t list_ = 0, lists_ = 0;  // the present list of instructions, and how many there were
  std::unordered_map<std::uint32_t, std::uint32_t> renamed_;
  std::unordered_map<std::uint32_t, std::uint32_t> values_;  // of those that have one of another
  std::unordered_set<std::uint32_t> read_elsewhere_;
};

}  // namespace

void merge_common_subexpressions(Draft& draft) {
  merge_equal_copies(draft);
  Merger(draft).run(draft.code);
}

}  // namespace understudy::program::passes
