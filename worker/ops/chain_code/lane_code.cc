// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/lane_code.h"

#include "program/kernels/f32_math.inl.h"
#include "worker/ops/chain_code/lane_values.h"

namespace understudy::worker::ops::chain_code {

namespace kernels = program::kernels;

// One instruction of AVX-512 rounds once as well.
inline LaneFloats scaled(const LaneFloats& y, const LaneFloats& shifted) {
  StepCode& code = *y.code();
  if (const auto made = code.scaled(y.in(code), (shifted - kernels::kShift32).in(code)))
    return {code, *made};
  return kernels::scaled<LaneFloats>(y, shifted);
}

std::optional<ValueId> lane_function(StepCode& code, UnaryOp op, ValueId id) {
  const LaneFloats x(code, id);
  const auto made = [&](const LaneFloats& y) { return std::optional(y.in(code)); };
  // Logarithms are left to kernels: without a branch, what only borders need takes too long.
  switch (op) {
    case UnaryOp::exponential:
      return made(kernels::exp_f32(x));
    case UnaryOp::exponential_minus_one:
      return made(kernels::expm1_f32(x));
    case UnaryOp::logistic:
      return made(kernels::logistic_f32(x));
    case UnaryOp::tanh:
      return made(kernels::tanh_f32(x));
    case UnaryOp::erf:
      return made(kernels::erf_f32(x));
    case UnaryOp::erf_inv:
      return made(kernels::erf_inv_f32(x));
    default:
      return std::nullopt;
  }
}

}  // namespace understudy::worker::ops::chain_code
