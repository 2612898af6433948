// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h and of chain.inl.h: functions of f32 that are computed over lanes, and
// their kernel.
#pragma once

#include "program/kernels/wave_functions.inl.h"

namespace understudy::program::kernels {
namespace {

#define UNDERSTUDY_LANE_FUNCTION(Name, function)   \
  struct Name {                                    \
    template <class T>                             \
    UNDERSTUDY_INLINE static T apply(const T& x) { \
      return settle(function(x));                  \
    }                                              \
  };
UNDERSTUDY_LANE_FUNCTION(LaneExponential, exp_f32)
UNDERSTUDY_LANE_FUNCTION(LaneExponentialMinusOne, expm1_f32)
UNDERSTUDY_LANE_FUNCTION(LaneLog, log_f32)
UNDERSTUDY_LANE_FUNCTION(LaneLogPlusOne, log1p_f32)
UNDERSTUDY_LANE_FUNCTION(LaneLogistic, logistic_f32)
UNDERSTUDY_LANE_FUNCTION(LaneTanh, tanh_f32)
UNDERSTUDY_LANE_FUNCTION(LaneErf, erf_f32)
UNDERSTUDY_LANE_FUNCTION(LaneErfc, erfc_f32)
UNDERSTUDY_LANE_FUNCTION(LaneErfInv, erf_inv_f32)
UNDERSTUDY_LANE_FUNCTION(LaneAsinh, asinh_f32)
UNDERSTUDY_LANE_FUNCTION(LaneAcosh, acosh_f32)
UNDERSTUDY_LANE_FUNCTION(LaneAtanh, atanh_f32)
#undef UNDERSTUDY_LANE_FUNCTION

// F of all elements. A rest of more than a few elements is filled up to whole lanes.
template <class F>
UNDERSTUDY_ONCE void map_lanes(const void* in, void* out, std::size_t n) noexcept {
  constexpr std::size_t kFew = 2;
  const auto* x = static_cast<const float*>(in);
  auto* y = static_cast<float*>(out);
  std::size_t i = 0;
  for (; i + kLaneCount <= n; i += kLaneCount) put_lanes(y + i, F::apply(lanes_at(x + i)));
  if (n - i <= kFew) {
    for (; i < n; ++i) y[i] = F::apply(x[i]);
    return;
  }
  float rest[kLaneCount] = {};
  __builtin_memcpy(rest, x + i, (n - i) * sizeof(float));
  put_lanes(rest, F::apply(lanes_at(rest)));
  __builtin_memcpy(y + i, rest, (n - i) * sizeof(float));
}

}  // namespace
}  // namespace understudy::program::kernels
