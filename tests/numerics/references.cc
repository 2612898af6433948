// SPDX-License-Identifier: Apache-2.0
#include "tests/numerics/references.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace understudy::numerics {
namespace {

using Z = std::complex<Real>;
constexpr Real kPi = std::numbers::pi_v<Real>;
// B(2j) / (2j)!, j = 1 ...
constexpr Real kBernoulli[] = {1.0L / 12,
                               -1.0L / 720,
                               1.0L / 30240,
                               -1.0L / 1209600,
                               1.0L / 47900160,
                               -691.0L / 1307674368000.0L,
                               1.0L / 74724249600.0L,
                               -3617.0L / 10670622842880000.0L};

// Recurrence up to 40, then the asymptotic series.
Real digamma(Real x) {
  if (x <= 0 && std::floor(x) == x) return std::numeric_limits<Real>::quiet_NaN();
  if (x < 0) {
    const Real part = x - std::rint(x);
    return digamma(1 - x) - kPi * std::cos(kPi * part) / std::sin(kPi * part);
  }
  Real sum = 0;
  for (; x < 40; ++x) sum -= 1 / x;
  Real power = 1;
  Real factorial = 1;  // (2j - 1)!
  Real series = 0;
  for (int j = 1; j <= 8; ++j) {
    power /= x * x;
    factorial *= j == 1 ? 1 : (2 * j - 2) * (2 * j - 1);
    series += kBernoulli[j - 1] * factorial * power;
  }
  return sum + std::log(x) - 1 / (2 * x) - series;
}

// Hurwitz zeta by Euler and Maclaurin from the 40th term on.
Real zeta(Real s, Real q) {
  Real sum = 0;
  for (int k = 0; k < 40; ++k, q += 1) sum += std::pow(q, -s);
  sum += std::pow(q, 1 - s) / (s - 1) + std::pow(q, -s) / 2;
  Real rising = s;
  Real power = std::pow(q, -s - 1);
  for (int j = 1; j <= 8; ++j) {
    sum += kBernoulli[j - 1] * rising * power;
    rising *= (s + 2 * j - 1) * (s + 2 * j);
    power /= q * q;
  }
  return sum;
}

Real polygamma(Real n, Real x) {
  if (n == 0) return digamma(x);
  const Real sign = std::fmod(n, 2.0L) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * zeta(n + 1, x);
}

Real bessel_i1e(Real x) {
  const Real a = std::fabs(x);
  Real sum = 0;
  Real term = a / 2;
  for (int k = 1; k < 400 && term > sum * 1e-22L; ++k) {
    sum += term;
    term *= a * a / (4.0L * k * (k + 1));
  }
  return std::copysign(sum * std::exp(-a), x);
}

// Newton's method, near 1 on the complement.
Real erf_inv(Real x) {
  const Real a = std::fabs(x);
  if (a == 1) return std::copysign(std::numeric_limits<Real>::infinity(), x);
  Real y = a < 0.5L ? a : std::sqrt(-std::log((1 - a) * (1 + a)));
  for (int step = 0; step < 60; ++step) {
    const Real miss = a < 0.5L ? std::erf(y) - a : (1 - a) - std::erfc(y);
    y -= miss * std::sqrt(kPi) / 2 * std::exp(y * y) / (1 + std::fabs(miss) * 1e-3L);
  }
  return std::copysign(y, x);
}

Z one_minus(const Z& z) { return {1 - z.real(), -z.imag()}; }
// exp(z) - 1 without cancellation, from expm1 and half angles.
Z exponential_minus_one(const Z& z) {
  const Real half = std::sin(z.imag() / 2);
  const Real grown = std::expm1(z.real());
  return {grown * std::cos(z.imag()) - 2 * half * half, (grown + 1) * std::sin(z.imag())};
}
Z log_plus_one(const Z& z) {
  const Real x = z.real();
  const Real y = z.imag();
  const Real length = std::hypot(1 + x, y);
  const bool near = length > 0.5L && length < 2;
  const Real re = near ? std::log1p(x * (2 + x) + y * y) / 2 : std::log(length);
  return {re, std::atan2(y, 1 + x)};
}
Z logistic(const Z& z) {
  const Z e = std::exp(z.real() < 0 ? z : -z);
  return (z.real() < 0 ? e : Z(1)) / (Z(1) + e);  // no poles among the test's arguments
}

template <class F>
struct Row {
  std::string_view name;
  F function;
  Range range{-4, 4};
};

constexpr Row<RealFunction> kReal[] = {
    {"exponential", [](Real x) { return std::exp(x); }, {-80, 80}},
    {"exponential_minus_one", [](Real x) { return std::expm1(x); }, {-30, 80}},
    {"log", [](Real x) { return std::log(x); }, {0, 10}},
    {"log_plus_one", [](Real x) { return std::log1p(x); }, {-1, 5}},
    {"logistic", [](Real x) { return 1 / (1 + std::exp(-x)); }, {-80, 40}},
    {"tanh", [](Real x) { return std::tanh(x); }, {-12, 12}},
    {"sine", [](Real x) { return std::sin(x); }, {-100, 100}},
    {"cosine", [](Real x) { return std::cos(x); }, {-100, 100}},
    {"tan", [](Real x) { return std::tan(x); }, {-100, 100}},
    {"sqrt", [](Real x) { return std::sqrt(x); }, {0, 10}},
    {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }, {0, 10}},
    {"cbrt", [](Real x) { return std::cbrt(x); }, {-10, 10}},
    {"asin", [](Real x) { return std::asin(x); }, {-1, 1}},
    {"acos", [](Real x) { return std::acos(x); }, {-1, 1}},
    {"atan", [](Real x) { return std::atan(x); }, {-10, 10}},
    {"sinh", [](Real x) { return std::sinh(x); }, {-80, 80}},
    {"cosh", [](Real x) { return std::cosh(x); }, {-80, 80}},
    {"asinh", [](Real x) { return std::asinh(x); }, {-10, 10}},
    {"acosh", [](Real x) { return std::acosh(x); }, {1, 100}},
    {"atanh", [](Real x) { return std::atanh(x); }, {-1, 1}},
    {"erf", [](Real x) { return std::erf(x); }, {-6, 6}},
    {"erfc", [](Real x) { return std::erfc(x); }, {-6, 25}},
    {"erf_inv", erf_inv, {-0.999, 0.999}},
    {"lgamma", [](Real x) { return std::lgamma(x); }, {0.01, 60}},
    {"digamma", digamma, {0.01, 60}},
    {"bessel_i1e", bessel_i1e, {-30, 30}},
};
constexpr Row<RealFunction2> kReal2[] = {
    {"atan2", [](Real y, Real x) { return std::atan2(y, x); }, {-10, 10}},
    {"power", [](Real x, Real y) { return std::pow(x, y); }, {0.1, 8}},
    {"polygamma", polygamma, {0.1, 30}},
    {"zeta", zeta, {1.05, 20}},
};
constexpr Row<ComplexFunction> kComplex[] = {
    {"exponential", [](const Z& z) { return std::exp(z); }},
    {"exponential_minus_one", exponential_minus_one},
    {"log", [](const Z& z) { return log_plus_one(-one_minus(z)); }},
    {"log_plus_one", log_plus_one},
    {"logistic", logistic},
    {"tanh", [](const Z& z) { return std::tanh(z); }},
    {"sine", [](const Z& z) { return std::sin(z); }},
    {"cosine", [](const Z& z) { return std::cos(z); }},
    {"tan", [](const Z& z) { return std::tan(z); }},
    {"sqrt", [](const Z& z) { return std::sqrt(z); }},
    {"rsqrt", [](const Z& z) { return Z(1) / std::sqrt(z); }},
    {"asin", [](const Z& z) { return std::asin(z); }},
    {"acos", [](const Z& z) { return std::acos(z); }},
    {"atan", [](const Z& z) { return std::atan(z); }},
    {"sinh", [](const Z& z) { return std::sinh(z); }},
    {"cosh", [](const Z& z) { return std::cosh(z); }},
    {"asinh", [](const Z& z) { return std::asinh(z); }},
    {"acosh", [](const Z& z) { return std::acosh(z); }},
    {"atanh", [](const Z& z) { return std::atanh(z); }},
};

template <class Rows>
auto find(const Rows& rows, std::string_view name) -> decltype(rows[0].function) {
  for (const auto& row : rows) {
    if (row.name == name) return row.function;
  }
  return nullptr;
}

}  // namespace

RealFunction real_function(std::string_view name) { return find(kReal, name); }
RealFunction2 real_function2(std::string_view name) { return find(kReal2, name); }
ComplexFunction complex_function(std::string_view name) { return find(kComplex, name); }

Range range_of(std::string_view name) {
  for (const auto& row : kReal) {
    if (row.name == name) return row.range;
  }
  for (const auto& row : kReal2) {
    if (row.name == name) return row.range;
  }
  return {-4, 4};
}

}  // namespace understudy::numerics
