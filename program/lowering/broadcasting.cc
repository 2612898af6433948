// SPDX-License-Identifier: Apache-2.0
// CHLO's broadcast_* operations: numpy-like broadcasting, then the operation of the same name.
#include <fmt/format.h>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// Rows of element-wise operations whose non-broadcasting form is a single Binary.
constexpr std::pair<std::string_view, BinaryOp> kBroadcastBinary[] = {
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

// numpy's rule: shapes align at their trailing dimensions. broadcast_dimensions, if given, places
// the dimensions of the operand with fewer.
Operand spread(Lowering& lowering, const Operation& op, std::size_t index) {
  // The result type is known by now: refine() has computed it from the shapes of both operands.
  const Operand x = lowering.operand(op, index);
  const Shape& result = lowering.result_type(op).shape;
  const TensorType type{x.type.element, result};
  if (x.type.shape == result) return x;
  Shape dimensions;
  // New dimensions go in front; dimensions of size 1 are spread by broadcast().
  const auto lead = static_cast<std::int64_t>(result.size()) - x.type.ndims();
  for (std::int64_t d = 0; d < x.type.ndims(); ++d) dimensions.push_back(lead + d);
  if (lead > 0 && op.find("broadcast_dimensions") != nullptr)
    dimensions = integers_of(op, "broadcast_dimensions");
  return lowering.broadcast(x, dimensions, type);
}

void lower_broadcast_binary(Lowering& lowering, const Operation& op) {
  for (const auto& [name, binary] : kBroadcastBinary)
    if (name == op.name)
      return lowering.emit_result(op, Binary{binary},
                                  {spread(lowering, op, 0), spread(lowering, op, 1)});
}

void lower_broadcast_compare(Lowering& lowering, const Operation& op) {
  const bool total = word_of(op, "compare_type", "NOTYPE") == "TOTALORDER";
  lowering.emit_result(op, Compare{direction_of(op), total},
                       {spread(lowering, op, 0), spread(lowering, op, 1)});
}

void lower_broadcast_select(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, Select{},
                       {spread(lowering, op, 0), spread(lowering, op, 1), spread(lowering, op, 2)});
}

// One number, in the shape and type of the operand. Integers go through i64 and floats through f64,
// so the value is rounded to its element type once, by the conversion kernel.
void lower_constant_like(Lowering& lowering, const Operation& op) {
  const Attribute* value = op.find("value");
  const TensorType& type = lowering.result_type(op);
  if (value != nullptr && value->get<IntegerAttribute>() != nullptr) {
    const std::int64_t number[] = {value->get<IntegerAttribute>()->value};
    const ElementType whole =
        // An integer attribute may be written for a float tensor; it goes through i64 like any
        // other.
        is_complex(type.element) || is_float(type.element) ? ElementType::i64 : type.element;
    const Operand one = lowering.integers({whole, {}}, number);
    return lowering.bind(*op.results[0], lowering.fill(lowering.convert(one, type.element), type));
  }
  if (value == nullptr || value->get<FloatAttribute>() == nullptr)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: 'value' must be a number", op.name));
  const Operand one = lowering.scalar(ElementType::f64, value->get<FloatAttribute>()->value);
  lowering.bind(*op.results[0], lowering.fill(lowering.convert(one, type.element), type));
}

// The square root term w that asin and acos share, with asin(z) = atan2(re z, re w) + i sign(im z)
// im w. Real x: sqrt((1 - x)(1 + x)), which does not cancel near 1 as 1 - x^2 does. Complex z with
// asin(z) = a + ib: cos(a) cosh(b) + i |b|, computed in double.
void lower_asin_acos_kernel(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const TensorType& type = lowering.result_type(op);
  if (!is_complex(type.element)) {
    const Operand one = lowering.splat(x.type, 1);
    const Operand product =
        lowering.binary(BinaryOp::multiply, lowering.binary(BinaryOp::subtract, one, x),
                        lowering.binary(BinaryOp::add, one, x));
    return lowering.bind(*op.results[0], lowering.unary(UnaryOp::sqrt, product));
  }
  // Twice the precision of c64, so that the result is right after the one rounding at the end.
  const TensorType wide{ElementType::c128, type.shape};
  const TensorType part{ElementType::f64, type.shape};
  const Operand sine = lowering.unary(UnaryOp::asin, lowering.convert(x, wide.element));
  const Operand a = lowering.emit(Unary{UnaryOp::real}, {sine}, part);
  const Operand b = lowering.unary(UnaryOp::abs, lowering.emit(Unary{UnaryOp::imag}, {sine}, part));
  const Operand real = lowering.binary(BinaryOp::multiply, lowering.unary(UnaryOp::cosine, a),
                                       lowering.unary(UnaryOp::cosh, b));
  const Operand both = lowering.emit(Binary{BinaryOp::complex}, {real, b}, wide);
  lowering.bind(*op.results[0], lowering.convert(both, type.element));
}

// The high half of a 64-bit product, from four products of 32-bit halves (Knuth, TAOCP vol. 2,
// 4.3.1, algorithm M with base 2^32). The halves are unsigned. Two's complement reads a negative
// factor as 2^64 larger, which adds the other factor to the high half: it is subtracted again.
Operand wide_mulhi(Lowering& lowering, const Operand& a, const Operand& b) {
  // Signed factors are read as unsigned ones here and corrected at the end.
  constexpr ElementType kWord = ElementType::ui64;
  const TensorType type{kWord, a.type.shape};
  const std::int64_t low_bits[] = {0xFFFFFFFF};
  const Operand mask = lowering.fill(lowering.integers({kWord, {}}, low_bits), type);
  const Operand half = lowering.splat(type, 32);
  const auto apply = [&](BinaryOp op, const Operand& x, const Operand& y) {
    return lowering.binary(op, x, y);
  };
  const auto low = [&](const Operand& x) { return apply(BinaryOp::logical_and, x, mask); };
  const auto high = [&](const Operand& x) { return apply(BinaryOp::shift_right_logical, x, half); };
  const auto times = [&](const Operand& x, const Operand& y) {
    return apply(BinaryOp::multiply, x, y);
  };
  const auto plus = [&](const Operand& x, const Operand& y) { return apply(BinaryOp::add, x, y); };
  // The same bytes under the unsigned type: no conversion.
  const Operand x{a.at, type}, y{b.at, type};
  // The products of halves that reach bit 32; each sum stays below 2^64, so no carry is lost.
  const Operand middle = plus(times(high(x), low(y)), high(times(low(x), low(y))));
  const Operand carried = plus(times(low(x), high(y)), low(middle));
  Operand product = plus(plus(times(high(x), high(y)), high(middle)), high(carried));
  if (a.type.element != ElementType::i64) return product;
  const Operand sign = lowering.splat({ElementType::i64, a.type.shape}, 63);
  const auto where_negative = [&](const Operand& factor, const Operand& other) {
    // All ones where the factor is negative, else zero.
    const Operand all = apply(BinaryOp::shift_right_arithmetic, factor, sign);
    return apply(BinaryOp::logical_and, {all.at, type}, other);
  };
  product = apply(BinaryOp::subtract, product, where_negative(a, y));
  return apply(BinaryOp::subtract, product, where_negative(b, x));
}

// The high half of the product. Up to 32 bits the type of 64 bits holds the whole product.
void lower_mulhi(Lowering& lowering, const Operation& op) {
  const Operand a = lowering.operand(op, 0);
  const ElementType narrow = a.type.element;
  const int bits = bit_width(narrow);
  if (bits > 32) {
    const Operand high = wide_mulhi(lowering, a, lowering.operand(op, 1));
    return lowering.bind(*op.results[0], Operand{high.at, a.type});
  }
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
  for (const auto& [name, binary] : kBroadcastBinary) table.emplace(name, lower_broadcast_binary);
  table.emplace("chlo.broadcast_compare", lower_broadcast_compare);
  table.emplace("chlo.broadcast_select", lower_broadcast_select);
  table.emplace("chlo.constant_like", lower_constant_like);
  table.emplace("chlo._asin_acos_kernel", lower_asin_acos_kernel);
  table.emplace("chlo.mulhi", lower_mulhi);
}

}  // namespace understudy::program::passes
