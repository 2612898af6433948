// SPDX-License-Identifier: Apache-2.0
// Forwarding of copies, one list of instructions at a time. Lowering copies what a loop carries to
// a temporary, also values that no iteration changes: weights, tables, the inputs of a scan. A
// temporary that only a copy writes, of a source that nobody overwrites later, is replaced by the
// source: no copy, and no second place in HBM. What remains as a copy is coalesced
// (program/passes/coalesce.cc).
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// Accesses of one temporary. A While lists what it carries as its outputs; only instructions in it
// write them.
struct CopyUses {
  std::size_t operands = 0, writes = 0;
  std::size_t first = SIZE_MAX, last_write = 0;  // positions in the list at hand
};
using CopyUsesByValue = std::unordered_map<std::uint32_t, CopyUses>;

void add_uses(const Instruction& instruction, std::size_t position, CopyUsesByValue& uses) {
  const auto add = [&](const Operand& operand, bool writes) {
    if (operand.at.space != Space::temporary) return;
    CopyUses& of = uses[operand.at.index];
    ++of.operands;
    of.first = std::min(of.first, position);
    if (!writes) return;
    ++of.writes;
    of.last_write = std::max(of.last_write, position);
  };
  // Nested instructions count at the position of the loop that holds them.
  if (const auto* loop = std::get_if<While>(&instruction.work)) {
    add(loop->predicate, false);
    for (const Operand& carried : instruction.outputs) add(carried, false);
    for_each_nested(instruction, [&](const Code& nested) {
      for (const Instruction& inner : nested) add_uses(inner, position, uses);
    });
  } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
    for (const Operand& input : instruction.inputs) add(input, false);
    for (const Operand& output : instruction.outputs) add(output, false);
    for (const Code& nested : branch->branches)
      for (const Instruction& inner : nested) add_uses(inner, position, uses);
  } else {
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      add(operand, access == Access::write);
    });
  }
}

class Forwarder {
 public:
  explicit Forwarder(Draft& draft) : draft_(draft) {
    for (const Instruction& instruction : draft.code) add_uses(instruction, 0, total_);
  }

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    if (std::ranges::any_of(code, is_whole_copy)) forward(code);
  }

 private:
  void forward(Code& code) {
    CopyUsesByValue uses;
    for (std::size_t i = 0; i < code.size(); ++i) add_uses(code[i], i, uses);
    std::unordered_map<std::uint32_t, Buffer> renamed;
    std::vector<bool> gone(code.size(), false);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (!is_whole_copy(code[i])) continue;
      const Buffer from = final_of(renamed, code[i].inputs[0].at);
      // Both conditions are needed: the target has no other writer, and the source keeps its
      // contents.
      if (!owns(code[i], uses, i) || !stays(from, uses, i)) continue;
      renamed[code[i].outputs[0].at.index] = from;
      gone[i] = true;
    }
    if (!renamed.empty()) rewrite(code, renamed, gone);
  }

  // The copy writes a whole temporary, alone, and every use of that stands behind it in this list.
  bool owns(const Instruction& copy, const CopyUsesByValue& uses, std::size_t position) const {
    const Buffer& to = copy.outputs[0].at;
    if (to.space != Space::temporary || to.offset != 0 ||
        draft_.bytes[to.index] != static_cast<std::uint64_t>(copy.outputs[0].type.bytes()))
      return false;
    const CopyUses& here = uses.at(to.index);
    return here.operands == total_.at(to.index).operands && here.writes == 1 &&
           here.first == position;
  }

  // The source keeps its contents while this list runs on: nobody writes arguments and constants,
  // and a temporary has been written for the last time in this list, or is written by one
  // instruction outside of it, which cannot run before the list ends.
  bool stays(const Buffer& from, const CopyUsesByValue& uses, std::size_t position) const {
    if (from.space == Space::argument || from.space == Space::constant) return true;
    if (from.space != Space::temporary) return false;
    const CopyUses& here = uses.at(from.index);  // the copy reads it
    const std::size_t writes = total_.at(from.index).writes;
    return here.writes == 0 ? writes == 1 : here.writes == writes && here.last_write < position;
  }

  static Buffer final_of(const std::unordered_map<std::uint32_t, Buffer>& renamed, Buffer buffer) {
    if (buffer.space != Space::temporary) return buffer;
    const auto found = renamed.find(buffer.index);
    if (found == renamed.end()) return buffer;
    // Sources were followed to their end when they were recorded.
    Buffer source = found->second;
    source.offset += buffer.offset;
    return source;
  }

  // A loop carries a forwarded value no more: its body reads it where it is.
  void stop_carrying(Code& code, const std::unordered_map<std::uint32_t, Buffer>& renamed) {
    for (Instruction& instruction : code) {
      for_each_nested(instruction, [&](Code& nested) { stop_carrying(nested, renamed); });
      if (!std::holds_alternative<While>(instruction.work)) continue;
      std::erase_if(instruction.outputs, [&](const Operand& carried) {
        // A carried operand of the loop is one use less.
        if (carried.at.space != Space::temporary || !renamed.contains(carried.at.index))
          return false;
        --total_.at(carried.at.index).operands;
        return true;
      });
    }
  }

  void rewrite(Code& code, const std::unordered_map<std::uint32_t, Buffer>& renamed,
               const std::vector<bool>& gone) {
    stop_carrying(code, renamed);
    remove_marked(code, gone);
    for (Instruction& instruction : code)
      visit_operands(instruction,
                     [&](Operand& operand, Access) { operand.at = final_of(renamed, operand.at); });
    // Each copy read its source and wrote its target; the other uses are the source's now.
    for (const auto& [to, from] : renamed) {
      // The copy itself was two uses: one of the source, one of the target.
      const std::size_t moved = total_.at(to).operands;
      total_.erase(to);
      if (from.space == Space::temporary) total_.at(from.index).operands += moved - 2;
    }
  }

  Draft& draft_;
  CopyUsesByValue total_;
};

}  // namespace

void forward_copies(Draft& draft) { Forwarder(draft).run(draft.code); }

}  // namespace understudy::program::passes
