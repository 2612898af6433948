// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h and of chain.inl.h: sine, cosine and tangent of f32, of any argument. Below
// kReach32 the argument is reduced in f32, below kReach64 in double, and libm takes the others,
// infinities and NaNs.
#pragma once

#include "program/kernels/f32_math.inl.h"
#include "program/kernels/wide_lanes.inl.h"

namespace understudy::program::kernels {
namespace {

// x = n pi/2 + r, pi/2 in two parts of 53 bits. For |x| < kReach64: n has 32 bits and the first
// difference is exact. What the parts leave out of n pi/2 is below 2^-74, and |r| above 2^-31, as
// it is for all numbers of f32.
constexpr double kReach64 = 4294967296.0;
template <class T>
UNDERSTUDY_INLINE T quarter_turns_of(const T& x) {
  return fused(x, T(0.6366197723675814), T(kShift64)) - T(kShift64);
}
template <class T>
UNDERSTUDY_INLINE T reduced_in_double(const T& x) {
  const T n = quarter_turns_of(x);
  return fused(n, T(-6.123233995736766e-17), fused(n, T(-1.5707963267948966), x));
}
// The integer from -2 to 2 that differs from the number of quarter turns by whole turns.
template <class T>
UNDERSTUDY_INLINE T quadrant_of(const T& x) {
  const T n = quarter_turns_of(x);
  return fused(fused(n, T(0.25), T(kShift64)) - T(kShift64), T(-4.0), n);
}
// reduced_by_quarter_turns() of large arguments.
template <class T>
UNDERSTUDY_INLINE T reduced_far(const T& x, T& shifted) {
  shifted = T(kShift32) + through_doubles(
                              x, [](const auto& wide)
                                     __attribute__((always_inline)) { return quadrant_of(wide); });
  return through_doubles(
      x, [](const auto& wide) __attribute__((always_inline)) { return reduced_in_double(wide); });
}

template <class F>
struct Wave {
  template <class T>
  UNDERSTUDY_INLINE static T far(const T& x) {
    T shifted;
    const T r = reduced_far(x, shifted);
    return F::of_reduced(r, shifted);
  }
  // Lanes out of the range of a function take its value of 0 at first.
  UNDERSTUDY_INLINE static FloatLanes apply(const FloatLanes& x) {
    const IndexLanes near = magnitude_of(x) < FloatLanes(kReach32);
    const FloatLanes y = F::near(choose(near, x, FloatLanes(0.0F)));
    if (all_of(near)) return y;
    return apply_far(x, near, y);
  }
  static float apply(float x) {
    if (magnitude_of(x) < kReach32) return F::near(x);
    if (magnitude_of(x) < static_cast<float>(kReach64)) return far(x);
    return by_libm(x);
  }

 private:
  static float by_libm(float x) { return settle(static_cast<float>(F::libm(double{x}))); }
  UNDERSTUDY_ONCE static FloatLanes apply_far(const FloatLanes& x, const IndexLanes& near,
                                              const FloatLanes& y) {
    const IndexLanes reached = magnitude_of(x) < FloatLanes(static_cast<float>(kReach64));
    const FloatLanes all = choose(near, y, far(choose(reached, x, FloatLanes(0.0F))));
    if (all_of(reached)) return all;
    float in[kLaneCount], out[kLaneCount];
    put_lanes(in, x);
    put_lanes(out, all);
    for (std::size_t i = 0; i < kLaneCount; ++i)
      if (!(magnitude_of(in[i]) < static_cast<float>(kReach64))) out[i] = by_libm(in[i]);
    return lanes_at(out);
  }
};
#define UNDERSTUDY_WAVE(Name, function, reduced, far)                     \
  struct Name##Parts {                                                    \
    template <class T>                                                    \
    UNDERSTUDY_INLINE static T near(const T& x) {                         \
      return function(x);                                                 \
    }                                                                     \
    template <class T>                                                    \
    UNDERSTUDY_INLINE static T of_reduced(const T& r, const T& shifted) { \
      return reduced;                                                     \
    }                                                                     \
    static double libm(double x) { return __builtin_##far(x); }           \
  };                                                                      \
  using Name = Wave<Name##Parts>;
UNDERSTUDY_WAVE(LaneSine, sin_f32, wave_of_reduced(r, shifted, 0), sin)
UNDERSTUDY_WAVE(LaneCosine, cos_f32, wave_of_reduced(r, shifted, 1), cos)
UNDERSTUDY_WAVE(LaneTangent, tan_f32, tan_of_reduced(r, shifted), tan)
#undef UNDERSTUDY_WAVE

}  // namespace
}  // namespace understudy::program::kernels
