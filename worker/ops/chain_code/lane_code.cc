// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/lane_code.h"

#include <algorithm>
#include <iterator>

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

namespace {

// What only their borders need takes longer than a kernel.
bool has_no_general_code(UnaryOp op) {
  constexpr UnaryOp kFunctions[] = {UnaryOp::log,    UnaryOp::log_plus_one, UnaryOp::asinh,
                                    UnaryOp::acosh,  UnaryOp::atanh,        UnaryOp::sine,
                                    UnaryOp::cosine, UnaryOp::tan};
  return std::ranges::find(kFunctions, op) != std::end(kFunctions);
}

}  // namespace

bool is_left_at_borders(UnaryOp op) {
  return op == UnaryOp::exponential || op == UnaryOp::logistic || has_no_general_code(op);
}

std::optional<ValueId> lane_function(StepCode& code, UnaryOp op, ValueId id) {
  const LaneFloats x(code, id);
  const auto made = [&](const LaneFloats& y) { return std::optional(y.in(code)); };
  if (has_no_general_code(op) && !code.can_require()) return std::nullopt;
  // Beyond it they are reduced in double.
  const auto require_near = [&] {
    code.require((magnitude_of(x) < LaneFloats(kernels::kReach32)).id);
  };
  switch (op) {
    case UnaryOp::log:
      return made(kernels::log_f32(x));
    case UnaryOp::log_plus_one:
      return made(kernels::log1p_f32(x));
    case UnaryOp::asinh:
      return made(kernels::asinh_f32(x));
    case UnaryOp::acosh:
      return made(kernels::acosh_f32(x));
    case UnaryOp::atanh:
      return made(kernels::atanh_f32(x));
    case UnaryOp::sine:
      require_near();
      return made(kernels::sin_f32(x));
    case UnaryOp::cosine:
      require_near();
      return made(kernels::cos_f32(x));
    case UnaryOp::tan:
      require_near();
      return made(kernels::tan_f32(x));
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
