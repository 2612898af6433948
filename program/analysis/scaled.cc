// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/scaled.h"

#include "program/kernels/kernels.h"

namespace understudy::program::analysis {
namespace {

// Bounds walks through chains of moves and constant factors, which in real programs are short.
constexpr int kMostSteps = 1000;

// Work that moves or copies elements without changing their values. A conversion may round, which
// does not matter for recognising a factor.
bool moves(const Work& work) {
  return std::holds_alternative<StridedCopy>(work) || std::holds_alternative<Fill>(work) ||
         std::holds_alternative<Convert>(work) || std::holds_alternative<HostMove>(work);
}

std::optional<double> constant_at(const passes::Draft& draft, const Operand& operand) {
  if (operand.type.elements() != 1 || is_complex(operand.type.element)) return std::nullopt;
  // Any numeric type, by the same kernel that a run would use.
  const auto convert = kernels::select("").convert(operand.type.element, ElementType::f64);
  if (convert == nullptr) return std::nullopt;
  double value = 0;
  convert(draft.constants.data() + operand.at.offset, &value, 1);
  return value;
}

// The single number that an operand holds in every element, if it is known: follows moves and fills
// back to a constant.
std::optional<double> constant(const passes::Draft& draft, const Operand& first, NodePointer node) {
  const Operand* operand = &first;
  // Constants first: an operand may be one without any node of its own.
  for (int step = 0; step < kMostSteps; ++step) {
    if (operand->at.space == Space::constant) return constant_at(draft, *operand);
    if (node->kind != Node::Kind::made || !moves(node->instruction->work)) return std::nullopt;
    operand = &node->instruction->inputs[0];
    node = node->inputs[0];
  }
  return std::nullopt;
}

}  // namespace

std::optional<LinearStep> linear_step(const passes::Draft& draft, const Node& node) {
  if (node.kind != Node::Kind::made) return std::nullopt;
  const Instruction& instruction = *node.instruction;
  if (moves(instruction.work)) return LinearStep{0, 1};
  const auto* unary = std::get_if<Unary>(&instruction.work);
  // A negation is a factor of -1; scaled() drops the sign.
  if (unary != nullptr && unary->op == UnaryOp::negate) return LinearStep{0, -1};
  const auto* binary = std::get_if<Binary>(&instruction.work);
  if (binary == nullptr || node.inputs.size() != 2) return std::nullopt;
  // Only the divisor can be a factor: c / x is not linear in x.
  if (binary->op == BinaryOp::divide)
    if (const auto by = constant(draft, instruction.inputs[1], node.inputs[1]); by && *by != 0)
      return LinearStep{0, 1 / *by};
  if (binary->op == BinaryOp::multiply)
    for (const std::size_t side : {0U, 1U})
      if (const auto by = constant(draft, instruction.inputs[side], node.inputs[side]))
        // The other side is the value.
        return LinearStep{1 - side, *by};
  return std::nullopt;
}

Scaled scaled(const passes::Draft& draft, NodePointer node) {
  Scaled all{node, 1};
  for (int step = 0; step < kMostSteps; ++step) {
    const auto next = linear_step(draft, *all.core);
    if (!next) break;
    all.factor *= next->factor;
    all.core = all.core->inputs[next->input];
  }
  if (all.factor < 0) all.factor = -all.factor;  // a negated sum is a sum
  return all;
}

// Recognises a pad: lowering fills a buffer with the padding value and then writes the data into a
// part of it, which shows as a join of a Fill that does not depend on the process and a value that
// does. Element-wise operations in between are passed through, unless two inputs differ between
// processes: the other one may be a mask.
bool is_padded(NodePointer node) {
  for (int step = 0; step < kMostSteps; ++step) {
    if (node->kind == Node::Kind::joined && node->inputs.size() == 2) {
      const bool filled = !node->inputs[0]->touched && node->inputs[0]->instruction != nullptr &&
                          // Not touched: the padding is the same on every process.
                          std::holds_alternative<Fill>(node->inputs[0]->instruction->work);
      return filled && node->inputs[1]->touched;
    }
    if (node->kind != Node::Kind::made) return false;
    const Work& work = node->instruction->work;
    const bool passes = moves(work) || std::holds_alternative<Unary>(work);
    if (!passes && !std::holds_alternative<Binary>(work)) return false;
    NodePointer next = nullptr;
    for (const NodePointer input : node->inputs) {
      if (!input->touched) continue;
      if (next != nullptr && next != input) return false;  // perhaps a mask
      next = input;
    }
    if (next == nullptr) return false;
    node = next;
  }
  return false;
}

}  // namespace understudy::program::analysis
