// SPDX-License-Identifier: Apache-2.0
// CHLO's broadcast_* operations: numpy-like broadcasting, then the operation of the same name.
#include <fmt/format.h>

#include "program/passes/attributes.h"
#include "program/passes/lowering.h"

namespace understudy::program::passes {

namespace {

constexpr std::pair<std::string_view, BinaryOp> kBinary[] = {
    {"chlo.broadcast_add", BinaryOp::add},
    {"chlo.broadcast_and", BinaryOp::logical_and},
    {"chlo.broadcast_atan2", BinaryOp::atan2},
    {"chlo.broadcast_complex", BinaryOp::complex},
    {"chlo.broadcast_divide", BinaryOp::divide},
    {"chlo.broadcast_maximum", BinaryOp::maximum},
    {"chlo.broadcast_minimum", BinaryOp::minimum},
    {"chlo.broadcast_multiply", BinaryOp::multiply},
    {"chlo.broadcast_next_after", BinaryOp::next_after},
    {"chlo.broadcast_or", BinaryOp::logical_or},
    {"chlo.broadcast_polygamma", BinaryOp::polygamma},
    {"chlo.broadcast_power", BinaryOp::power},
    {"chlo.broadcast_remainder", BinaryOp::remainder},
    {"chlo.broadcast_shift_left", BinaryOp::shift_left},
    {"chlo.broadcast_shift_right_arithmetic", BinaryOp::shift_right_arithmetic},
    {"chlo.broadcast_shift_right_logical", BinaryOp::shift_right_logical},
    {"chlo.broadcast_subtract", BinaryOp::subtract},
    {"chlo.broadcast_xor", BinaryOp::logical_xor},
    {"chlo.broadcast_zeta", BinaryOp::zeta},
};

// Trailing dimensions meet; where the attribute is given, it places those of the smaller operand.
Operand spread(Lowering& lowering, const Operation& op, std::size_t index) {
  const Operand x = lowering.operand(op, index);
  const Shape& result = lowering.result_type(op).shape;
  const TensorType type{x.type.element, result};
  if (x.type.shape == result) return x;
  Shape dimensions;
  const auto lead = static_cast<std::int64_t>(result.size()) - x.type.ndims();
  for (std::int64_t d = 0; d < x.type.ndims(); ++d) dimensions.push_back(lead + d);
  if (lead > 0 && op.find("broadcast_dimensions") != nullptr)
    dimensions = integers_of(op, "broadcast_dimensions");
  return lowering.broadcast(x, dimensions, type);
}

void lower_broadcast_binary(Lowering& lowering, const Operation& op) {
  for (const auto& [name, binary] : kBinary)
    if (name == op.name)
      return lowering.emit_result(op, Binary{binary},
                                  {spread(lowering, op, 0), spread(lowering, op, 1)});
}

// The high half of the product, by way of the type of twice the width.
void lower_mulhi(Lowering& lowering, const Operation& op) {
  const Operand a = lowering.operand(op, 0);
  const ElementType narrow = a.type.element;
  const int bits = bit_width(narrow);
  if (bits > 32)
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: of {}", op.name, text_of(a.type)));
  const bool is_signed = is_signed_integer(narrow);
  const ElementType wide = is_signed ? ElementType::i64 : ElementType::ui64;
  const Operand product = lowering.binary(BinaryOp::multiply, lowering.convert(a, wide),
                                          lowering.convert(lowering.operand(op, 1), wide));
  const Operand high =
      lowering.binary(is_signed ? BinaryOp::shift_right_arithmetic : BinaryOp::shift_right_logical,
                      product, lowering.splat(product.type, bits));
  lowering.bind(*op.results[0], lowering.convert(high, narrow));
}

}  // namespace

void add_broadcasting(LowerTable& table) {
  for (const auto& [name, binary] : kBinary) table.emplace(name, lower_broadcast_binary);
  table.emplace("chlo.mulhi", lower_mulhi);
}

}  // namespace understudy::program::passes
