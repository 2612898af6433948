// SPDX-License-Identifier: Apache-2.0
// Operands of dots that a loop does not change, and that each dot would round to bf16, are rounded
// once, before the loop: the weights of a recurrent network. The products are the same, as rounding
// does not depend on the dot. Equivalent: the convert that XLA moves out of a loop.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Larger ones would raise the peak of HBM for what is small beside their products.
constexpr std::int64_t kMostRoundedBytes = 4 << 20;

class Rounder {
 public:
  explicit Rounder(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    Code all;
    all.reserve(code.size());
    for (Instruction& instruction : code) {
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      if (auto* loop = std::get_if<While>(&instruction.work)) {
        const auto changing = written_by(instruction);
        lift_conversions(loop->body, changing, all);
        Rounded rounded;
        for (Code* const list : {&loop->condition, &loop->body})
          for (Instruction& inner : *list)
            if (is_rounding(inner))
              for (Operand& operand : inner.inputs)
                if (is_fixed(operand, changing)) replace(operand, inner.op, rounded, all);
      }
      all.push_back(std::move(instruction));
    }
    code = std::move(all);
  }

 private:
  // What was rounded before the present loop.
  using Rounded = std::unordered_map<Buffer, Operand, BufferHash>;

  // What was rounded before a loop in this one, out of this one as well.
  void lift_conversions(Code& body, const std::unordered_set<std::uint32_t>& changing,
                        Code& before) const {
    std::vector<bool> gone(body.size(), false);
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (!std::holds_alternative<Convert>(body[i].work) ||
          body[i].outputs[0].at.space != Space::temporary ||
          !made_.contains(body[i].outputs[0].at.index) || !is_fixed(body[i].inputs[0], changing))
        continue;
      before.push_back(std::move(body[i]));
      gone[i] = true;
    }
    remove_marked(body, gone);
  }

  bool is_rounding(const Instruction& instruction) const {
    const auto* dot = std::get_if<Dot>(&instruction.work);
    return dot != nullptr && dot->lhs_precision == Precision::standard &&
           dot->rhs_precision == Precision::standard &&
           std::ranges::all_of(instruction.inputs, [](const Operand& operand) {
             return operand.type.element == ElementType::f32 ||
                    operand.type.element == ElementType::bf16;
           });
  }

  bool is_fixed(const Operand& operand, const std::unordered_set<std::uint32_t>& changing) const {
    return operand.type.element == ElementType::f32 && operand.type.bytes() <= kMostRoundedBytes &&
           operand.type.elements() > 0 && writes_.is_stable(operand.at) &&
           (operand.at.space != Space::temporary || !changing.contains(operand.at.index));
  }

  void replace(Operand& operand, std::uint32_t op, Rounded& rounded, Code& before) {
    const auto found = rounded.find(operand.at);
    if (found != rounded.end() && found->second.type.shape == operand.type.shape) {
      operand = found->second;
      return;
    }
    const TensorType type{ElementType::bf16, operand.type.shape};
    const Operand narrow = new_temporary(draft_, type);
    before.push_back({Convert{}, {operand}, {narrow}, op});
    made_.insert(narrow.at.index);
    rounded[operand.at] = narrow;
    operand = narrow;
  }

  Draft& draft_;
  Writes writes_;
  std::unordered_set<std::uint32_t> made_;  // rounded operands
};

}  // namespace

void round_invariants(Draft& draft) {
  if (draft.numerics == Numerics::tpu) Rounder(draft).run(draft.code);
}

}  // namespace understudy::program::passes
