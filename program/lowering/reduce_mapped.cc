// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/reduce_mapped.h"

#include <algorithm>
#include <utility>

namespace understudy::program::passes {

namespace {

// Work whose operands and result have one shape, or a fill.
bool is_element_wise(const Work& work) {
  return std::holds_alternative<Unary>(work) || std::holds_alternative<Binary>(work) ||
         std::holds_alternative<Compare>(work) || std::holds_alternative<Select>(work) ||
         std::holds_alternative<Convert>(work) || std::holds_alternative<ReducePrecision>(work) ||
         std::holds_alternative<Fill>(work);
}

// f(f(x)) == f(x), to the bit.
bool is_idempotent(UnaryOp op) {
  static constexpr UnaryOp kOps[] = {UnaryOp::abs,
                                     UnaryOp::ceil,
                                     UnaryOp::floor,
                                     UnaryOp::round_nearest_afz,
                                     UnaryOp::round_nearest_even,
                                     UnaryOp::sign};
  return std::ranges::find(kOps, op) != std::end(kOps);
}

// Which parameters a place of the frame depends on.
constexpr unsigned kSoFar = 1, kElement = 2;

class MappedBody {
 public:
  explicit MappedBody(const Body& body) : body_(body) {
    slots_ = {{body.parameters[0], kSoFar}, {body.parameters[1], kElement}};
  }

  // Whether the body is g(a, f(b)) or g(f(a), f(b)).
  bool read() {
    if (body_.code.empty()) return false;
    for (std::size_t i = 0; i + 1 < body_.code.size(); ++i)
      if (!note(body_.code[i])) return false;
    const Instruction& last = body_.code.back();
    const auto* const binary = std::get_if<Binary>(&last.work);
    if (binary == nullptr || last.outputs[0] != body_.results[0]) return false;
    combine_ = binary->op;
    // All known reductions commute.
    so_far_ = last.inputs[0], element_ = last.inputs[1];
    if (depends_on(so_far_) == kElement) std::swap(so_far_, element_);
    if (depends_on(so_far_) != kSoFar || depends_on(element_) != kElement) return false;
    return so_far_ == body_.parameters[0] || maps_both_alike();
  }

  BinaryOp combine() const { return combine_; }
  ElementType element() const { return element_.type.element; }
  bool maps_initial_value() const { return so_far_ != body_.parameters[0]; }

  // The work that leads to f(b), on an array of them.
  Operand map(Lowering& lowering, const Operand& x) const {
    using Value = std::pair<Operand, Operand>;  // of the frame, of the array
    std::vector<Value> values{{body_.parameters[1], x}};
    for (const Instruction& instruction : body_.code) {
      const Operand& slot = instruction.outputs[0];
      if (&instruction == &body_.code.back() || (depends_on(slot) & kSoFar) != 0) continue;
      Parts inputs = instruction.inputs;
      for (Operand& input : inputs) {
        const auto found = std::ranges::find(values, input, &Value::first);
        if (found != values.end()) input = found->second;
      }
      values.emplace_back(slot, lowering.emit(instruction.work, std::move(inputs),
                                              TensorType{slot.type.element, x.type.shape}));
    }
    return std::ranges::find(values, element_, &Value::first)->second;
  }

 private:
  // The parameters that an operand depends on; 0 of what is not in the frame.
  unsigned depends_on(const Operand& operand) const {
    for (const auto& [slot, parameters] : slots_)
      if (slot == operand) return parameters;
    return 0;
  }

  // False for work that cannot be done on arrays.
  bool note(const Instruction& instruction) {
    if (!is_element_wise(instruction.work) || instruction.outputs.size() != 1) return false;
    unsigned parameters = 0;
    for (const Operand& input : instruction.inputs) {
      const unsigned of_input = depends_on(input);
      if (of_input == 0 && input.at.space == Space::frame && !is_filled(input)) return false;
      parameters |= of_input;
    }
    if (parameters == (kSoFar | kElement)) return false;
    if (parameters == 0 && !std::holds_alternative<Fill>(instruction.work)) return false;
    const Operand& out = instruction.outputs[0];
    // Each place is one value.
    if (depends_on(out) != 0 || is_filled(out)) return false;
    if (parameters == 0) {
      filled_.push_back(out);
    } else {
      slots_.emplace_back(out, parameters);
    }
    return true;
  }
  bool is_filled(const Operand& operand) const {
    return std::ranges::find(filled_, operand) != filled_.end();
  }

  // Whether both sides are one function that may be applied again, of a parameter.
  bool maps_both_alike() const {
    if (combine_ != BinaryOp::maximum && combine_ != BinaryOp::minimum) return false;
    const auto op_of = [this](const Operand& result, const Operand& parameter) {
      for (const Instruction& instruction : body_.code) {
        const auto* const unary = std::get_if<Unary>(&instruction.work);
        if (unary != nullptr && instruction.outputs[0] == result &&
            instruction.inputs[0] == parameter && result.type == parameter.type)
          return std::optional(unary->op);
      }
      return std::optional<UnaryOp>();
    };
    const auto left = op_of(so_far_, body_.parameters[0]);
    const auto right = op_of(element_, body_.parameters[1]);
    return left && left == right && is_idempotent(*left);
  }

  const Body& body_;
  std::vector<std::pair<Operand, unsigned>> slots_;
  std::vector<Operand> filled_;  // lanes of constants
  Operand so_far_, element_;
  BinaryOp combine_ = BinaryOp::add;
};

}  // namespace

void map_before_reduction(Lowering& lowering, Reduce& work, Parts& inputs) {
  const Body& body = work.body;
  if (work.reduction != Reduction::none || inputs.size() != 2 || body.parameters.size() != 2 ||
      !body.lanewise || lowering.in_body() || inputs[0].type.elements() == 0)
    return;
  MappedBody mapped(body);
  if (!mapped.read()) return;
  Body combine = lowering.binary_body(mapped.combine(), mapped.element());
  const Reduction reduction = recognise(combine);
  if (reduction == Reduction::none || combine.results[0].type != body.results[0].type) return;
  Parts now{mapped.map(lowering, inputs[0]), inputs[1]};
  if (mapped.maps_initial_value()) now[1] = mapped.map(lowering, inputs[1]);
  inputs = std::move(now);
  work.body = std::move(combine);
  work.reduction = reduction;
}

}  // namespace understudy::program::passes
