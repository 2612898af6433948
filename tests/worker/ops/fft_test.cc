// SPDX-License-Identifier: Apache-2.0
// Fourier transforms against the definition, summed in long double.
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <random>

#include "gtest/gtest.h"

#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

using Complex = std::complex<double>;

std::vector<double> normal_doubles(std::size_t n, std::uint32_t seed = 3) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(n);
  for (double& value : values) value = normal(random);
  return values;
}

std::vector<Complex> transformed(const Complex* x, std::size_t n, int sign) {
  std::vector<Complex> y(n);
  std::vector<std::complex<long double>> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle = sign * 2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(k) / static_cast<long double>(n);
    roots[k] = {std::cos(angle), std::sin(angle)};
  }
  for (std::size_t k = 0; k < n; ++k) {
    // Written out: the product of complex numbers checks for infinities.
    long double re = 0, im = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const auto root = roots[j * k % n];
      re += x[j].real() * root.real() - x[j].imag() * root.imag();
      im += x[j].real() * root.imag() + x[j].imag() * root.real();
    }
    y[k] = Complex(static_cast<double>(re), static_cast<double>(im));
  }
  return y;
}

std::string text_of(const char* kind, const std::string& length, const std::string& from,
                    const std::string& to) {
  return fmt::format(
      "func.func @main(%x: tensor<{2}>) -> tensor<{3}> {{\n"
      "%y = stablehlo.fft %x, type = {0}, length = [{1}] : (tensor<{2}>) -> tensor<{3}>\n"
      "return %y : tensor<{3}>\n}}\n",
      kind, length, from, to);
}

void expect_near(const std::vector<double>& got, const std::vector<double>& want, double units) {
  ASSERT_EQ(got.size(), want.size());
  double largest = 0, far = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = std::max(largest, std::abs(want[i]));
    far = std::max(far, std::abs(got[i] - want[i]));
  }
  EXPECT_LE(far, units * 2.3e-16 * (largest + 1e-300));
}

std::vector<double> parts_of(const std::vector<Complex>& values) {
  std::vector<double> parts;
  for (const Complex& value : values) {
    parts.push_back(value.real());
    parts.push_back(value.imag());
  }
  return parts;
}

// Radices 2 to 127 and their products, primes beyond, and one length of several passes.
const std::size_t kLengths[] = {1,    2,   3,   4,   5,   6,   7,   8,   9,   10,  11,   12,
                                13,   14,  15,  16,  17,  19,  22,  23,  25,  26,  29,   31,
                                32,   34,  37,  49,  60,  62,  64,  77,  81,  96,  97,   101,
                                121,  125, 128, 143, 169, 210, 256, 257, 289, 360, 437,  527,
                                1001, 41,  74,  113, 127, 131, 254, 262, 592, 999, 1016, 1271};

class Lines : public testing::TestWithParam<std::size_t> {};

TEST_P(Lines, ComplexBothWays) {
  const std::size_t n = GetParam();
  for (const std::size_t lines : {1U, 3U, 19U}) {
    const auto x = normal_doubles(2 * n * lines);
    const std::string type = fmt::format("{}x{}xcomplex<f64>", lines, n);
    for (const int sign : {-1, 1}) {
      std::vector<double> want;
      for (std::size_t line = 0; line < lines; ++line) {
        std::vector<Complex> one(n);
        for (std::size_t k = 0; k < n; ++k) {
          const std::size_t at = 2 * (line * n + k);
          one[k] = {x[at], x[at + 1]};
        }
        for (const double part : parts_of(transformed(one.data(), n, sign)))
          want.push_back(sign < 0 ? part : part / static_cast<double>(n));
      }
      const auto got = run_program(
          text_of(sign < 0 ? "FFT" : "IFFT", std::to_string(n), type, type), {bytes_of(x)});
      SCOPED_TRACE(fmt::format("{} lines of {}, sign {}", lines, n, sign));
      expect_near(values_of<double>(got[0]), want, 40);
    }
  }
}

TEST_P(Lines, RealBothWays) {
  const std::size_t n = GetParam(), half = n / 2 + 1;
  constexpr std::size_t kAll = 11;
  const auto x = normal_doubles(n * kAll);
  const std::string real = fmt::format("{}x{}xf64", kAll, n);
  const std::string spectrum = fmt::format("{}x{}xcomplex<f64>", kAll, half);
  std::vector<double> want;
  for (std::size_t line = 0; line < kAll; ++line) {
    const std::vector<Complex> one(x.begin() + static_cast<std::ptrdiff_t>(line * n),
                                   x.begin() + static_cast<std::ptrdiff_t>((line + 1) * n));
    auto whole = transformed(one.data(), n, -1);
    whole.resize(half);
    for (const double part : parts_of(whole)) want.push_back(part);
  }
  const auto there = run_program(text_of("RFFT", std::to_string(n), real, spectrum), {bytes_of(x)});
  expect_near(values_of<double>(there[0]), want, 40);
  const auto back = run_program(text_of("IRFFT", std::to_string(n), spectrum, real), {there[0]});
  expect_near(values_of<double>(back[0]), x, 40);
}

INSTANTIATE_TEST_SUITE_P(Fft, Lines, testing::ValuesIn(kLengths));

// The imaginary parts of the first and the middle value belong to no real line.
TEST(Fft, InverseRealIgnoresImpossibleParts) {
  for (const std::size_t n : {6U, 8U, 22U}) {
    auto x = normal_doubles(2 * (n / 2 + 1));
    const std::string spectrum = fmt::format("{}xcomplex<f64>", n / 2 + 1);
    const std::string real = fmt::format("{}xf64", n);
    const auto text = text_of("IRFFT", std::to_string(n), spectrum, real);
    const auto some = run_program(text, {bytes_of(x)});
    x[1] = 17;
    x.back() = -5;
    EXPECT_TRUE(run_program(text, {bytes_of(x)}) == some);
  }
}

// The dimensions before the last are transformed as columns: with many neighbours, with few, and of
// a length with a large prime factor.
TEST(Fft, ThreeDimensions) {
  for (const auto& sizes : {std::array<std::size_t, 3>{3, 5, 8}, {4, 17, 3}, {2, 20, 37}}) {
    const auto [a, b, c] = sizes;
    SCOPED_TRACE(fmt::format("{} {} {}", a, b, c));
    const auto x = normal_doubles(2 * a * b * c);
    const std::string type = fmt::format("{}x{}x{}xcomplex<f64>", a, b, c);
    const auto got =
        run_program(text_of("FFT", fmt::format("{}, {}, {}", a, b, c), type, type), {bytes_of(x)});
    const auto rows = run_program(text_of("FFT", std::to_string(c), type, type), {bytes_of(x)});
    auto values = values_of<double>(rows[0]);
    const auto along = [&](std::size_t outer, std::size_t n, std::size_t inner) {
      for (std::size_t o = 0; o < outer; ++o)
        for (std::size_t i = 0; i < inner; ++i) {
          std::vector<Complex> line(n);
          const auto at = [&](std::size_t k) { return 2 * ((o * n + k) * inner + i); };
          for (std::size_t k = 0; k < n; ++k) line[k] = {values[at(k)], values[at(k) + 1]};
          line = transformed(line.data(), n, -1);
          for (std::size_t k = 0; k < n; ++k) {
            values[at(k)] = line[k].real();
            values[at(k) + 1] = line[k].imag();
          }
        }
    };
    along(a, b, c);
    along(1, a, b * c);
    expect_near(values_of<double>(got[0]), values, 60);
  }
}

// The inverse of a real transform of several dimensions keeps its spectrum apart.
TEST(Fft, RealOfTwoDimensionsAndBack) {
  const auto x = normal_doubles(6 * 10);
  const auto spectrum =
      run_program(text_of("RFFT", "6, 10", "6x10xf64", "6x6xcomplex<f64>"), {bytes_of(x)})[0];
  const auto back =
      run_program(text_of("IRFFT", "6, 10", "6x6xcomplex<f64>", "6x10xf64"), {spectrum})[0];
  expect_near(values_of<double>(back), x, 40);
}

// A line with a NaN leaves the lines beside it, which are transformed with it, as they are.
TEST(Fft, NanStaysInItsLine) {
  auto x = normal_doubles(4 * 16);
  const auto text = text_of("RFFT", "16", "4x16xf64", "4x9xcomplex<f64>");
  const auto clean = values_of<double>(run_program(text, {bytes_of(x)})[0]);
  x[16 + 3] = std::numeric_limits<double>::quiet_NaN();
  const auto got = values_of<double>(run_program(text, {bytes_of(x)})[0]);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (i / 18 == 1) {
      EXPECT_TRUE(std::isnan(got[i]));
    } else {
      EXPECT_EQ(got[i], clean[i]);
    }
  }
}

// f32 is computed in f32. The bound is above the largest errors measured (docs/numerics.md).
TEST(Fft, SinglePrecision) {
  for (const std::size_t n : {5U, 16U, 100U, 256U, 509U, 1024U, 1500U, 4096U, 4099U})
    for (const std::size_t lines : {1U, 18U}) {
      SCOPED_TRACE(fmt::format("{} lines of {}", lines, n));
      const auto x = normal_doubles(2 * n * lines);
      const std::vector<float> narrow(x.begin(), x.end());
      const std::vector<double> wide(narrow.begin(), narrow.end());
      const std::string shape = fmt::format("{}x{}xcomplex", lines, n);
      const auto run = [&](const char* kind, const char* type, const Bytes& from) {
        const std::string all = fmt::format("{}<{}>", shape, type);
        return run_program(text_of(kind, std::to_string(n), all, all), {from})[0];
      };
      const Bytes spectrum = run("FFT", "f32", bytes_of(narrow));
      const auto got = values_of<float>(spectrum);
      const auto want = values_of<double>(run("FFT", "f64", bytes_of(wide)));
      expect_near(std::vector<double>(got.begin(), got.end()), want, 4.4e-7 / 2.3e-16);
      const auto back = values_of<float>(run("IFFT", "f32", spectrum));
      expect_near(std::vector<double>(back.begin(), back.end()), wide, 8.8e-7 / 2.3e-16);
    }
}

}  // namespace
}  // namespace understudy::worker
