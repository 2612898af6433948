// SPDX-License-Identifier: Apache-2.0
// Gives each element-wise user of a filled constant a fill of its own, right before it. Programs
// name a constant once and use it in many places; kept as one buffer it would be read from HBM by
// every loop, and would keep distant users apart from it. Inside a loop the fill is one step that
// runs once. The originals that nothing reads any more are removed.
#include <unordered_map>

#include "program/passes/fusion/groups.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

class Sinker {
 public:
  explicit Sinker(Draft& draft) : draft_(draft) {
    for (const Instruction& instruction : draft.code)
      visit_operands(instruction, [&](const Operand& operand, Access access) {
        if (operand.at.space != Space::temporary) return;
        ++uses_[operand.at.index];
        if (access == Access::write) ++writes_[operand.at.index];
      });
  }

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    // Of this list only: a fill outside a loop is not copied into it.
    std::unordered_map<std::uint32_t, std::size_t> fills;  // temporary -> position
    for (std::size_t i = 0; i < code.size(); ++i)
      if (const auto filled = filled_by(code[i])) fills.emplace(*filled, i);
    if (!fills.empty()) sink(code, fills);
  }

 private:
  // The temporary that a fill of a constant writes whole, and nothing else writes.
  std::optional<std::uint32_t> filled_by(const Instruction& instruction) const {
    if (!std::holds_alternative<Fill>(instruction.work)) return std::nullopt;
    const Operand& out = instruction.outputs[0];
    if (instruction.inputs[0].at.space != Space::constant || out.at.space != Space::temporary ||
        out.at.offset != 0 ||
        draft_.bytes[out.at.index] != static_cast<std::uint64_t>(out.type.bytes()) ||
        writes_.at(out.at.index) != 1)
      return std::nullopt;
    return out.at.index;
  }

  void sink(Code& code, const std::unordered_map<std::uint32_t, std::size_t>& fills) {
    Code sunk;
    sunk.reserve(code.size());
    std::vector<std::size_t> place_of(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
      // Only loops of element-wise work gain from a fill of their own.
      if (loop_space_of(code[i]))
        for (Operand& input : code[i].inputs) replace(input, fills, sunk, place_of);
      place_of[i] = sunk.size();
      sunk.push_back(std::move(code[i]));
    }
    // One use is left, the fill itself: nothing reads it.
    std::erase_if(sunk, [&](const Instruction& instruction) {
      const auto filled = filled_by(instruction);
      return filled && uses_[*filled] == 1;
    });
    code = std::move(sunk);
  }

  void replace(Operand& input, const std::unordered_map<std::uint32_t, std::size_t>& fills,
               Code& sunk, const std::vector<std::size_t>& place_of) {
    if (input.at.space != Space::temporary) return;
    const auto found = fills.find(input.at.index);
    if (found == fills.end()) return;
    Instruction fill = sunk[place_of[found->second]];
    Operand& out = fill.outputs[0];
    // A part of the buffer, or another shape of it, is not replaced.
    if (input.at.offset != 0 || input.type.elements() != out.type.elements()) return;
    --uses_[input.at.index];
    out.at.index = static_cast<std::uint32_t>(draft_.bytes.size());
    input.at = out.at;
    draft_.bytes.push_back(static_cast<std::uint64_t>(out.type.bytes()));
    // The fill that writes it and the user that reads it.
    uses_[out.at.index] = 2;
    writes_[out.at.index] = 1;
    sunk.push_back(std::move(fill));
  }

  Draft& draft_;
  std::unordered_map<std::uint32_t, std::size_t> uses_, writes_;
};

}  // namespace

void sink_constants(Draft& draft) { Sinker(draft).run(draft.code); }

}  // namespace understudy::program::passes
