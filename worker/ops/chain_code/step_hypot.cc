// SPDX-License-Identifier: Apache-2.0
// Lengths of pairs of f32, as quick_modulus() of program/kernels/complex_lanes.inl.h computes them.
// Where that does not hold the iteration is left for one that calls the kernel.
#include <bit>

#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {

std::optional<ValueId> StepCode::hypot(ValueId re, ValueId im) {
  if (!body_.can_require()) return std::nullopt;
  constexpr std::uint32_t kHalf = 0x3f000000U;
  constexpr std::uint32_t kLeast = 87U << 23, kMost = 187U << 23;  // 2^-40 and 2^60
  const float doubt = body_.is_wide() ? 0x1p-43F : 0x1p-41F;
  const auto number = [&](float x) { return body_.known(std::bit_cast<std::uint32_t>(x)); };
  const auto words = [&](BinaryOp op, ValueId x, ValueId y) {
    return *binary(op, ElementType::ui32, x, y);
  };
  const auto floats = [&](BinaryOp op, ValueId x, ValueId y) {
    return *binary(op, ElementType::f32, x, y);
  };
  const auto product = [&](ValueId x, ValueId y) { return floats(BinaryOp::multiply, x, y); };
  const auto sum_of = [&](ValueId x, ValueId y) { return floats(BinaryOp::add, x, y); };
  const auto difference = [&](ValueId x, ValueId y) { return floats(BinaryOp::subtract, x, y); };
  const ValueId x = bitwise_and(re, ~kSign), y = bitwise_and(im, ~kSign);
  const ValueId a = words(BinaryOp::maximum, x, y), b = words(BinaryOp::minimum, x, y);
  // a^2 + b^2 = sum + rest.
  const ValueId aa = product(a, a), bb = product(b, b), sum = sum_of(aa, bb);
  const ValueId lost_in_squares =
      sum_of(body_.make_fused_difference(a, a, aa), body_.make_fused_difference(b, b, bb));
  const ValueId rest = difference(difference(bb, difference(sum, aa)), lost_in_squares);
  const ValueId half = body_.known(kHalf);
  const ValueId inverse = body_.make(pick(Inst::kIdVrsqrtps, Inst::kIdVrsqrt14ps), {sum});
  const ValueId g0 = product(sum, inverse), h0 = product(inverse, half);
  const ValueId near = body_.make_fused_difference(h0, g0, half);
  const ValueId g = body_.make_fused(g0, near, g0), h = body_.make_fused(h0, near, h0);
  const ValueId lost = product(sum_of(body_.make_fused_difference(g, g, sum), rest), h);
  const ValueId size = sum_of(g, body_.make_fused(g, number(doubt), lost));
  const ValueId other = sum_of(g, body_.make_fused(g, number(-doubt), lost));
  const ValueId above = words(BinaryOp::subtract, a, body_.known(kLeast));
  const ValueId inside =
      compare(Direction::lt, ElementType::ui32, above, body_.known(kMost - kLeast));
  const ValueId sure = compare(Direction::eq, ElementType::f32, size, other);
  body_.require(*binary_of_masks(BinaryOp::logical_and, inside, sure));
  return size;
}

}  // namespace understudy::worker::ops::chain_code
