// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: special functions that programs seldom use, element by element in double.
// They may branch and call libm: correctness matters here, speed does not.
#pragma once

#include "program/kernels/math.inl.h"

extern "C" double lgamma_r(double x, int* sign) noexcept;

namespace understudy::program::kernels {
namespace {

constexpr double kPi = 3.141592653589793;

// lgamma_r, as lgamma writes the global signgam, a race between threads.
inline double lgamma_core(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

// digamma(x) = digamma(x + 1) - 1/x until x >= 10, then the asymptotic series with terms B(2j) /
// (2j x^2j); the first omitted one is below 5e-17 there. Negative x by reflection, digamma(1 - x) -
// digamma(x) = pi cot(pi x). Poles give NaN, as in XLA.
UNDERSTUDY_ONCE double digamma_core(double x) {
  constexpr double kSeries[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                1.0 / 132, -691.0 / 32760, 1.0 / 12};
  if (x != x || x == -kInf64 || (x <= 0.0 && __builtin_floor(x) == x)) return kNan64;
  if (x == kInf64) return x;
  double reflected = 0.0;
  if (x < 0.0) {
    const double part = x - __builtin_rint(x);  // exact; the tangent has period 1 in it
    reflected = -kPi / __builtin_tan(kPi * part);
    x = 1.0 - x;
  }
  double below = 0.0;
  for (; x < 10.0; x += 1.0) below -= 1.0 / x;
  const double z = 1.0 / (x * x);
  return reflected + below + __builtin_log(x) - 0.5 / x - z * polynomial(kSeries, z);
}

// Bernoulli numbers over factorials, B(2j)/(2j)!.
constexpr double kBernoulli[] = {1.0 / 12,
                                 -1.0 / 720,
                                 1.0 / 30240,
                                 -1.0 / 1209600,
                                 1.0 / 47900160,
                                 -691.0 / 1307674368000.0,
                                 1.0 / 74724249600.0,
                                 -3617.0 / 10670622842880000.0};

// Hurwitz zeta by Euler-Maclaurin summation: at least 12 terms and up to q >= 10 directly, then the
// integral, half the next term, and eight Bernoulli corrections. For x > 1; q <= 0 has poles at the
// integers.
UNDERSTUDY_ONCE double zeta_core(double x, double q) {
  if (x == 1.0) return kInf64;
  if (!(x > 1.0) || q != q) return kNan64;
  if (q <= 0.0) {
    if (__builtin_floor(q) == q) return kInf64;
    if (__builtin_floor(x) != x) return kNan64;
  }
  double sum = 0.0;
  double at = q;
  for (int i = 0; i < 12 || at < 10.0; ++i, at += 1.0) sum += __builtin_pow(at, -x);
  sum += __builtin_pow(at, 1.0 - x) / (x - 1.0) + 0.5 * __builtin_pow(at, -x);
  double rising = x;
  double power = __builtin_pow(at, -x - 1.0);
  for (int j = 0; j < 8; ++j) {
    sum += kBernoulli[j] * rising * power;
    rising *= (x + 2.0 * j + 1.0) * (x + 2.0 * j + 2.0);
    power /= at * at;
  }
  return sum;
}

// polygamma(n, x) = (-1)^(n+1) n! zeta(n + 1, x).
UNDERSTUDY_ONCE double polygamma_core(double n, double x) {
  if (n == 0.0) return digamma_core(x);
  if (!(n > 0.0) || __builtin_floor(n) != n) return kNan64;
  const double sign = __builtin_fmod(n, 2.0) == 0.0 ? -1.0 : 1.0;
  return sign * __builtin_exp(lgamma_core(n + 1.0)) * zeta_core(n + 1.0, x);
}

// exp(-|x|) I1(x). Up to 30 the power series, whose terms are all positive and so do not cancel;
// beyond, the asymptotic series in 1/x. The factor exp(-|x|) cannot underflow at 30.
UNDERSTUDY_ONCE double bessel_i1e_core(double x) {
  const double a = magnitude_of(x);
  if (x != x) return x;
  if (a == kInf64) return 0.0;
  double y = 0.0;
  if (a < 30.0) {
    double term = 0.5 * a;
    for (int k = 1; k < 200 && term > y * 1e-18; ++k) {
      y += term;
      term *= 0.25 * a * a / (static_cast<double>(k) * (k + 1.0));
    }
    y *= __builtin_exp(-a);
  } else {
    double term = 1.0;
    for (int k = 1; k < 20; ++k) {
      y += term;
      term *= -(4.0 - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * a * k);
    }
    y /= __builtin_sqrt(2.0 * kPi * a);
  }
  return x < 0.0 ? -y : y;
}

// Full double precision from the f32 approximation by Halley's method, which triples the digits per
// step: three steps suffice. Near 1 the starting value is clipped to the range of that
// approximation, so more steps are needed, and erfc replaces erf to keep the digits of 1 - |x|.
// 0.886... = sqrt(pi) / 2 is 1 over erf'(0).
UNDERSTUDY_ONCE double erf_inv_full(double x) {
  if (!(magnitude_of(x) < 1.0)) return erf_inv_core(x);
  const double a = magnitude_of(x);
  const double clipped = a > 0.99999994 ? 0.99999994 : a;
  double y = magnitude_of(erf_inv_core(clipped));
  for (int step = 0; step < (a > 0.99999 ? 40 : 3); ++step) {
    const double miss = a < 0.5 ? __builtin_erf(y) - a : (1.0 - a) - __builtin_erfc(y);
    const double newton = miss * 0.886226925452758 * __builtin_exp(y * y);
    y -= newton / (1.0 + y * newton);
  }
  return with_sign_of(y, x);
}

}  // namespace
}  // namespace understudy::program::kernels
