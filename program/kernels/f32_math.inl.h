// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: the functions of f32 that programs use most, computed in f32 with fused
// multiply-adds, for T = float or FloatLanes. The bodies consist of IEEE operations in a fixed
// order, so every instruction set gives the same bits. Lanes whose arguments are all far from the
// borders of a function leave out what only borders need; what is left gives the same bits there.
// docs/numerics.md has the measured errors. The polynomials come from tests/numerics/fit.py, which
// prints their errors; every function is a reduction of the argument to a small interval, a
// polynomial there, and its inverse. Denormal arguments and results are exact, not flushed.
#pragma once

#include "program/kernels/lanes.inl.h"

namespace understudy::program::kernels {
namespace {

template <std::size_t kFrom = 0, std::size_t kTerms, class T>
UNDERSTUDY_INLINE T polynomial(const float (&coefficients)[kTerms], const T& x) {
  if constexpr (kFrom + 1 == kTerms) {
    return T(coefficients[kFrom]);
  } else {
    return fused(polynomial<kFrom + 1>(coefficients, x), x, T(coefficients[kFrom]));
  }
}

UNDERSTUDY_INLINE FloatLanes magnitude_of(const FloatLanes& x) {
  return float_of(bits_of(x) & 0x7fffffffU);
}
inline float magnitude_of(float x) { return float_of(bits_of(x) & 0x7fffffffU); }
UNDERSTUDY_INLINE FloatLanes with_sign_of(const FloatLanes& magnitude, const FloatLanes& sign) {
  return float_of(bits_of(magnitude) | (bits_of(sign) & 0x80000000U));
}
inline float with_sign_of(float magnitude, float sign) {
  return float_of(bits_of(magnitude) | (bits_of(sign) & 0x80000000U));
}
// 2^n for -126 <= n <= 127; n is an i32 or lanes of it.
template <class N>
UNDERSTUDY_INLINE auto power_of_two(const N& n) {
  return float_of(bits_of(n + 127) << 23);
}

constexpr float kShift32 = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
// ln 2 and what rounding it to f32 loses.
constexpr float kLn2High32 = 0.693147182F;
constexpr float kLn2Low32 = -1.90465421e-9F;

// The integer that adding kShift32 rounded to.
template <class T>
UNDERSTUDY_INLINE auto integer_in(const T& shifted) {
  return signed_of(bits_of(shifted) - 0x4b400000U);
}
// x = n ln 2 + r with |r| <= ln(2)/2: returns r; n is in `shifted`. For |x| < 2^20.
template <class T>
UNDERSTUDY_INLINE T reduced_by_ln2(const T& x, T& shifted) {
  shifted = fused(x, T(1.44269502F), T(kShift32));
  const T n = shifted - T(kShift32);
  return fused(n, T(-kLn2Low32), fused(n, T(-kLn2High32), x));
}
// e^r - 1 for |r| <= ln(2)/2.
template <class T>
UNDERSTUDY_INLINE T grown(const T& r) {
  constexpr float kExpm1[] = {0.5F,           0.166666657F,   0.0416664928F,
                              0.00833354611F, 0.00139323215F, 0.00019761725F};
  return fused(r * r, polynomial(kExpm1, r), r);
}

// y 2^n for the integer n in `shifted`, -150 <= n <= 128: in two steps, so that one rounding makes
// a denormal result.
template <class T>
UNDERSTUDY_INLINE T scaled(const T& y, const T& shifted) {
  const auto n = integer_in(shifted);
  const auto half = n >> 1;
  return y * power_of_two(half) * power_of_two(n - half);
}

// The factor 2^n in one step on the exponent where it makes a normal result. Arguments above the
// border give infinity like the border itself; a comparison with NaN is false. Those below give 0
// without the product: one that underflows takes a hundred times as long, and masked attention has
// many.
template <class T>
UNDERSTUDY_INLINE T exp_f32(T x) {
  constexpr float kExp[] = {0.5F, 0.166665211F, 0.0416663885F, 0.00836867932F, 0.0013941878F};
  const bool inside = all_usually(magnitude_of(x) < T(86.0F));
  const auto vanishes = x < T(-104.0F);
  if (!inside) {
    x = choose(vanishes, T(0.0F), x);
    x = choose(x > T(89.0F), T(89.0F), x);
  }
  T shifted;
  const T r = reduced_by_ln2(x, shifted);
  const T y = T(1.0F) + fused(r * r, polynomial(kExp, r), r);
  // The shift drops all bits of `shifted` but those of the integer.
  if (inside) return float_of(bits_of(y) + (bits_of(shifted) << 23));
  return choose(vanishes, T(0.0F), scaled(y, shifted));
}

// 2^n (e^r - 1) + (2^n - 1), in halves, as 2^128 would overflow. Below -25 the result is -1.
template <class T>
UNDERSTUDY_INLINE T expm1_f32(const T& x) {
  const T inside = choose(x < T(-25.0F), T(-25.0F), choose(x > T(89.0F), T(89.0F), x));
  T shifted;
  const T near_zero = grown(reduced_by_ln2(inside, shifted));
  const auto n = integer_in(shifted);
  const T scale = power_of_two(n - 1);
  const T half = fused(near_zero, scale, scale - T(0.5F));
  const T y = choose(n == 0, near_zero, half + half);
  return choose(x == T(0.0F), x, y);
}

// t / (t + 2) with t = e^(2|x|) - 1. At |x| = 10 the result is 1 already.
template <class T>
UNDERSTUDY_INLINE T tanh_f32(const T& x) {
  const T a = magnitude_of(x);
  const T inside = choose(a > T(10.0F), T(10.0F), a);
  T shifted;
  const T r = reduced_by_ln2(inside + inside, shifted);
  const T scale = power_of_two(integer_in(shifted));
  const T t = fused(grown(r), scale, scale - T(1.0F));
  return with_sign_of(t / (t + T(2.0F)), x);
}

// By e^-|x|, which does not overflow and keeps denormal results.
template <class T>
UNDERSTUDY_INLINE T logistic_f32(const T& x) {
  const T e = exp_f32(-magnitude_of(x));
  return choose(x < T(0.0F), e, T(1.0F)) / (T(1.0F) + e);
}

// log(2^e (1 + f)) for f from sqrt(1/2) - 1 to sqrt(2) - 1: f - f^2/2 + f^3 p(f) + e ln 2, small
// terms first.
template <class T>
UNDERSTUDY_INLINE T log_of_parts(const T& e, const T& f) {
  constexpr float kLog[] = {0.333333135F,  -0.250000089F, 0.20002073F,  -0.166679949F, 0.142203167F,
                            -0.124060459F, 0.118837312F,  -0.11671567F, 0.0675071105F};
  const T square = f * f;
  const T small = fused(square, fused(f, polynomial(kLog, f), T(-0.5F)), e * T(kLn2Low32));
  return fused(e, T(kLn2High32), f + small);
}
// The exponent of x over [sqrt(1/2), sqrt(2)), for a positive normal x: subtracting the bits of
// sqrt(1/2) makes the exponent field change there instead of at 1.
template <class T>
UNDERSTUDY_INLINE auto exponent_of(const T& x) {
  return signed_of(bits_of(x) - 0x3f3504f3U) >> 23;
}
template <class T>
UNDERSTUDY_INLINE T log_positive_f32(const T& x) {
  const auto e = exponent_of(x);
  const T m = float_of(bits_of(x) - (bits_of(e) << 23));
  return log_of_parts(to_float(e), m - T(1.0F));
}

constexpr float kLeastNormal32 = 1.17549435e-38F;
template <class T>
UNDERSTUDY_INLINE T log_f32(const T& x) {
  // A comparison with NaN is false.
  if (all_usually((x > T(kLeastNormal32)) & (x < T(kInf32)))) return log_positive_f32(x);
  const auto tiny = x < T(kLeastNormal32);
  const T normal = choose(tiny, x * T(8388608.0F), x);  // 2^23
  const auto e = exponent_of(normal);
  const T m = float_of(bits_of(normal) - (bits_of(e) << 23));
  T y = log_of_parts(to_float(choose(tiny, e - 23, e)), m - T(1.0F));
  y = choose(x == T(kInf32), T(kInf32), y);
  y = choose(x == T(0.0F), T(-kInf32), y);
  return choose(x < T(0.0F), T(kNan32), choose(x != x, x, y));
}

// 1 + x = 2^e (1 + f) with f = 2^-e x + (2^-e - 1), rounded once. The exponent comes from the
// rounded 1 + x. Beyond 2^100 the 1 does not count, and 2^-e would be denormal soon.
template <class T>
UNDERSTUDY_INLINE T log1p_f32(const T& x) {
  constexpr float kHuge = 1.2676506e30F;
  const bool plain = all_usually((x > T(-1.0F)) & (x < T(kHuge)));
  const auto huge = x > T(kHuge);
  const T inside = plain ? x : choose(huge, x * T(5.9604645e-8F), x);  // 2^-24
  const auto e = exponent_of(T(1.0F) + inside);
  const T scale = power_of_two(-e);
  const T f = fused(inside, scale, scale - T(1.0F));
  T y = log_of_parts(to_float(plain ? e : choose(huge, e + 24, e)), f);
  y = choose(x == T(0.0F), x, y);
  if (plain) return y;
  y = choose(x == T(kInf32), T(kInf32), y);
  y = choose(x == T(-1.0F), T(-kInf32), y);
  return choose(x < T(-1.0F), T(kNan32), choose(x != x, x, y));
}

// Beyond 2^30 the square would overflow soon, and asinh and acosh are log(2 |x|).
constexpr float kAreaReach32 = 1073741824.0F;
template <class T>
UNDERSTUDY_INLINE T asinh_f32(const T& x) {
  const T a = magnitude_of(x);
  const auto far = a > T(kAreaReach32);
  const T inside = choose(far, T(1.0F), a);
  const T root = root_of(fused(inside, inside, T(1.0F)));
  const T near = fused(inside, inside / (T(1.0F) + root), inside);
  const T y = log1p_f32(choose(far, a, near)) + choose(far, T(kLn2High32), T(0.0F));
  return with_sign_of(y, x);
}
template <class T>
UNDERSTUDY_INLINE T acosh_f32(const T& x) {
  const auto far = x > T(kAreaReach32);
  const T over = choose(far, T(1.0F), x - T(1.0F));
  const T near = over + root_of(over * (over + T(2.0F)));
  const T y = log1p_f32(choose(far, x, near)) + choose(far, T(kLn2High32), T(0.0F));
  return choose(x < T(1.0F), T(kNan32), y);
}
template <class T>
UNDERSTUDY_INLINE T atanh_f32(const T& x) {
  const T a = magnitude_of(x);
  return with_sign_of(T(0.5F) * log1p_f32((a + a) / (T(1.0F) - a)), x);
}

// x = n pi/2 + r, pi/2 in three parts of 24 bits. For |x| < kReach32: n then has 17 bits, and the
// parts not kept are below 2^-56.
constexpr float kReach32 = 100000.0F;
template <class T>
UNDERSTUDY_INLINE T reduced_by_quarter_turns(const T& x, T& shifted) {
  shifted = fused(x, T(0.636619747F), T(kShift32));
  const T n = shifted - T(kShift32);
  return fused(n, T(1.71512451e-15F), fused(n, T(4.37113883e-8F), fused(n, T(-1.57079637F), x)));
}
// Sine and cosine of |r| <= pi/4.
template <class T>
UNDERSTUDY_INLINE T inner_sine(const T& r) {
  constexpr float kSin[] = {-0.166666552F, 0.00833219104F, -0.000195185989F};
  const T z = r * r;
  return fused(z * r, polynomial(kSin, z), r);
}
template <class T>
UNDERSTUDY_INLINE T inner_cosine(const T& r) {
  constexpr float kCos[] = {0.0416666456F, -0.00138873106F, 2.44325529e-05F};
  const T z = r * r;
  return fused(z * z, polynomial(kCos, z), fused(z, T(-0.5F), T(1.0F)));
}
// sin x for quarter_turns = 0, cos x for 1, of a reduced x. Bit 0 of the quadrant selects sine or
// cosine, bit 1 the sign.
template <class T>
UNDERSTUDY_INLINE T wave_of_reduced(const T& r, const T& shifted, u32 quarter_turns) {
  const auto quadrant = bits_of(integer_in(shifted)) + quarter_turns;
  const T y = choose((quadrant & 1U) != 0U, inner_cosine(r), inner_sine(r));
  return float_of(bits_of(y) ^ ((quadrant & 2U) << 30));
}
template <class T>
UNDERSTUDY_INLINE T tan_of_reduced(const T& r, const T& shifted) {
  const T sine = inner_sine(r);
  const T cosine = inner_cosine(r);
  const auto odd = (integer_in(shifted) & 1) != 0;
  return choose(odd, -cosine, sine) / choose(odd, sine, cosine);
}
template <class T>
UNDERSTUDY_INLINE T sin_f32(const T& x) {
  T shifted;
  const T r = reduced_by_quarter_turns(x, shifted);
  return choose(x == T(0.0F), x, wave_of_reduced(r, shifted, 0));
}
template <class T>
UNDERSTUDY_INLINE T cos_f32(const T& x) {
  T shifted;
  const T r = reduced_by_quarter_turns(x, shifted);
  return wave_of_reduced(r, shifted, 1);
}
template <class T>
UNDERSTUDY_INLINE T tan_f32(const T& x) {
  T shifted;
  const T r = reduced_by_quarter_turns(x, shifted);
  return choose(x == T(0.0F), x, tan_of_reduced(r, shifted));
}

// x p(x^2) / q(x^2) up to 3.92, where erf is less than half a unit below 1. One division costs less
// than an exponential would; its operands' roundings are the largest part of the error.
template <class T>
UNDERSTUDY_INLINE T erf_f32(const T& x) {
  constexpr float kAbove[] = {1.12837911F,     0.199925393F,    0.0505734433F, 0.00370164425F,
                              0.000141851115F, -1.95783371e-6F, 1.99241519e-8F};
  constexpr float kBelow[] = {1.0F, 0.510510921F, 0.114998773F, 0.0143532762F, 0.000956046861F};
  const T upper = choose(x > T(3.92F), T(3.92F), x);
  const T inside = choose(upper < T(-3.92F), T(-3.92F), upper);
  const T z = inside * inside;
  const T y = inside * polynomial(kAbove, z) / polynomial(kBelow, z);
  const T below = choose(y > T(1.0F), T(1.0F), y);
  return choose(below < T(-1.0F), T(-1.0F), below);
}

// In w = -log(1 - x^2), as M. Giles, "Approximating the erfinv function": x times a polynomial, in
// w up to 5 and in sqrt(w) beyond. 1 - x^2 is rounded once, and the result is insensitive to w near
// 0.
template <class T>
UNDERSTUDY_INLINE T erf_inv_f32(const T& x) {
  constexpr float kInner[] = {1.50140941F,     0.24664028F,     -0.0041776658F,   -0.00125275517F,
                              0.000218572997F, -4.9441569e-06F, -3.52219013e-06F, 4.60146595e-07F,
                              2.80484347e-08F, -8.2532301e-09F};
  constexpr float kOuter[] = {2.83297682F,      1.00167513F,     0.00944516622F, -0.00763886701F,
                              0.00568720838F,   -0.00359269069F, 0.00148475473F, -6.2089639e-05F,
                              -0.000309185212F, 0.000117525968F};
  const T a = magnitude_of(x);
  const T inside = choose(a < T(1.0F), x, T(0.0F));
  const T w = -log_positive_f32(fused(-inside, inside, T(1.0F)));
  const T inner = polynomial(kInner, w - T(2.5F));
  if (all_of((w < T(5.0F)) & (a < T(1.0F)))) return x * inner;
  const T outer = polynomial(kOuter, root_of(w) - T(3.0F));
  const T y = x * choose(w < T(5.0F), inner, outer);
  const T border = choose(a == T(1.0F), with_sign_of(T(kInf32), x), T(kNan32));
  return choose(a < T(1.0F), y, border);
}

}  // namespace
}  // namespace understudy::program::kernels
