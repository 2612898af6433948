// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h and of chain.inl.h: functions of f32 that are computed over lanes, and
// their kernel.
#pragma once

#include "program/kernels/f32_math.inl.h"
#include "program/kernels/wide_lanes.inl.h"

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

UNDERSTUDY_INLINE FloatLanes lanes_at(const float* x) {
  constexpr std::size_t kSize = kVectorSize<float>;
  FloatLanes y;
  y.v0 = vector_at(x);
  y.v1 = vector_at(x + kSize);
  y.v2 = vector_at(x + 2 * kSize);
  y.v3 = vector_at(x + 3 * kSize);
  return y;
}
UNDERSTUDY_INLINE void put_lanes(float* y, const FloatLanes& x) {
  constexpr std::size_t kSize = kVectorSize<float>;
  put_vector<float>(y, x.v0);
  put_vector<float>(y + kSize, x.v1);
  put_vector<float>(y + 2 * kSize, x.v2);
  put_vector<float>(y + 3 * kSize, x.v3);
}

// Sine, cosine and tangent of f32. Lanes run the vectorised function, with out-of-range arguments
// replaced by 0; then those elements alone are computed again by libm, which reduces large
// arguments exactly.
using FarFunction = double (*)(double);
UNDERSTUDY_ONCE void replace_far(FarFunction far, const float* x, float* y) {
  for (std::size_t i = 0; i < kLaneCount; ++i)
    if (!(magnitude_of(x[i]) < kReach32)) y[i] = settle(static_cast<float>(far(double{x[i]})));
}
template <class F>
struct Wave {
  UNDERSTUDY_INLINE static FloatLanes apply(const FloatLanes& x) {
    const IndexLanes reached = magnitude_of(x) < FloatLanes(kReach32);
    const FloatLanes y = F::fast(choose(reached, x, FloatLanes(0.0F)));
    if (all_of(reached)) return y;
    float in[kLaneCount], out[kLaneCount];
    put_lanes(in, x);
    put_lanes(out, y);
    replace_far(&F::far, in, out);
    return lanes_at(out);
  }
  static float apply(float x) {
    return magnitude_of(x) < kReach32 ? F::fast(x) : settle(static_cast<float>(F::far(double{x})));
  }
};
#define UNDERSTUDY_WAVE(Name, function, libm)                   \
  struct Name##Parts {                                          \
    template <class T>                                          \
    UNDERSTUDY_INLINE static T fast(const T& x) {               \
      return function(x);                                       \
    }                                                           \
    static double far(double x) { return __builtin_##libm(x); } \
  };                                                            \
  using Name = Wave<Name##Parts>;
UNDERSTUDY_WAVE(LaneSine, sin_f32, sin)
UNDERSTUDY_WAVE(LaneCosine, cos_f32, cos)
UNDERSTUDY_WAVE(LaneTangent, tan_f32, tan)
#undef UNDERSTUDY_WAVE

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
