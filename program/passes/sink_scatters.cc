// SPDX-License-Identifier: Apache-2.0
// Additive scatters into zeros, whose result is added to another array, add their updates to that
// array: gradients of x[i] beside those of other uses of x (cross entropy). The zeros are neither
// written nor read. Every bit stays: floats only where no two windows meet, so that each element is
// still the sum of two numbers; their array adds a 0 first, which makes a -0 a 0, as the zeros did.
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "program/passes/draft.h"
#include "program/passes/element_bytes.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

class ScatterSinker {
 public:
  explicit ScatterSinker(Draft& draft) : draft_(draft), writes_(draft) { note_zeros(draft.code); }

  void run(Code& code) {
    std::map<std::uint32_t, std::size_t> scatters;  // positions of those that may go, by result
    std::vector<bool> marked(code.size(), false);
    std::vector<Code> instead(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
      for_each_nested(code[i], [this](Code& nested) { run(nested); });
      if (may_go(code[i])) scatters[code[i].outputs[0].at.index] = i;
      const auto side = scattered_side(code[i], scatters);
      if (!side) continue;
      const std::size_t scatter = scatters.at(code[i].inputs[*side].at.index);
      if (!may_follow(code, scatter, i)) continue;
      instead[i] = scattered_onto(code[scatter], code[i].inputs[1 - *side], code[i]);
      marked[i] = marked[scatter] = true;
    }
    replace_marked(code, instead, marked);
  }

 private:
  void note_zeros(const Code& code) {
    for (const Instruction& instruction : code) {
      for_each_nested(instruction, [this](const Code& nested) { note_zeros(nested); });
      if (std::holds_alternative<Fill>(instruction.work) && is_zero(instruction.inputs[0]) &&
          writes_.is_value(instruction.outputs[0]))
        zeros_[instruction.outputs[0].at.index] = instruction.inputs[0];
    }
  }
  bool is_zero(const Operand& scalar) const {
    return scalar.at.space == Space::constant &&
           are_zero(std::span(draft_.constants)
                        .subspan(scalar.at.offset, static_cast<std::size_t>(scalar.type.bytes())));
  }

  // An additive scatter into zeros whose result is read once.
  bool may_go(const Instruction& instruction) const {
    const auto* const scatter = std::get_if<Scatter>(&instruction.work);
    if (scatter == nullptr || scatter->reduction != Reduction::sum ||
        instruction.outputs.size() != 1)
      return false;
    const Operand &zeros = instruction.inputs[0], &out = instruction.outputs[0];
    return (scatter->apart || is_integer(out.type.element)) && zeros.at.space == Space::temporary &&
           zeros_.contains(zeros.at.index) && writes_.is_value(out) &&
           writes_.uses(out.at.index) == 2;
  }

  // Whether the instructions of a list between these do not change what the scatter reads.
  static bool may_follow(const Code& code, std::size_t scatter, std::size_t sum) {
    for (std::size_t i = scatter + 1; i < sum; ++i) {
      const auto written = written_by(code[i]);
      for (const std::size_t input : {1, 2}) {
        const Buffer& read = code[scatter].inputs[input].at;
        if (read.space == Space::temporary && written.contains(read.index)) return false;
      }
    }
    return true;
  }

  // The operand of a sum that is the result of such a scatter.
  std::optional<std::size_t> scattered_side(
      const Instruction& instruction, const std::map<std::uint32_t, std::size_t>& scatters) const {
    const auto* const binary = std::get_if<Binary>(&instruction.work);
    if (binary == nullptr || binary->op != BinaryOp::add) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const Operand &x = instruction.inputs[side], &other = instruction.inputs[1 - side];
      if (x.at.space == Space::temporary && scatters.contains(x.at.index) &&
          other.type.elements() == x.type.elements())
        return side;
    }
    return std::nullopt;
  }

  Code scattered_onto(Instruction scatter, const Operand& other, const Instruction& sum) {
    Code code;
    const TensorType& type = scatter.inputs[0].type;
    Operand onto{other.at, type};
    if (!is_integer(type.element)) {
      const Operand zeros = new_temporary(draft_, sum.outputs[0].type);
      onto = new_temporary(draft_, sum.outputs[0].type);
      code.push_back({Fill{}, {zeros_.at(scatter.inputs[0].at.index)}, {zeros}, sum.op});
      code.push_back({Binary{BinaryOp::add}, {zeros, other}, {onto}, sum.op});
      onto.type = type;
    }
    scatter.inputs[0] = onto;
    scatter.outputs[0] = {sum.outputs[0].at, type};
    code.push_back(std::move(scatter));
    return code;
  }

  Draft& draft_;
  const Writes writes_;
  std::map<std::uint32_t, Operand> zeros_;  // what fills temporaries with zeros, by temporary
};

}  // namespace

void sink_scatters(Draft& draft) { ScatterSinker(draft).run(draft.code); }

}  // namespace understudy::program::passes
