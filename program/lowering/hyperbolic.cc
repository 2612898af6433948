// SPDX-License-Identifier: Apache-2.0
// cosh and sinh of floats, by the exponentials that StableHLO and XLA expand them to. Each step
// rounds, so results agree with theirs to the last bit even where they are far from correctly
// rounded. Complex numbers have a kernel.
#include <cmath>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

namespace {

// exp(x + log(1/2)) + sign * exp(log(1/2) - x). Halving inside the exponent keeps it finite up to
// the largest x whose cosh is finite.
Operand of_exponentials(Lowering& lowering, BinaryOp combine, const Operand& x) {
  const Operand half = lowering.splat(x.type, std::log(0.5));
  const Operand rising =
      lowering.unary(UnaryOp::exponential, lowering.binary(BinaryOp::add, x, half));
  const Operand falling =
      lowering.unary(UnaryOp::exponential, lowering.binary(BinaryOp::subtract, half, x));
  return lowering.binary(combine, rising, falling);
}

// For |x| < 1: (e + e / (e + 1)) / 2 with e = exp(x) - 1. The difference of two exponentials would
// cancel near 0.
Operand small_sine(Lowering& lowering, const Operand& x, const Operand& one) {
  const Operand e = lowering.unary(UnaryOp::exponential_minus_one, x);
  const Operand ratio =
      lowering.binary(BinaryOp::divide, e, lowering.binary(BinaryOp::add, e, one));
  return lowering.binary(BinaryOp::multiply, lowering.splat(x.type, 0.5),
                         lowering.binary(BinaryOp::add, e, ratio));
}

}  // namespace

bool is_expanded(UnaryOp op, ElementType element) {
  return (op == UnaryOp::cosh || op == UnaryOp::sinh) && is_float(element);
}

Operand expanded(Lowering& lowering, UnaryOp op, const Operand& x) {
  // bf16, f16 and f8 compute in f32 and round once.
  const bool narrow = byte_size(x.type.element) < byte_size(ElementType::f32);
  if (narrow) {
    const Operand wide = expanded(lowering, op, lowering.convert(x, ElementType::f32));
    return lowering.convert(wide, x.type.element);
  }
  if (op == UnaryOp::cosh) return of_exponentials(lowering, BinaryOp::add, x);
  const Operand one = lowering.splat(x.type, 1);
  const Operand large = of_exponentials(lowering, BinaryOp::subtract, x);
  const Operand is_small =
      lowering.emit(Compare{Direction::lt}, {lowering.unary(UnaryOp::abs, x), one},
                    TensorType{ElementType::pred, x.type.shape});
  // Both forms run on every element, as a select of lanes has no branches.
  return lowering.emit(Select{}, {is_small, small_sine(lowering, x, one), large}, x.type);
}

}  // namespace understudy::program::passes
