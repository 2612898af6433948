// SPDX-License-Identifier: Apache-2.0
// f32 functions against the C library in long double: the bounds stand in units of the last place
// of the correctly rounded result. They are those of docs/numerics.md.
#include <complex>
#include <functional>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

using Exact = std::function<long double(long double)>;

struct Function {
  const char* name;
  UnaryOp op;
  Exact exact;
  double low, high;
  double bound;  // ulp
};

double ulps(float got, long double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(got) && std::isnan(rounded)) return 0;
  if (got == rounded) return 0;
  const float unit = std::nextafter(std::fabs(rounded), std::numeric_limits<float>::infinity()) -
                     std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) /
                             static_cast<long double>(unit));
}

class Accuracy : public testing::TestWithParam<Function> {};

TEST_P(Accuracy, StaysWithinItsBound) {
  const Function& f = GetParam();
  std::vector<float> x;
  const int kSteps = 20000;
  for (int i = 0; i <= kSteps; ++i) {
    x.push_back(static_cast<float>(f.low + (f.high - f.low) * i / kSteps));
  }
  for (float small = 1e-44F; small < 1.0F; small *= 1.37F) {
    if (small <= f.high && small >= f.low) x.push_back(small);
    if (-small >= f.low) x.push_back(-small);
  }
  std::vector<float> y(x.size());
  table().unary(f.op, ElementType::f32)(x.data(), y.data(), x.size());
  double worst = 0;
  float worst_at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = ulps(y[i], f.exact(static_cast<long double>(x[i])));
    if (error > worst || std::isnan(error)) {
      worst = std::isnan(error) ? 1e9 : error;
      worst_at = x[i];
    }
  }
  EXPECT_LE(worst, f.bound) << f.name << " at " << worst_at;
}

long double logistic(long double x) { return 1 / (1 + std::exp(-x)); }

INSTANTIATE_TEST_SUITE_P(
    F32, Accuracy,
    testing::Values(
        Function{"exp", UnaryOp::exponential, [](long double x) { return std::exp(x); }, -103, 89,
                 1.2},
        Function{"expm1", UnaryOp::exponential_minus_one,
                 [](long double x) { return std::expm1(x); }, -20, 89, 1.7},
        Function{"log", UnaryOp::log, [](long double x) { return std::log(x); }, 1e-44, 1e4, 0.9},
        Function{"log1p", UnaryOp::log_plus_one, [](long double x) { return std::log1p(x); },
                 -0.999, 1e3, 1.6},
        Function{"logistic", UnaryOp::logistic, logistic, -80, 30, 3.0},
        Function{"tanh", UnaryOp::tanh, [](long double x) { return std::tanh(x); }, -12, 12, 3.0},
        Function{"sin", UnaryOp::sine, [](long double x) { return std::sin(x); }, -2e6, 2e6, 1.8},
        Function{"cos", UnaryOp::cosine, [](long double x) { return std::cos(x); }, -2e6, 2e6, 1.8},
        Function{"sin near 0", UnaryOp::sine, [](long double x) { return std::sin(x); }, -10, 10,
                 1.8},
        Function{"sin far", UnaryOp::sine, [](long double x) { return std::sin(x); }, -5e9, 5e9,
                 1.8},
        Function{"cos far", UnaryOp::cosine, [](long double x) { return std::cos(x); }, -5e9, 5e9,
                 1.8},
        Function{"tan far", UnaryOp::tan, [](long double x) { return std::tan(x); }, -5e9, 5e9,
                 4.5},
        Function{"tan", UnaryOp::tan, [](long double x) { return std::tan(x); }, -100, 100, 4.5},
        Function{"sqrt", UnaryOp::sqrt, [](long double x) { return std::sqrt(x); }, 0, 1e5, 0.51},
        Function{"rsqrt", UnaryOp::rsqrt, [](long double x) { return 1 / std::sqrt(x); }, 1e-44,
                 1e5, 1.8},
        Function{"cbrt", UnaryOp::cbrt, [](long double x) { return std::cbrt(x); }, -1e5, 1e5,
                 0.51},
        Function{"erf", UnaryOp::erf, [](long double x) { return std::erf(x); }, -5, 5, 7.0},
        Function{"erfc", UnaryOp::erfc, [](long double x) { return std::erfc(x); }, -5, 9, 0.51},
        Function{"sinh", UnaryOp::sinh, [](long double x) { return std::sinh(x); }, -88, 88, 0.51},
        Function{"cosh", UnaryOp::cosh, [](long double x) { return std::cosh(x); }, -88, 88, 0.51},
        Function{"atan", UnaryOp::atan, [](long double x) { return std::atan(x); }, -50, 50, 0.51},
        Function{"acosh", UnaryOp::acosh, [](long double x) { return std::acosh(x); }, 1, 1e3, 1.8},
        Function{"lgamma", UnaryOp::lgamma, [](long double x) { return std::lgamma(x); }, 0.01, 100,
                 0.51}),
    [](const auto& chosen) {
      std::string name = chosen.param.name;
      for (char& c : name) c = c == ' ' ? '_' : c;
      return name;
    });

// Every lane of a vector by itself: what vanishes, denormal results and others side by side.
TEST(Exponential, VanishesBelowTheLeastDenormal) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float border = std::nextafter(-104.0F, -infinity);
  const std::vector<float> values{-infinity, -1e30F, -200.0F, border, -104.0F, -103.5F,
                                  -90.0F,    -1.0F,  0.0F,    80.0F,  infinity};
  std::vector<float> x;
  for (int i = 0; i < 300; ++i) x.push_back(values[static_cast<std::size_t>(i) % values.size()]);
  std::vector<float> y(x.size());
  table().unary(UnaryOp::exponential, ElementType::f32)(x.data(), y.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] <= -104.0F) {
      EXPECT_EQ(y[i], 0.0F) << x[i];
      EXPECT_FALSE(std::signbit(y[i])) << x[i];
    } else {
      EXPECT_LE(ulps(y[i], std::exp(static_cast<long double>(x[i]))), 1.5) << x[i];
    }
  }
  EXPECT_TRUE(std::isnan(unary(UnaryOp::exponential, ElementType::f32, std::nanf(""))));
}

// 2.5 units of the last place: the f32 polynomials measured 2.43 (docs/numerics.md).
TEST(ErfInv, IsTheInverseOfErf) {
  for (float x = -0.9999F; x < 1.0F; x += 0.00173F) {
    const float y = unary(UnaryOp::erf_inv, ElementType::f32, x);
    const auto slope = 1.1283791670955126L * std::exp(-static_cast<long double>(y) * y);
    const long double miss = (std::erf(static_cast<long double>(y)) - x) / slope;
    EXPECT_LE(static_cast<double>(std::fabs(miss)),
              2.5 * std::fabs(static_cast<double>(y)) * 1.2e-7 + 1e-45)
        << x;
    const double wide = unary(UnaryOp::erf_inv, ElementType::f64, static_cast<double>(x));
    EXPECT_NEAR(std::erf(wide), static_cast<double>(x), 4e-16) << x;
  }
}

TEST(Digamma, MeetsKnownValues) {
  EXPECT_NEAR(unary(UnaryOp::digamma, ElementType::f64, 1.0), -0.5772156649015329, 1e-14);
  EXPECT_NEAR(unary(UnaryOp::digamma, ElementType::f64, 0.25), -4.2274535333762654, 1e-13);
  EXPECT_NEAR(unary(UnaryOp::digamma, ElementType::f64, -0.5), 0.03648997397857652, 1e-13);
  EXPECT_TRUE(std::isnan(unary(UnaryOp::digamma, ElementType::f64, -2.0)));
}

TEST(Zeta, MeetsKnownValues) {
  EXPECT_NEAR(binary(BinaryOp::zeta, ElementType::f64, 2.0, 1.0), 1.6449340668482264, 1e-14);
  EXPECT_NEAR(binary(BinaryOp::zeta, ElementType::f64, 3.5, 2.5), 0.0651712515896597, 1e-15);
  EXPECT_NEAR(binary(BinaryOp::polygamma, ElementType::f64, 1.0, 1.0), 1.6449340668482264, 1e-14);
  EXPECT_NEAR(binary(BinaryOp::polygamma, ElementType::f64, 2.0, 1.0), -2.404113806319188, 1e-13);
}

TEST(BesselI1e, MeetsKnownValues) {
  EXPECT_NEAR(unary(UnaryOp::bessel_i1e, ElementType::f64, 1.0), 0.2079104153497085, 1e-15);
  EXPECT_NEAR(unary(UnaryOp::bessel_i1e, ElementType::f64, -10.0), -0.12126268138445547, 1e-15);
  EXPECT_NEAR(unary(UnaryOp::bessel_i1e, ElementType::f64, 50.0), 0.05599312389289544, 1e-14);
}

TEST(ComplexKernels, MeetKnownValues) {
  using C = std::complex<double>;
  const auto near = [](C got, double re, double im) {
    EXPECT_NEAR(got.real(), re, 1e-14);
    EXPECT_NEAR(got.imag(), im, 1e-14);
  };
  const C x{1.0, 2.0};
  const auto f = [&](UnaryOp op) { return unary(op, ElementType::c128, x); };
  near(f(UnaryOp::exponential), -1.1312043837568135, 2.4717266720048188);
  near(f(UnaryOp::log), 0.8047189562170503, 1.1071487177940904);
  near(f(UnaryOp::sqrt), 1.272019649514069, 0.7861513777574233);
  near(f(UnaryOp::tanh), 1.16673625724092, -0.24345820118572525);
  near(f(UnaryOp::sine), 3.165778513216168, 1.9596010414216058);
  near(f(UnaryOp::cosine), 2.0327230070196656, -3.0518977991518);
  near(binary(BinaryOp::divide, ElementType::c128, x, C{3.0, -4.0}), -0.2, 0.4);
  near(binary(BinaryOp::multiply, ElementType::c128, x, C{3.0, -4.0}), 11.0, 2.0);
  near(binary(BinaryOp::power, ElementType::c128, x, C{2.0, 0.0}), -3.0, 4.0);
}

}  // namespace
}  // namespace understudy::program::kernels
