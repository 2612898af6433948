// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: functions of f32 that programs use less, in double with a relative error
// near 1e-11, rounded once by the caller. Branch-free, so they vectorise. The polynomials come from
// tests/numerics/fit.py.
#pragma once

#include "program/kernels/rare_math.inl.h"

namespace understudy::program::kernels {
namespace {

constexpr double kHalfPi = 1.5707963267948966;

// atan u for 0 <= u <= 1: u times a polynomial in 2u^2 - 1.
inline double arc_core(double u) {
  constexpr double kAtan[] = {
      0.8704197513683741,      -0.10187654224725719,    0.020851851083519383,
      -0.00503086651560894,    0.0013155879068870759,   -0.0003609595473804841,
      0.00010226498383528536,  -2.9725795976266735e-05, 8.777321316691965e-06,
      -2.4919126176239462e-06, 7.440127042134318e-07,   -3.322740655040133e-07,
      1.0502074891430683e-07};
  return u * polynomial(kAtan, 2.0 * u * u - 1.0);
}
inline double atan_core(double x) {
  const double a = magnitude_of(x);
  const double y = arc_core(a > 1.0 ? 1.0 / a : a);
  return with_sign_of(a > 1.0 ? kHalfPi - y : y, x);
}
inline double atan2_core(double y, double x) {
  const double a = magnitude_of(y);
  const double b = magnitude_of(x);
  const double small = a < b ? a : b;
  const double large = a < b ? b : a;
  const double ratio = large == 0.0 ? 0.0 : small == kInf64 ? 1.0 : small / large;
  double angle = arc_core(ratio);
  angle = a > b ? kHalfPi - angle : angle;
  angle = (__builtin_bit_cast(u64, x) >> 63) != 0 ? kPi - angle : angle;
  return x != x || y != y ? kNan64 : with_sign_of(angle, y);
}
// Beyond 1 the square root is NaN. The factors keep the digits of 1 - x^2.
inline double asin_core(double x) { return atan_core(x / __builtin_sqrt((1.0 - x) * (1.0 + x))); }
inline double acos_core(double x) { return 2.0 * atan_core(__builtin_sqrt((1.0 - x) / (1.0 + x))); }
inline double asinh_core(double x) {
  const double a = magnitude_of(x);
  const double square = a * a;
  const double y = log1p_core(a + square / (1.0 + __builtin_sqrt(square + 1.0)));
  return with_sign_of(a == kInf64 ? a : y, x);
}
inline double acosh_core(double x) {
  const double over = x - 1.0;
  const double y = log1p_core(over + __builtin_sqrt(over * (over + 2.0)));
  return x < 1.0 ? kNan64 : y;
}
inline double atanh_core(double x) {
  const double a = magnitude_of(x);
  return with_sign_of(0.5 * log1p_core(2.0 * a / (1.0 - a)), x);
}
// log(gamma(x)) for x >= 1: near the zeros at 1 and 2 by (x - 1) (x - 2) p(x - 2), up to 8 by a
// polynomial, beyond by Stirling's series (omitted 1/1188 x^-9 < 7e-12). `log_x`: log x.
inline double lgamma_above_one(double x, double log_x) {
  constexpr double kLgammaNear[] = {
      0.4227843351007812,      -0.10031730152107927,    0.03296500025164106,
      -0.012384199426667665,   0.004998650844602135,    -0.002108031727894909,
      0.0009152797615510285,   -0.0004063129460384815,  0.00018303771411834659,
      -8.115387371982945e-05,  3.68236378259273e-05,    -2.112737000260473e-05,
      1.0371814578428345e-05,  -4.5068384901261115e-07, -1.1836582091173055e-07,
      -2.4597511816361853e-06, 1.246828837539366e-06};
  constexpr double kLgammaMiddle[] = {
      3.9578139676030433,      4.027732871513703,       0.6229449613233191,
      -0.10314830364624153,    0.025538033090888434,    -0.007563931095775927,
      0.0024820712158862878,   -0.0008701116199397503,  0.00031801211412751793,
      -0.00012039367710332263, 4.9669942854042794e-05,  -2.0122647675392977e-05,
      4.815825342635224e-06,   -1.7072365068637616e-06, 2.739679879633317e-06,
      -1.2113338394468378e-06};
  constexpr double kStirling[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680};
  const double near = (x - 1.0) * (x - 2.0) * polynomial(kLgammaNear, x - 2.0);
  const double middle = polynomial(kLgammaMiddle, (x - 5.5) / 2.5);
  const double inverse = 1.0 / x;
  const double far = ((x - 0.5) * log_x - x) + 0.9189385332046728 +
                     inverse * polynomial(kStirling, inverse * inverse);
  return x < 3.0 ? near : x < 8.0 ? middle : far;
}
// Negative arguments by reflection, small ones by lgamma(x) = lgamma(x + 1) - log x.
inline double lgamma_fast(double x) {
  const bool negative = x < 0.0;
  const double positive = negative ? 1.0 - x : x;
  const bool small = positive < 1.0;
  const double log_x = log_positive(positive);
  const double y = lgamma_above_one(small ? positive + 1.0 : positive, log_x);
  const double above = small ? y - log_x : y;
  const double part = x - __builtin_rint(x);
  const double reflected = log_positive(kPi / magnitude_of(sine_core(kPi * part, 0))) - above;
  return negative ? reflected : above;
}
// By the recurrence digamma(x) = digamma(x + 8) - p'(x) / p(x), p = x (x + 1) ... (x + 7), and the
// asymptotic series (omitted x^-12 * 691/32760 < 4e-13). Negative arguments by reflection.
inline double digamma_fast(double x) {
  constexpr double kProduct[] = {0, 5040, 13068, 13132, 6769, 1960, 322, 28, 1};
  constexpr double kDerivative[] = {5040, 26136, 39396, 27076, 9800, 1932, 196, 8};
  constexpr double kSeries[] = {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132};
  const bool negative = x < 0.0;
  const double positive = negative ? 1.0 - x : x;
  const bool below = positive < 8.0;
  const double at = below ? positive + 8.0 : positive;
  const double inside = below ? positive : 1.0;
  const double step = polynomial(kDerivative, inside) / polynomial(kProduct, inside);
  const double z = 1.0 / (at * at);
  const double far = log_positive(at) - 0.5 / at - z * polynomial(kSeries, z);
  const double y = below ? far - step : far;
  const double angle = kPi * (x - __builtin_rint(x));
  return negative ? y - kPi * sine_core(angle, 1) / sine_core(angle, 0) : y;
}

}  // namespace
}  // namespace understudy::program::kernels
