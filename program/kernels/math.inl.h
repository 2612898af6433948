// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: the functions behind f32 (and smaller) kernels, computed in double with a
// relative error near 1e-12 or better. The one rounding to f32 is then correct in all but rare
// cases within that error of a tie. The bodies are branch-free, so they vectorise, and consist of
// plain IEEE operations in a fixed order, so every instruction set gives the same bits. Error terms
// below are the first omitted term of each series at the end of its interval.
#pragma once

#include "program/kernels/types.inl.h"

namespace understudy::program::kernels {
namespace {

constexpr double kShift64 = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds to an integer
// ln 2 in two parts (as in fdlibm): n * kLn2High is exact for |n| < 2^21, so x - n ln 2 loses no
// digits.
constexpr double kLn2 = 0.6931471805599453;
constexpr double kLn2High = 0.6931471803691238;  // 32 bits
constexpr double kLn2Low = 1.9082149292705877e-10;
constexpr double kLog2E = 1.4426950408889634;

// Horner's scheme, constant term first in the array. No FMA: contraction is off, and the order of
// operations is part of the result. By recursion, as a loop would not be unrolled before the
// vectoriser runs, and loops around it would stay scalar.
template <std::size_t kFrom = 0, std::size_t kTerms>
inline double polynomial(const double (&coefficients)[kTerms], double x) {
  if constexpr (kFrom + 1 == kTerms) {
    return coefficients[kFrom];
  } else {
    return polynomial<kFrom + 1>(coefficients, x) * x + coefficients[kFrom];
  }
}

inline double magnitude_of(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(u64, x) & 0x7fffffffffffffffULL);
}
inline double with_sign_of(double magnitude, double sign) {
  return __builtin_bit_cast(double, __builtin_bit_cast(u64, magnitude) |
                                        (__builtin_bit_cast(u64, sign) & 0x8000000000000000ULL));
}

// e^x = 2^n e^r with n = round(x / ln 2) and |r| <= ln(2)/2 = 0.347. Taylor through r^12/12!;
// omitted r^13/13! < 1.7e-16. Beyond +-700 the result stays at the border: as f32 it is 0 or
// infinity anyway.
inline double exp_core(double x) {
  constexpr double kTaylor[] = {1.0,
                                1.0,
                                1.0 / 2,
                                1.0 / 6,
                                1.0 / 24,
                                1.0 / 120,
                                1.0 / 720,
                                1.0 / 5040,
                                1.0 / 40320,
                                1.0 / 362880,
                                1.0 / 3628800,
                                1.0 / 39916800,
                                1.0 / 479001600};
  x = x < -700.0 ? -700.0 : x;
  x = x > 700.0 ? 700.0 : x;
  // Adding 1.5 * 2^52 rounds to an integer and leaves n in the low mantissa bits, so the same
  // number serves as a double (n) and as an integer (the exponent of 2^n), without a conversion
  // instruction.
  const double shifted = x * kLog2E + kShift64;
  const double n = shifted - kShift64;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  const u64 scale = (__builtin_bit_cast(u64, shifted) << 52) + 0x3ff0000000000000ULL;
  return polynomial(kTaylor, r) * __builtin_bit_cast(double, scale);
}

// Natural logarithm of a positive normal double: x = 2^e m with m in [sqrt(1/2), sqrt(2)), and log
// m = 2 atanh(s), s = (m - 1) / (m + 1), |s| < 0.172. Series in s^2 through s^17/17; omitted
// s^18/19, relative, < 9e-16. The interval is symmetric around 1, so log has no cancellation near
// 1.
inline double log_positive(double x) {
  constexpr double kSeries[] = {2.0,      2.0 / 3,  2.0 / 5,  2.0 / 7, 2.0 / 9,
                                2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17};
  const u64 bits = __builtin_bit_cast(u64, x);
  // Subtracting the bits of sqrt(1/2) makes the exponent field change at sqrt(1/2) instead of 1.
  const u64 lifted = bits - 0x3fe6a09e667f3bcdULL;
  const u64 exponent = (lifted + 0x4000000000000000ULL) >> 52;  // biased by 1024
  const u64 mantissa = bits - ((exponent - 1024) << 52);
  const double m = __builtin_bit_cast(double, mantissa);
  const double e =
      __builtin_bit_cast(double, exponent | 0x4330000000000000ULL) - (4503599627370496.0 + 1024.0);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  return e * kLn2High + (s * polynomial(kSeries, z) + e * kLn2Low);
}

// The special values of log around log_positive, by selects: NaN last, as it must win.
inline double log_core(double x) {
  double y = log_positive(x);
  y = x == kInf64 ? kInf64 : y;
  y = x == 0.0 ? -kInf64 : y;
  y = x < 0.0 ? kNan64 : y;
  return x != x ? kNan64 : y;
}

// Below 2^-8 the Taylor series (omitted x^5/720 < 1.3e-15); above, e^x - 1 loses at most 8 of 53
// bits.
inline double expm1_core(double x) {
  constexpr double kTaylor[] = {1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120};
  const double near_zero = x * polynomial(kTaylor, x);
  return magnitude_of(x) < 0.00390625 ? near_zero : exp_core(x) - 1.0;
}

// Below 2^-8 the series (omitted x^5/6 < 1.6e-13); above, rounding 1 + x costs at most 8 bits.
inline double log1p_core(double x) {
  constexpr double kSeries[] = {1.0, -1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5};
  const double near_zero = x * polynomial(kSeries, x);
  const double far = log_core(1.0 + x);
  return magnitude_of(x) < 0.00390625 ? near_zero : far;
}

// For f64: e^-|x| never overflows, and the form e / (1 + e) keeps tiny and denormal results.
inline double logistic_full(double x) {
  const double e = __builtin_exp(-magnitude_of(x));
  return x < 0.0 ? e / (1.0 + e) : 1.0 / (1.0 + e);
}

// By expm1, so that small x does not cancel: sinh x = (e + e / (e + 1)) / 2 with e = e^x - 1.
inline double sinh_core(double x) {
  const double e = expm1_core(magnitude_of(x));
  return with_sign_of(0.5 * (e + e / (e + 1.0)), x);
}
inline double cosh_core(double x) {
  const double e = exp_core(magnitude_of(x));
  return 0.5 * (e + 1.0 / e);
}

// sin x for quarter_turns = 0 and cos x for 1, as cos x = sin(x + pi/2). pi/2 is subtracted in
// three parts (fdlibm's pio2_1, pio2_2, pio2_2t: 33 + 33 + 53 bits), which is exact enough for |x|
// < kSineReach: n then has at most 20 bits, so n * pio2_1 is exact. On |r| <= pi/4 the series omit
// r^14/15! < 3e-14 (sin, relative) and r^16/16! < 2e-15 (cos).
inline double sine_core(double x, u64 quarter_turns) {
  constexpr double kSin[] = {1.0,          -1.0 / 6,        1.0 / 120,         -1.0 / 5040,
                             1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0};
  constexpr double kCos[] = {1.0,         -1.0 / 2,       1.0 / 24,        -1.0 / 720,
                             1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200.0};
  const double shifted = x * 0.6366197723675814 + kShift64;
  const double n = shifted - kShift64;
  const double r =
      ((x - n * 1.5707963267341256) - n * 6.077100506303966e-11) - n * 2.0222662487959506e-21;
  const double z = r * r;
  // Bit 0 of the quadrant selects sine or cosine, bit 1 the sign.
  const u64 quadrant = __builtin_bit_cast(u64, shifted) + quarter_turns;
  const double s = r * polynomial(kSin, z);
  const double c = polynomial(kCos, z);
  const double y = (quadrant & 1) != 0 ? c : s;
  return __builtin_bit_cast(double, __builtin_bit_cast(u64, y) ^ ((quadrant & 2) << 62));
}
constexpr double kSineReach = 1.0e6;  // beyond, the reduction above loses digits

// a^b for positive normal a. The relative error is the absolute error of b log a, which is below
// 1e-13 where the result is a finite f32.
inline double power_core(double a, double b) { return exp_core(b * log_positive(a)); }

// Zeros, infinities and NaNs are their own cube roots.
inline double cbrt_core(double x) {
  const double root = exp_core(log_positive(magnitude_of(x)) * (1.0 / 3));
  const double y = with_sign_of(root, x);
  return x == 0.0 || magnitude_of(x) == kInf64 || x != x ? x : y;
}

// Three ranges: |x| < 1 by x times a polynomial in 2x^2 - 1; 1 to 4 by a polynomial in (|x| - 2.5)
// / 1.5; from 4 on 1, as 1 - erf(4) = 1.5e-8 is less than half a unit of f32 below 1. Both
// variables run over [-1, 1], where fitted polynomials are best conditioned.
inline double erf_core(double x) {
  constexpr double kInner[] = {0.9654687386698857,     -0.14053608902272105,
                               0.019852496688084025,   -0.0022854855610651044,
                               0.00021751716323646178, -1.7537169883625154e-05,
                               1.2233626053497206e-06, -7.51146731041164e-08,
                               4.138784705768922e-09,  -2.0455529087957395e-10};
  constexpr double kOuter[] = {
      0.9995930479757184,      0.003267426368765196,  -0.01225284742297,
      0.02818155050110513,     -0.04365081934652616,  0.04645365101592391,
      -0.031875966119213436,   0.009267199410640066,  0.0066768572011264415,
      -0.009619654950028544,   0.004558520904107076,  0.00043701458828776567,
      -0.0018600138432459032,  0.000928760169920907,  0.00010030662075673115,
      -0.0003028592781148851,  7.670246656763868e-05, 3.7460446357616996e-05,
      -1.5399676651314423e-05, -9.524553824592401e-07};
  const double a = magnitude_of(x);
  const double inner = x * polynomial(kInner, 2.0 * x * x - 1.0);
  const double capped = a > 4.0 ? 4.0 : a;
  const double outer = with_sign_of(polynomial(kOuter, (capped - 2.5) / 1.5), x);
  const double far = a >= 4.0 ? with_sign_of(1.0, x) : outer;
  return a < 1.0 ? inner : far;
}

// In w = -log(1 - x^2), as M. Giles, "Approximating the erfinv function": nearly linear in w up to
// 5 and in sqrt(w) beyond. The largest f32 below 1 has w = 15.9, within the outer polynomial's
// range (17.6). Requires |x| to be an f32; closer to 1 the fit does not hold.
inline double erf_inv_core(double x) {
  constexpr double kInner[] = {
      1.5014093511107895,      0.6166006918603576,     -0.026108235776908403,
      -0.019573561056079176,   0.008525400937368104,   -0.0004878984593850142,
      -0.0008341354963394538,  0.00029219117521499304, 2.0471601452834047e-05,
      -4.143420519259008e-05,  8.655327156637697e-06,  2.857123057819364e-06,
      -1.8589456908044761e-06, 1.2732104337916197e-07, 2.0569280766266665e-07,
      -6.29581583723457e-08,   -1.129033880747742e-08, 6.9066798289074535e-09};
  constexpr double kOuter[] = {
      3.051757104379381,     0.9867813462008925,      0.005541091014287642,
      -0.003870725065628721, 0.002581436200158864,    -0.0017133263738865025,
      0.0009259703397012258, -0.00032273303497880735, 3.082966554043161e-06,
      8.36923532956357e-05,  -4.510022636990523e-05,  -1.449374846272441e-06,
      5.980250958291655e-06};
  const double w = -log1p_core(-x * x);
  const double inner = polynomial(kInner, (w - 2.5) / 2.5);
  const double outer =
      polynomial(kOuter, (__builtin_sqrt(w) - 3.218033988749895) / 0.9819660112501052);
  const double y = x * (w < 5.0 ? inner : outer);
  const double border = magnitude_of(x) == 1.0 ? with_sign_of(kInf64, x) : kNan64;
  return magnitude_of(x) < 1.0 ? y : border;
}

}  // namespace
}  // namespace understudy::program::kernels
