// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: the functions of f32 that programs use most, computed in f32 with fused
// multiply-adds. The bodies are branch-free, so they vectorise, and consist of IEEE operations in a
// fixed order, so every instruction set gives the same bits. docs/numerics.md has the measured
// errors. The polynomials come from tests/numerics/fit.py, which prints their errors; every
// function is a reduction of the argument to a small interval, a polynomial there, and its
// inverse. Denormal arguments and results are exact, not flushed.
#pragma once

#include "program/kernels/math.inl.h"

namespace understudy::program::kernels {
namespace {

// a * b + c, rounded once. Without the instruction the C library's fmaf, which gives the same bits.
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

template <std::size_t kFrom = 0, std::size_t kTerms>
inline float polynomial(const float (&coefficients)[kTerms], float x) {
  if constexpr (kFrom + 1 == kTerms) {
    return coefficients[kFrom];
  } else {
    return fused(polynomial<kFrom + 1>(coefficients, x), x, coefficients[kFrom]);
  }
}

inline float magnitude_of(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) & 0x7fffffffU);
}
inline float with_sign_of(float magnitude, float sign) {
  return __builtin_bit_cast(
      float, __builtin_bit_cast(u32, magnitude) | (__builtin_bit_cast(u32, sign) & 0x80000000U));
}
// 2^n for -126 <= n <= 127.
inline float power_of_two(i32 n) {
  return __builtin_bit_cast(float, static_cast<u32>(n + 127) << 23);
}

constexpr float kShift32 = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
// ln 2 and what rounding it to f32 loses.
constexpr float kLn2High32 = 0.693147182F;
constexpr float kLn2Low32 = -1.90465421e-9F;

// x = n ln 2 + r with |r| <= ln(2)/2. For |x| < 2^20.
struct Reduced {
  i32 n;
  float r;
};
inline Reduced reduced_by_ln2(float x) {
  const float shifted = fused(x, 1.44269502F, kShift32);
  const float n = shifted - kShift32;
  const float r = fused(n, -kLn2Low32, fused(n, -kLn2High32, x));
  return {static_cast<i32>(__builtin_bit_cast(u32, shifted) - 0x4b400000U), r};
}
// e^r - 1 for |r| <= ln(2)/2.
inline float grown(float r) {
  constexpr float kExpm1[] = {0.5F,           0.166666657F,   0.0416664928F,
                              0.00833354611F, 0.00139323215F, 0.00019761725F};
  return fused(r * r, polynomial(kExpm1, r), r);
}

// The factor 2^n in two steps, so that one rounding makes a denormal result. Arguments beyond the
// borders give 0 and infinity like the borders themselves; a comparison with NaN is false.
inline float exp_f32(float x) {
  constexpr float kExp[] = {0.5F, 0.166665211F, 0.0416663885F, 0.00836867932F, 0.0013941878F};
  x = x < -104.0F ? -104.0F : x;
  x = x > 89.0F ? 89.0F : x;
  const Reduced at = reduced_by_ln2(x);
  const float y = 1.0F + fused(at.r * at.r, polynomial(kExp, at.r), at.r);
  const i32 half = at.n >> 1;
  return y * power_of_two(half) * power_of_two(at.n - half);
}

// 2^n (e^r - 1) + (2^n - 1), in halves, as 2^128 would overflow. Below -25 the result is -1.
inline float expm1_f32(float x) {
  const float inside = x < -25.0F ? -25.0F : x > 89.0F ? 89.0F : x;
  const Reduced at = reduced_by_ln2(inside);
  const float near_zero = grown(at.r);
  const float scale = power_of_two(at.n - 1);
  const float half = fused(near_zero, scale, scale - 0.5F);
  const float y = at.n == 0 ? near_zero : half + half;
  return x == 0.0F ? x : y;
}

// t / (t + 2) with t = e^(2|x|) - 1. At |x| = 10 the result is 1 already.
inline float tanh_f32(float x) {
  const float a = magnitude_of(x);
  const Reduced at = reduced_by_ln2(a > 10.0F ? 20.0F : a + a);
  const float scale = power_of_two(at.n);
  const float t = fused(grown(at.r), scale, scale - 1.0F);
  return with_sign_of(t / (t + 2.0F), x);
}

// By e^-|x|, which does not overflow and keeps denormal results.
inline float logistic_f32(float x) {
  const float e = exp_f32(-magnitude_of(x));
  return (x < 0.0F ? e : 1.0F) / (1.0F + e);
}

// log(2^e (1 + f)) for f from sqrt(1/2) - 1 to sqrt(2) - 1: f - f^2/2 + f^3 p(f) + e ln 2, small
// terms first.
inline float log_of_parts(float e, float f) {
  constexpr float kLog[] = {0.333333135F,  -0.250000089F, 0.20002073F,  -0.166679949F, 0.142203167F,
                            -0.124060459F, 0.118837312F,  -0.11671567F, 0.0675071105F};
  const float square = f * f;
  const float small = fused(square, fused(f, polynomial(kLog, f), -0.5F), e * kLn2Low32);
  return fused(e, kLn2High32, f + small);
}
// The exponent of x over [sqrt(1/2), sqrt(2)), for a positive normal x: subtracting the bits of
// sqrt(1/2) makes the exponent field change there instead of at 1.
inline i32 exponent_of(float x) {
  return static_cast<i32>(__builtin_bit_cast(u32, x) - 0x3f3504f3U) >> 23;
}
inline float log_positive_f32(float x) {
  const i32 e = exponent_of(x);
  const float m =
      __builtin_bit_cast(float, __builtin_bit_cast(u32, x) - (static_cast<u32>(e) << 23));
  return log_of_parts(static_cast<float>(e), m - 1.0F);
}

inline float log_f32(float x) {
  const bool tiny = x < 1.17549435e-38F;
  const float normal = tiny ? x * 8388608.0F : x;  // 2^23
  const i32 e = exponent_of(normal);
  const float m =
      __builtin_bit_cast(float, __builtin_bit_cast(u32, normal) - (static_cast<u32>(e) << 23));
  float y = log_of_parts(static_cast<float>(tiny ? e - 23 : e), m - 1.0F);
  y = x == kInf32 ? kInf32 : y;
  y = x == 0.0F ? -kInf32 : y;
  return x < 0.0F ? kNan32 : x != x ? x : y;
}

// 1 + x = 2^e (1 + f) with f = 2^-e x + (2^-e - 1), rounded once. The exponent comes from the
// rounded 1 + x. Beyond 2^100 the 1 does not count, and 2^-e would be denormal soon.
inline float log1p_f32(float x) {
  const bool huge = x > 1.2676506e30F;
  const float inside = huge ? x * 5.9604645e-8F : x;  // 2^-24
  const i32 e = exponent_of(1.0F + inside);
  const float scale = power_of_two(-e);
  const float f = fused(inside, scale, scale - 1.0F);
  float y = log_of_parts(static_cast<float>(huge ? e + 24 : e), f);
  y = x == kInf32 ? kInf32 : y;
  y = x == -1.0F ? -kInf32 : y;
  y = x == 0.0F ? x : y;
  return x < -1.0F ? kNan32 : x != x ? x : y;
}

// Beyond 2^30 the square would overflow soon, and asinh and acosh are log(2 |x|).
constexpr float kAreaReach32 = 1073741824.0F;
inline float asinh_f32(float x) {
  const float a = magnitude_of(x);
  const bool far = a > kAreaReach32;
  const float inside = far ? 1.0F : a;
  const float root = __builtin_sqrtf(fused(inside, inside, 1.0F));
  const float near = fused(inside, inside / (1.0F + root), inside);
  const float y = log1p_f32(far ? a : near) + (far ? kLn2High32 : 0.0F);
  return with_sign_of(y, x);
}
inline float acosh_f32(float x) {
  const bool far = x > kAreaReach32;
  const float over = far ? 1.0F : x - 1.0F;
  const float near = over + __builtin_sqrtf(over * (over + 2.0F));
  const float y = log1p_f32(far ? x : near) + (far ? kLn2High32 : 0.0F);
  return x < 1.0F ? kNan32 : y;
}
inline float atanh_f32(float x) {
  const float a = magnitude_of(x);
  return with_sign_of(0.5F * log1p_f32((a + a) / (1.0F - a)), x);
}

// x = n pi/2 + r, pi/2 in three parts of 24 bits. For |x| < kReach32: n then has 17 bits, and the
// parts not kept are below 2^-56.
constexpr float kReach32 = 100000.0F;
inline Reduced reduced_by_quarter_turns(float x) {
  const float shifted = fused(x, 0.636619747F, kShift32);
  const float n = shifted - kShift32;
  const float r = fused(n, 1.71512451e-15F, fused(n, 4.37113883e-8F, fused(n, -1.57079637F, x)));
  return {static_cast<i32>(__builtin_bit_cast(u32, shifted) - 0x4b400000U), r};
}
struct SineCosine {
  float sine, cosine;
};
// For |r| <= pi/4.
inline SineCosine sine_cosine(float r) {
  constexpr float kSin[] = {-0.166666552F, 0.00833219104F, -0.000195185989F};
  constexpr float kCos[] = {0.0416666456F, -0.00138873106F, 2.44325529e-05F};
  const float z = r * r;
  return {fused(z * r, polynomial(kSin, z), r),
          fused(z * z, polynomial(kCos, z), fused(z, -0.5F, 1.0F))};
}
// sin x for quarter_turns = 0, cos x for 1. Bit 0 of the quadrant selects sine or cosine, bit 1 the
// sign.
inline float sine_f32(float x, u32 quarter_turns) {
  const Reduced at = reduced_by_quarter_turns(x);
  const u32 quadrant = static_cast<u32>(at.n) + quarter_turns;
  const SineCosine parts = sine_cosine(at.r);
  const float y = (quadrant & 1) != 0 ? parts.cosine : parts.sine;
  const float turned =
      __builtin_bit_cast(float, __builtin_bit_cast(u32, y) ^ ((quadrant & 2) << 30));
  return quarter_turns == 0 && x == 0.0F ? x : turned;
}
inline float sin_f32(float x) { return sine_f32(x, 0); }
inline float cos_f32(float x) { return sine_f32(x, 1); }
inline float tan_f32(float x) {
  const Reduced at = reduced_by_quarter_turns(x);
  const SineCosine parts = sine_cosine(at.r);
  const bool odd = (at.n & 1) != 0;
  const float y = (odd ? -parts.cosine : parts.sine) / (odd ? parts.sine : parts.cosine);
  return x == 0.0F ? x : y;
}

// x p(x^2) / q(x^2) up to 3.92, where erf is less than half a unit below 1. One division costs less
// than an exponential would; its operands' roundings are the largest part of the error.
inline float erf_f32(float x) {
  constexpr float kAbove[] = {1.12837911F,     0.199925393F,    0.0505734433F, 0.00370164425F,
                              0.000141851115F, -1.95783371e-6F, 1.99241519e-8F};
  constexpr float kBelow[] = {1.0F, 0.510510921F, 0.114998773F, 0.0143532762F, 0.000956046861F};
  const float upper = x > 3.92F ? 3.92F : x;
  const float inside = upper < -3.92F ? -3.92F : upper;
  const float z = inside * inside;
  const float y = inside * polynomial(kAbove, z) / polynomial(kBelow, z);
  const float below = y > 1.0F ? 1.0F : y;
  return below < -1.0F ? -1.0F : below;
}

// In w = -log(1 - x^2), as M. Giles, "Approximating the erfinv function": x times a polynomial, in
// w up to 5 and in sqrt(w) beyond. 1 - x^2 is rounded once, and the result is insensitive to w near
// 0.
inline float erf_inv_f32(float x) {
  constexpr float kInner[] = {1.50140941F,     0.24664028F,     -0.0041776658F,   -0.00125275517F,
                              0.000218572997F, -4.9441569e-06F, -3.52219013e-06F, 4.60146595e-07F,
                              2.80484347e-08F, -8.2532301e-09F};
  constexpr float kOuter[] = {2.83297682F,      1.00167513F,     0.00944516622F, -0.00763886701F,
                              0.00568720838F,   -0.00359269069F, 0.00148475473F, -6.2089639e-05F,
                              -0.000309185212F, 0.000117525968F};
  const float a = magnitude_of(x);
  const float inside = a < 1.0F ? x : 0.0F;
  const float w = -log_positive_f32(fused(-inside, inside, 1.0F));
  const float inner = polynomial(kInner, w - 2.5F);
  const float outer = polynomial(kOuter, __builtin_sqrtf(w) - 3.0F);
  const float y = x * (w < 5.0F ? inner : outer);
  const float border = a == 1.0F ? with_sign_of(kInf32, x) : kNan32;
  return a < 1.0F ? y : border;
}

}  // namespace
}  // namespace understudy::program::kernels
