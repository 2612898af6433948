// SPDX-License-Identifier: Apache-2.0
// Common subexpressions: an instruction that computes what an earlier one in the same list, or in a
// list around it, has computed from the same values is removed, and its users read the earlier
// result. Differentiated programs repeat parts of the forward computation. Equivalent: XLA's
// HloCSE.
#include <algorithm>
#include <unordered_map>
#include <vector>

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
  explicit Merger(const Draft& draft) : writes_(draft) {}

  void run(Code& code) {
    std::vector<std::size_t> added;
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
      if (!may_merge(code[i])) continue;
      const std::size_t key = key_of(code[i]);
      if (const Instruction* const equal = find(key, code[i], list, written)) {
        for (std::size_t r = 0; r < code[i].outputs.size(); ++r)
          // Results are renamed, not copied: users read the earlier buffer.
          renamed_[code[i].outputs[r].at.index] = equal->outputs[r].at.index;
        gone[i] = true;
      } else {
        known_[key].push_back({&code[i], list, i, reads_stable(code[i])});
        added.push_back(key);
      }
    }
    // What a nested list has computed is not known behind it.
    for (const std::size_t key : added) known_[key].pop_back();
    remove_marked(code, gone);
    list_ = around;
  }

 private:
  template <class Named>  // an instruction or an operand
  void rename(Named& named) const {
    rename_temporaries(named, renamed_,
                       [](Buffer& at, std::uint32_t earlier) { at.index = earlier; });
  }

  // What only repeats its operands stays next to its users: one array for all of them would live
  // longer, and loops of the tile make it for free.
  bool may_merge(const Instruction& instruction) const {
    if (!may_move(instruction)) return false;
    for (const Operand& input : instruction.inputs)
      if (!writes_.is_stable(input.at) && input.at.space != Space::temporary) return false;
    for (const Operand& output : instruction.outputs)
      if (!writes_.is_value(output)) return false;
    return true;
  }

  static std::size_t key_of(const Instruction& instruction) {
    std::size_t key = instruction.work.index();
    for (const Operand& input : instruction.inputs)
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

  struct Known {
    const Instruction* instruction;
    std::size_t list, position;
    bool reads_stable;
  };
  // Values that are written more than once, as those that a loop carries: they are the same where
  // nothing in between writes them.
  static bool sees_the_same(const Known& earlier, std::size_t list, const LastWrites& written) {
    if (earlier.reads_stable) return true;
    return earlier.list == list &&
           std::ranges::all_of(earlier.instruction->inputs, [&](const Operand& in) {
             const auto last = written.find(in.at.index);
             return in.at.space != Space::temporary || last == written.end() ||
                    last->second < earlier.position;
           });
  }

  const Instruction* find(std::size_t key, const Instruction& instruction, std::size_t list,
                          const LastWrites& written) const {
    const auto found = known_.find(key);
    if (found == known_.end()) return nullptr;
    for (const Known& known : found->second) {
      const Instruction* const earlier = known.instruction;
      if (!sees_the_same(known, list, written) || earlier->inputs != instruction.inputs ||
          earlier->outputs.size() != instruction.outputs.size() ||
          !computes_the_same(*earlier, instruction))
        continue;
      bool same = true;
      for (std::size_t r = 0; r < instruction.outputs.size(); ++r)
        same = same && earlier->outputs[r].type == instruction.outputs[r].type;
      if (same) return earlier;
    }
    return nullptr;
  }

  Writes writes_;
  std::unordered_map<std::size_t, std::vector<Known>> known_;
  std::size_t list_ = 0, lists_ = 0;  // the present list of instructions, and how many there were
  std::unordered_map<std::uint32_t, std::uint32_t> renamed_;
};

}  // namespace

void merge_common_subexpressions(Draft& draft) { Merger(draft).run(draft.code); }

}  // namespace understudy::program::passes
