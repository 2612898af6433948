// SPDX-License-Identifier: Apache-2.0
// Lanes of doubles: what functions of f32 need that are computed in double.
#pragma once

#include "program/kernels/lanes.inl.h"

namespace understudy::program::kernels {
namespace {

UNDERSTUDY_INLINE DoubleVector fused_wide_vector(DoubleVector a, DoubleVector b, DoubleVector c) {
#if defined(__AVX512F__)
  return _mm512_maskz_fmadd_pd(0xff, a, b, c);
#elif defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  DoubleVector y;
  for (std::size_t i = 0; i < kVectorSize<double>; ++i) y[i] = __builtin_fma(a[i], b[i], c[i]);
  return y;
#endif
}
UNDERSTUDY_INLINE DoubleLanes fused(const DoubleLanes& a, const DoubleLanes& b,
                                    const DoubleLanes& c) {
  const auto one =
      [](DoubleVector x, DoubleVector y, DoubleVector z) __attribute__((always_inline)) {
    return fused_wide_vector(x, y, z);
  };
  return each_vector(one, a, b, c);
}
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double choose(bool which, double a, double b) { return which ? a : b; }

UNDERSTUDY_INLINE DoubleLanes magnitude_of(const DoubleLanes& x) {
  const auto one = [](DoubleVector a) __attribute__((always_inline)) {
    return __builtin_bit_cast(DoubleVector,
                              __builtin_bit_cast(WideBitVector, a) & 0x7fffffffffffffffULL);
  };
  return each_vector(one, x);
}
// 2^n of the integer n that adding kShift64 rounded to.
UNDERSTUDY_INLINE DoubleLanes power_of_two_in(const DoubleLanes& shifted) {
  const auto one = [](DoubleVector x) __attribute__((always_inline)) {
    return __builtin_bit_cast(DoubleVector,
                              (__builtin_bit_cast(WideBitVector, x) << 52) + 0x3ff0000000000000ULL);
  };
  return each_vector(one, shifted);
}
inline double power_of_two_in(double shifted) {
  return __builtin_bit_cast(double,
                            (__builtin_bit_cast(u64, shifted) << 52) + 0x3ff0000000000000ULL);
}

// The lower or the upper elements of a vector.
template <bool kUpper>
UNDERSTUDY_INLINE DoubleVector widened_part(FloatVector x) {
#if defined(__AVX512F__)
  // The compiler puts such a vector together in memory.
  return _mm512_maskz_cvtps_pd(0xff, _mm512_maskz_extractf32x8_ps(0xff, x, kUpper ? 1 : 0));
#elif defined(__AVX2__)
  return _mm256_cvtps_pd(_mm256_extractf128_ps(x, kUpper ? 1 : 0));
#else
  DoubleVector y;
  for (std::size_t i = 0; i < kVectorSize<double>; ++i)
    y[i] = double{x[i + (kUpper ? kVectorSize<double> : 0)]};
  return y;
#endif
}
UNDERSTUDY_INLINE FloatVector narrowed_parts(DoubleVector low, DoubleVector high) {
#if defined(__AVX512F__)
  const __m512 lower = _mm512_castps256_ps512(_mm512_maskz_cvtpd_ps(0xff, low));
  return _mm512_maskz_insertf32x8(0xffff, lower, _mm512_maskz_cvtpd_ps(0xff, high), 1);
#elif defined(__AVX2__)
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
#else
  FloatVector y;
  for (std::size_t i = 0; i < kVectorSize<double>; ++i) {
    y[i] = static_cast<float>(low[i]);
    y[i + kVectorSize<double>] = static_cast<float>(high[i]);
  }
  return y;
#endif
}

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

// A function of doubles on floats, rounded once.
template <class F>
UNDERSTUDY_INLINE FloatLanes through_doubles(const FloatLanes& x, const F& f) {
  DoubleLanes first, second;
  first.v0 = widened_part<false>(x.v0);
  first.v1 = widened_part<true>(x.v0);
  first.v2 = widened_part<false>(x.v1);
  first.v3 = widened_part<true>(x.v1);
  first = f(first);
  second.v0 = widened_part<false>(x.v2);
  second.v1 = widened_part<true>(x.v2);
  second.v2 = widened_part<false>(x.v3);
  second.v3 = widened_part<true>(x.v3);
  second = f(second);
  FloatLanes y;
  y.v0 = narrowed_parts(first.v0, first.v1);
  y.v1 = narrowed_parts(first.v2, first.v3);
  y.v2 = narrowed_parts(second.v0, second.v1);
  y.v3 = narrowed_parts(second.v2, second.v3);
  return y;
}

template <class F>
UNDERSTUDY_INLINE float through_doubles(float x, const F& f) {
  return static_cast<float>(f(double{x}));
}

template <std::size_t kFrom = 0, std::size_t kTerms, class T>
UNDERSTUDY_INLINE T fused_polynomial(const double (&coefficients)[kTerms], const T& x) {
  if constexpr (kFrom + 1 == kTerms) {
    return T(coefficients[kFrom]);
  } else {
    return fused(fused_polynomial<kFrom + 1>(coefficients, x), x, T(coefficients[kFrom]));
  }
}

// e^-(a^2) p(t) / (a + 2.25), t = (a - 2.25) / (a + 2.25), from 0.5 to 10.2, where the result is 0
// in f32; 1 - x p(x^2) below. The square of an f32 is exact. Errors are near 4e-10: programs with
// exact GELU spend most of their time here, so it has the terms that f32 needs and no more.
template <class T>
UNDERSTUDY_INLINE T erfc_core(const T& x) {
  constexpr double kExp[] = {0.9999999999595482,   0.999999999979781,     0.5000000107749384,
                             0.16666666891074364,  0.0416662182744019,    0.008333266093189582,
                             0.001394858081809391, 0.00019915869191389538};
  constexpr double kFar[] = {1.0398926644901618,     -0.75195902261784,      0.37151744700663414,
                             -0.10121015161874823,   -0.00361035355502805,   0.011655182004569388,
                             -0.0008013962327622933, -0.0016155376747888112, 9.559776212792536e-05,
                             0.00023419143258247285};
  constexpr double kNear[] = {1.1283791670825098,    -0.37612638527652276, 0.11283774077124104,
                              -0.026863150185586267, 0.005200446396373376, -0.0007695056672217634};
  const T a = magnitude_of(x);
  const T inside = choose(a < T(0.5), T(0.5), choose(a > T(10.2), T(10.2), a));
  const T square = inside * inside;
  const T shifted = fused(square, T(-kLog2E), T(kShift64));
  const T r = fused(shifted - T(kShift64), T(-kLn2), -square);
  const T power = fused_polynomial(kExp, r) * power_of_two_in(shifted);
  const T inverse = T(1.0) / (inside + T(2.25));
  const T far = power * (fused_polynomial(kFar, (inside - T(2.25)) * inverse) * inverse);
  const T outer = choose(x < T(0.0), T(2.0) - far, far);
  const T near = fused(-x, fused_polynomial(kNear, x * x), T(1.0));
  return choose(a < T(0.5), near, choose(x != x, x, outer));
}
UNDERSTUDY_INLINE FloatLanes erfc_f32(const FloatLanes& x) {
  return through_doubles(
      x, [](const DoubleLanes& y) __attribute__((always_inline)) { return erfc_core(y); });
}
inline float erfc_f32(float x) { return static_cast<float>(erfc_core(double{x})); }

}  // namespace
}  // namespace understudy::program::kernels
