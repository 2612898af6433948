// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/narrow_steps.h"

#include <algorithm>
#include <variant>

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::ElementType;
using program::UnaryOp;

bool is_narrow(ElementType type) {
  return type == ElementType::pred || type == ElementType::i8 || type == ElementType::ui8 ||
         type == ElementType::i16 || type == ElementType::ui16;
}

bool has_code(const program::Unary& work, ElementType type) {
  switch (work.op) {
    case UnaryOp::logical_not:
      return true;
    case UnaryOp::negate:
    case UnaryOp::square:
    case UnaryOp::abs:
    case UnaryOp::sign:
    case UnaryOp::popcnt:
    case UnaryOp::count_leading_zeros:
      return type != ElementType::pred;
    default:
      return false;
  }
}

bool has_code(const program::Binary& work, ElementType type, bool has_known_second) {
  switch (work.op) {
    case BinaryOp::logical_and:
    case BinaryOp::logical_or:
    case BinaryOp::logical_xor:
      return true;
    case BinaryOp::add:
    case BinaryOp::subtract:
    case BinaryOp::multiply:
    case BinaryOp::maximum:
    case BinaryOp::minimum:
      return type != ElementType::pred;
    case BinaryOp::shift_left:
    case BinaryOp::shift_right_logical:
    case BinaryOp::shift_right_arithmetic:
      return type != ElementType::pred && has_known_second;
    default:
      return false;
  }
}

bool has_code(const program::Instruction& instruction, bool has_known_second) {
  const ElementType type = instruction.inputs[0].type.element;
  if (const auto* const unary = std::get_if<program::Unary>(&instruction.work))
    return has_code(*unary, type);
  if (const auto* const binary = std::get_if<program::Binary>(&instruction.work))
    return has_code(*binary, type, has_known_second);
  return std::holds_alternative<program::Compare>(instruction.work) ||
         std::holds_alternative<program::Select>(instruction.work) ||
         std::holds_alternative<program::Convert>(instruction.work);
}

}  // namespace

std::size_t narrow_lane_bytes(const program::Instruction& instruction, bool has_known_second) {
  std::size_t bytes = 0;
  for (const auto* const operands : {&instruction.inputs, &instruction.outputs})
    for (const program::Operand& operand : *operands) {
      if (!is_narrow(operand.type.element)) return 0;
      bytes = std::max(bytes, static_cast<std::size_t>(byte_size(operand.type.element)));
    }
  return has_code(instruction, has_known_second) ? bytes : 0;
}

}  // namespace understudy::worker::ops
