// SPDX-License-Identifier: Apache-2.0
#include "program/passes/constants/narrow_sums.h"

#include <unordered_map>

#include "program/passes/element_bytes.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Whether the low bits of a result depend on those of the operands alone.
bool wraps(Reduction reduction) {
  return reduction == Reduction::sum || reduction == Reduction::product ||
         reduction == Reduction::logical_and || reduction == Reduction::logical_or ||
         reduction == Reduction::logical_xor;
}

class Narrower {
 public:
  explicit Narrower(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    Code all;
    std::swap(all, code);
    makers_.clear();
    for (Instruction& instruction : all) {
      if (narrow(instruction, code)) continue;
      note(instruction);
      code.push_back(std::move(instruction));
    }
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
  }

 private:
  // Remembers conversions, and reductions of one operand.
  void note(const Instruction& instruction) {
    const auto* const reduce = std::get_if<Reduce>(&instruction.work);
    const bool is_known = reduce != nullptr && wraps(reduce->reduction) &&
                          instruction.inputs.size() == 2 && instruction.outputs.size() == 1;
    if (!is_known && !std::holds_alternative<Convert>(instruction.work)) return;
    const Operand& out = instruction.outputs[0];
    if (out.at.space == Space::temporary && out.at.offset == 0 && writes_.is_value(out))
      makers_.insert_or_assign(out.at.index, instruction);
  }

  // The instruction of a kind that made all of an operand.
  template <class Kind>
  const Instruction* maker(const Operand& operand) const {
    if (operand.at.space != Space::temporary || operand.at.offset != 0) return nullptr;
    const auto found = makers_.find(operand.at.index);
    if (found == makers_.end() || !std::holds_alternative<Kind>(found->second.work)) return nullptr;
    const TensorType& made = found->second.outputs[0].type;
    const bool is_all =
        made.elements() == operand.type.elements() && made.element == operand.type.element;
    return is_all ? &found->second : nullptr;
  }

  bool narrow(const Instruction& instruction, Code& code) {
    if (!std::holds_alternative<Convert>(instruction.work)) return false;
    const Operand& out = instruction.outputs[0];
    const Instruction* const reduce = maker<Reduce>(instruction.inputs[0]);
    if (reduce == nullptr || writes_.uses(instruction.inputs[0].at.index) != 2 ||
        reduce->inputs[0].type.element != reduce->outputs[0].type.element ||
        !writes_.is_stable(reduce->inputs[1].at))
      return false;
    const Operand& wide = reduce->inputs[0];
    const Instruction* const widening = maker<Convert>(wide);
    if (widening == nullptr || !writes_.is_stable(widening->inputs[0].at)) return false;
    const ElementType narrow = out.type.element;
    if (widening->inputs[0].type.element != narrow || !is_whole_integer(narrow) ||
        !is_whole_integer(wide.type.element) || bit_width(narrow) >= bit_width(wide.type.element))
      return false;
    const Operand init = new_temporary(draft_, {narrow, {}});
    code.push_back({Convert{}, {reduce->inputs[1]}, {init}, instruction.op});
    const Operand from{widening->inputs[0].at, {narrow, wide.type.shape}};
    const Operand to{out.at, {narrow, reduce->outputs[0].type.shape}};
    code.push_back({reduce->work, {from, init}, {to}, reduce->op});
    return true;
  }

  Draft& draft_;
  const Writes writes_;                                    // of the draft before
  std::unordered_map<std::uint32_t, Instruction> makers_;  // of the present list
};

}  // namespace

void narrow_sums(Draft& draft) { Narrower(draft).run(draft.code); }

}  // namespace understudy::program::passes
