// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers, which are products of floats, against sums in double.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"

namespace understudy::worker::complex_products {
namespace {

using Number = std::complex<float>;
using Numbers = std::vector<Number>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }

// Dense along rows or along columns, or along neither of them.
enum class Layout : std::uint8_t { rows, columns, apart };

// Matrices of a batch, with two elements between them; one for all of them where `is_shared`.
struct Matrices {
  std::int64_t rows, columns, row_stride, column_stride, step;
  Numbers at;

  Matrices(std::int64_t count, std::int64_t r, std::int64_t c, Layout layout, bool is_shared,
           unsigned seed)
      : rows(r),
        columns(c),
        row_stride(layout == Layout::columns ? 1
                   : layout == Layout::rows  ? c + 1
                                             : 3 * c),
        column_stride(layout == Layout::columns ? r + 1
                      : layout == Layout::rows  ? 1
                                                : 3),
        step(is_shared ? 0 : (r - 1) * row_stride + (c - 1) * column_stride + 3),
        // What is between the elements must not be read as one.
        at(size_of((count - 1) * step + (r - 1) * row_stride + (c - 1) * column_stride + 1),
           Number(kNan, kNan)) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (std::int64_t i = 0; i < (is_shared ? 1 : count); ++i)
      for (std::int64_t e = 0; e < r * c; ++e)
        one(i, e / c, e % c) = Number(normal(random), normal(random));
  }
  Number& one(std::int64_t i, std::int64_t row, std::int64_t column) {
    return at[size_of(i * step + row * row_stride + column * column_stride)];
  }
  MatrixView view() const { return {program::ElementType::c64, row_stride, column_stride}; }
};

struct Shape {
  std::int64_t count, m, n, k;
};

class ComplexProducts : public testing::TestWithParam<Mxu::Make> {
 protected:
  Numbers multiply(const Shape& s, Matrices& a, Matrices& b, std::uint64_t vmem_bytes = 8 << 20) {
    Product p;
    p.m = s.m;
    p.n = s.n;
    p.k = s.k;
    p.lhs = a.view();
    p.rhs = b.view();
    p.out = program::ElementType::c64;
    Vmem vmem(vmem_bytes);
    const std::size_t size = size_of(s.count * s.m * s.n);
    const Number unwritten(12345, 54321);
    Numbers out(size + 2, unwritten);
    unit_.multiply(p, {s.count, a.step, b.step}, reinterpret_cast<const std::byte*>(a.at.data()),
                   reinterpret_cast<const std::byte*>(b.at.data()),
                   reinterpret_cast<std::byte*>(out.data() + 1), vmem);
    EXPECT_EQ(vmem.used(), 0U);
    EXPECT_EQ(out.front(), unwritten);
    EXPECT_EQ(out.back(), unwritten);
    return {out.begin() + 1, out.end() - 1};
  }

  // The error of 2 k products and as many sums of floats.
  static void expect_near(const Shape& s, Matrices& a, Matrices& b, const Numbers& got) {
    for (std::int64_t i = 0; i < s.count * s.m * s.n; ++i) {
      const std::int64_t batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
      std::complex<double> sum;
      double size = 0;
      for (std::int64_t k = 0; k < s.k; ++k) {
        const std::complex<double> x(a.one(batch, row, k)), y(b.one(batch, k, column));
        sum += x * y;
        size +=
            (std::abs(x.real()) + std::abs(x.imag())) * (std::abs(y.real()) + std::abs(y.imag()));
      }
      const double bound = 0x1p-24 * static_cast<double>(2 * s.k + 1) * size;
      ASSERT_NEAR(static_cast<double>(got[size_of(i)].real()), sum.real(), bound) << i;
      ASSERT_NEAR(static_cast<double>(got[size_of(i)].imag()), sum.imag(), bound) << i;
    }
  }

  void expect_products(const Shape& s, Layout left, Layout right, bool is_shared,
                       std::uint64_t vmem_bytes = 8 << 20) {
    SCOPED_TRACE(fmt::format("{} of {} x {} x {}, layouts {} {}, {} bytes of VMEM", s.count, s.m,
                             s.n, s.k, static_cast<int>(left), static_cast<int>(right),
                             vmem_bytes));
    Matrices a(s.count, s.m, s.k, left, false, 1), b(s.count, s.k, s.n, right, is_shared, 2);
    expect_near(s, a, b, multiply(s, a, b, vmem_bytes));
  }

  Mxu unit_{program::kernels::select(""), GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Makes, ComplexProducts,
                         testing::Values(Mxu::Make::automatic, Mxu::Make::portable),
                         [](const auto& make) {
                           return make.param == Mxu::Make::portable ? "portable" : "automatic";
                         });

constexpr Layout kLayouts[] = {Layout::rows, Layout::columns, Layout::apart};

TEST_P(ComplexProducts, OfMatricesInAnyLayout) {
  for (const std::int64_t count : {1, 3})
    for (const std::int64_t m : {2, 5, 33})
      for (const std::int64_t n : {2, 3, 17, 40})
        for (const std::int64_t k : {1, 2, 7, 33, 100})
          for (const Layout left : kLayouts)
            for (const Layout right : kLayouts)
              for (const bool is_shared : {false, true})
                expect_products({count, m, n, k}, left, right, is_shared);
}

// A vector and a matrix, either way round, and two vectors.
TEST_P(ComplexProducts, OfVectorsInAnyLayout) {
  for (const std::int64_t count : {1, 3})
    for (const std::int64_t lines : {1, 2, 9, 50})
      for (const std::int64_t k : {1, 2, 15, 16, 17, 31, 32, 33, 100, 257})
        for (const Layout left : kLayouts)
          for (const Layout right : kLayouts) {
            expect_products({count, 1, lines, k}, left, right, false);
            expect_products({count, lines, 1, k}, left, right, false);
          }
}

// Batches of more than are staged at once, and operands of more than a quarter of VMEM: some
// columns, some rows, and single ones; at last sums that do not fit.
TEST_P(ComplexProducts, InPartsThatFitVmem) {
  for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{40, 30, 33},
                                {70, 3, 100},
                                {3, 70, 100},
                                {300, 5, 4},
                                {5, 300, 4},
                                {9, 9, 250},
                                {9, 9, 600},
                                {1, 90, 100},
                                {90, 1, 100},
                                {1, 600, 9},
                                {600, 1, 9},
                                {1, 1, 3000}})
    for (const Layout left : kLayouts)
      for (const Layout right : kLayouts) {
        expect_products({1, m, n, k}, left, right, false, 16 << 10);
        expect_products({2, m, n, k}, left, right, false, 16 << 10);
      }
  for (const Layout layout : kLayouts) expect_products({600, 4, 4, 4}, layout, layout, false);
}

// The lanes of docs/numerics.md.
Number sum_in_lanes(Matrices& a, std::int64_t row, Matrices& b) {
  float same[32] = {}, crossed[32] = {};
  for (std::int64_t i = 0; i < a.columns; ++i) {
    const Number x = a.one(0, row, i), y = b.one(0, i, 0);
    float* const s = same + 2 * i % 32;
    float* const c = crossed + 2 * i % 32;
    s[0] = std::fma(x.real(), y.real(), s[0]);
    s[1] = std::fma(x.imag(), y.imag(), s[1]);
    c[0] = std::fma(x.real(), y.imag(), c[0]);
    c[1] = std::fma(x.imag(), y.real(), c[1]);
  }
  for (std::size_t half = 16; half > 1; half /= 2)
    for (std::size_t l = 0; l < half; ++l) {
      same[l] += same[l + half];
      crossed[l] += crossed[l + half];
    }
  return {same[0] - same[1], crossed[0] + crossed[1]};
}

TEST_P(ComplexProducts, OfVectorsAreSummedInLanes) {
  for (const std::int64_t k : {1, 2, 7, 15, 16, 17, 31, 33, 300, 1001}) {
    Matrices a(1, 5, k, Layout::rows, false, 3), b(1, k, 1, Layout::columns, false, 4);
    Numbers want;
    for (std::int64_t row = 0; row < 5; ++row) want.push_back(sum_in_lanes(a, row, b));
    EXPECT_EQ(multiply({1, 5, 1, k}, a, b), want) << k;
    // Two vectors are, however they lie.
    for (const Layout left : kLayouts)
      for (const Layout right : kLayouts) {
        Matrices x(1, 1, k, left, false, 5), y(1, k, 1, right, false, 6);
        EXPECT_EQ(multiply({1, 1, 1, k}, x, y)[0], sum_in_lanes(x, 0, y)) << k;
      }
  }
}

// |x|^2 of a vector is real.
TEST_P(ComplexProducts, WithTheConjugateAreReal) {
  for (const std::int64_t k : {1, 2, 3, 15, 16, 17, 100, 1000, 4099})
    for (const Layout layout : kLayouts) {
      Matrices a(1, 1, k, layout, false, 5), b(1, k, 1, layout, false, 6);
      for (std::int64_t i = 0; i < k; ++i) b.one(0, i, 0) = std::conj(a.one(0, 0, i));
      const Number square = multiply({1, 1, 1, k}, a, b)[0];
      EXPECT_EQ(square.imag(), 0.0F);
      EXPECT_GT(square.real(), 0.0F);
    }
}

// A part of one number that is not finite: in the results of its row or column, and in no others.
TEST_P(ComplexProducts, KeepInfinitiesAndNan) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const Shape& s : {Shape{1, 5, 9, 7}, Shape{2, 5, 9, 40}, Shape{1, 1, 9, 20},
                         Shape{1, 9, 1, 20}, Shape{1, 3, 1, 17}, Shape{1, 64, 64, 64}})
    for (const Layout layout : {Layout::rows, Layout::columns})
      for (const float special : {kInfinity, -kInfinity, kNan})
        for (const bool is_left : {true, false})
          for (const bool is_imaginary : {false, true}) {
            Matrices a(s.count, s.m, s.k, layout, false, 7), b(s.count, s.k, s.n, layout, false, 8);
            const Numbers before = multiply(s, a, b);
            Number& one = is_left ? a.one(0, s.m - 1, s.k - 1) : b.one(0, s.k - 1, s.n - 1);
            (is_imaginary ? reinterpret_cast<float*>(&one)[1] : reinterpret_cast<float*>(&one)[0]) =
                special;
            const Numbers got = multiply(s, a, b);
            for (std::int64_t i = 0; i < s.count * s.m * s.n; ++i) {
              const std::int64_t row = i / s.n % s.m, column = i % s.n;
              const bool hit = i < s.m * s.n && (is_left ? row == s.m - 1 : column == s.n - 1);
              if (!hit) {
                ASSERT_EQ(got[size_of(i)], before[size_of(i)]);
                continue;
              }
              const Number x = a.one(0, row, s.k - 1), y = b.one(0, s.k - 1, column);
              const float parts[] = {x.real() * y.real() - x.imag() * y.imag(),
                                     x.real() * y.imag() + x.imag() * y.real()};
              const float results[] = {got[size_of(i)].real(), got[size_of(i)].imag()};
              for (int part = 0; part < 2; ++part) {
                if (std::isnan(parts[part]))
                  ASSERT_TRUE(std::isnan(results[part]));
                else
                  ASSERT_EQ(results[part], parts[part]);
              }
            }
          }
}

}  // namespace
}  // namespace understudy::worker::complex_products
