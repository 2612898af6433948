// SPDX-License-Identifier: Apache-2.0
// Batches of products and integer products against sums written out.
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <random>

#include "gtest/gtest.h"

#include "tests/worker/program_run.h"
#include "worker/chip/mxu/mxu_wide.h"

namespace understudy::worker {
namespace {

struct Sizes {
  std::size_t batches, m, n, k;
};

std::vector<float> normal_floats(std::size_t n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& value : values) value = normal(random);
  return values;
}

// The dimensions of an operand: rows before columns, or the other way round; the batch dimension
// first, or between them ("heads").
enum class Layout { plain, transposed, between };

struct Operand {
  std::string shape;
  int batch, row, column;
  std::size_t batch_step, row_step, column_step;
};
Operand operand_of(Layout layout, std::size_t b, std::size_t rows, std::size_t columns) {
  switch (layout) {
    case Layout::plain:
      return {fmt::format("{}x{}x{}", b, rows, columns), 0, 1, 2, rows * columns, columns, 1};
    case Layout::transposed:
      return {fmt::format("{}x{}x{}", b, columns, rows), 0, 2, 1, rows * columns, 1, rows};
    default:
      return {fmt::format("{}x{}x{}", rows, b, columns), 1, 0, 2, columns, b * columns, 1};
  }
}

std::string text_of(const Operand& a, const Operand& b, const Sizes& s, const std::string& type,
                    const std::string& out) {
  return fmt::format(
      "func.func @main(%a: tensor<{0}x{2}>, %b: tensor<{1}x{2}>) -> tensor<{3}x{4}x{5}x{6}> {{\n"
      "%c = stablehlo.dot_general %a, %b, batching_dims = [{7}] x [{8}], contracting_dims = [{9}] "
      "x "
      "[{10}] : (tensor<{0}x{2}>, tensor<{1}x{2}>) -> tensor<{3}x{4}x{5}x{6}>\n"
      "return %c : tensor<{3}x{4}x{5}x{6}>\n}}\n",
      a.shape, b.shape, type, s.batches, s.m, s.n, out, a.batch, b.batch, a.column, b.row);
}

// Sums over k in order; every product is rounded.
template <class In, class Sum>
std::vector<Sum> products(const std::vector<In>& x, const Operand& a, const std::vector<In>& y,
                          const Operand& b, const Sizes& s) {
  std::vector<Sum> out;
  for (std::size_t i = 0; i < s.batches; ++i)
    for (std::size_t m = 0; m < s.m; ++m)
      for (std::size_t n = 0; n < s.n; ++n) {
        Sum sum = 0;
        for (std::size_t k = 0; k < s.k; ++k)
          sum = static_cast<Sum>(
              sum + static_cast<Sum>(x[i * a.batch_step + m * a.row_step + k * a.column_step]) *
                        static_cast<Sum>(y[i * b.batch_step + k * b.row_step + n * b.column_step]));
        out.push_back(sum);
      }
  return out;
}

const Sizes kSizes[] = {{1, 3, 4, 5},     {2, 8, 8, 8},      {70, 8, 8, 8},   {300, 5, 9, 7},
                        {3, 1, 17, 30},   {4, 33, 1, 20},    {5, 16, 16, 16}, {3, 32, 40, 24},
                        {40, 64, 64, 16}, {2, 130, 140, 20}, {1, 64, 32, 64}, {1, 45, 37, 41},
                        {2, 17, 100, 60}, {21, 1, 1, 37},    {1, 8, 300, 40}, {1, 5, 700, 20},
                        {1, 3, 270, 301}, {9, 1, 1, 8},      {70, 1, 1, 128}};

TEST(DotBatch, FloatsInEveryLayout) {
  for (const Sizes& s : kSizes)
    for (const Layout left : {Layout::plain, Layout::transposed, Layout::between})
      for (const Layout right : {Layout::plain, Layout::transposed, Layout::between}) {
        SCOPED_TRACE(fmt::format("{} of {} x {} x {}, layouts {} {}", s.batches, s.m, s.n, s.k,
                                 static_cast<int>(left), static_cast<int>(right)));
        const Operand a = operand_of(left, s.batches, s.m, s.k);
        const Operand b = operand_of(right, s.batches, s.k, s.n);
        const auto x = normal_floats(s.batches * s.m * s.k, 1),
                   y = normal_floats(s.batches * s.k * s.n, 2);
        const auto got = values_of<float>(
            run_program(text_of(a, b, s, "f32", "f32"), {bytes_of(x), bytes_of(y)})[0]);
        const auto want = products<float, float>(x, a, y, b, s);
        ASSERT_EQ(got.size(), want.size());
        // Small products are summed in this very order; larger ones by the matrix unit.
        const std::size_t most = s.batches == 1 && s.m >= 4 && s.n >= 8 ? 16384 : 4096;
        const bool exact = s.m * s.n * s.k <= most || s.n * s.k <= 256;
        for (std::size_t i = 0; i < got.size(); ++i) {
          if (exact) {
            ASSERT_EQ(got[i], want[i]) << i;
          } else {
            ASSERT_NEAR(got[i], want[i], 1e-5 * static_cast<double>(s.k)) << i;
          }
        }
      }
}

// Every number of rows and of lanes in the last vector, and any strides of the left operand.
TEST(WideProduct, AddsFusedProductsInTheOrderOfK) {
  if (!multiplies_wide()) GTEST_SKIP() << "this CPU has no AVX-512";
  constexpr std::int64_t kBatches = 2, k = 19;
  for (const std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 8, 9, 20})
    for (const std::int64_t n : {1, 2, 15, 16, 17, 31, 32, 33, 70})
      for (const bool turned : {false, true}) {
        SCOPED_TRACE(fmt::format("{} x {}, turned {}", m, n, turned));
        const std::int64_t a_row = turned ? 2 : 3 * k, a_column = turned ? 2 * m : 3;
        const std::int64_t a_batch = 3 * m * k, b_batch = n * k, c_batch = (n + 5) * m;
        const auto a = normal_floats(static_cast<std::size_t>(kBatches * a_batch), 1),
                   b = normal_floats(static_cast<std::size_t>(kBatches * b_batch), 2);
        std::vector<float> c(static_cast<std::size_t>(kBatches * c_batch), 7.0F), want = c;
        MxuTile t{program::ElementType::f32,
                  m,
                  n,
                  k,
                  a.data(),
                  a_row,
                  a_column,
                  b.data(),
                  n,
                  1,
                  c.data(),
                  n + 5,
                  false};
        t.batches = kBatches;
        t.a_batch = a_batch;
        t.b_batch = b_batch;
        t.c_batch = c_batch;
        multiply_wide(t);
        for (std::int64_t i = 0; i < kBatches * m * n; ++i) {
          const std::int64_t batch = i / (m * n), row = i / n % m, column = i % n;
          float sum = 0;
          for (std::int64_t j = 0; j < k; ++j)
            sum =
                std::fma(a[static_cast<std::size_t>(batch * a_batch + row * a_row + j * a_column)],
                         b[static_cast<std::size_t>(batch * b_batch + j * n + column)], sum);
          want[static_cast<std::size_t>(batch * c_batch + row * (n + 5) + column)] = sum;
        }
        ASSERT_EQ(c, want);
      }
}

// A matrix and a vector, either way round: long sums in lanes, or eight rows at a time where the
// matrix is dense across the sums; with and without a rest.
TEST(DotBatch, MatrixAndVector) {
  for (const std::size_t k : {257U, 320U, 1000U})
    for (const std::size_t rows : {1U, 2U, 37U, 2100U})
      for (const bool is_left : {true, false})
        for (const Layout layout : {Layout::plain, Layout::transposed}) {
          const Sizes s{1, is_left ? rows : 1, is_left ? 1 : rows, k};
          SCOPED_TRACE(fmt::format("{} x {} x {}", s.m, s.n, s.k));
          const Operand a = operand_of(layout, 1, s.m, s.k), b = operand_of(layout, 1, s.k, s.n);
          const auto x = normal_floats(s.m * s.k, 1), y = normal_floats(s.k * s.n, 2);
          const auto got = values_of<float>(
              run_program(text_of(a, b, s, "f32", "f32"), {bytes_of(x), bytes_of(y)})[0]);
          const auto want = products<float, double>(x, a, y, b, s);
          for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-4) << i;
        }
}

// Sums of bf16 are in f32 and rounded once.
TEST(DotBatch, Bfloat16) {
  for (const Sizes& s :
       {Sizes{9, 8, 8, 8}, Sizes{5, 32, 48, 40}, Sizes{7, 17, 33, 33}, Sizes{3, 33, 40, 19},
        Sizes{4, 5, 70, 41}, Sizes{1, 1, 37, 300}, Sizes{1, 37, 1, 300}}) {
    const Operand a = operand_of(Layout::plain, s.batches, s.m, s.k);
    const Operand b = operand_of(Layout::plain, s.batches, s.k, s.n);
    auto x = normal_floats(s.batches * s.m * s.k, 1), y = normal_floats(s.batches * s.k * s.n, 2);
    const auto narrow = [](std::vector<float>& values) {
      std::vector<std::uint16_t> bits;
      for (float& value : values) {
        std::uint32_t word = 0;
        std::memcpy(&word, &value, 4);
        word &= 0xFFFF0000;
        std::memcpy(&value, &word, 4);
        bits.push_back(static_cast<std::uint16_t>(word >> 16));
      }
      return bytes_of(bits);
    };
    const Bytes left = narrow(x), right = narrow(y);
    const auto want = products<float, double>(x, a, y, b, s);
    const auto wide =
        values_of<float>(run_program(text_of(a, b, s, "bf16", "f32"), {left, right})[0]);
    const auto got =
        values_of<std::uint16_t>(run_program(text_of(a, b, s, "bf16", "bf16"), {left, right})[0]);
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_NEAR(wide[i], want[i], 1e-4);
      const std::uint32_t word = std::uint32_t{got[i]} << 16;
      float value = 0;
      std::memcpy(&value, &word, 4);
      EXPECT_NEAR(value, wide[i], std::abs(wide[i]) / 256 + 1e-6);
    }
  }
}

template <class In, class Sum>
void expect_integers(const std::string& type, const std::string& out, In least, In most) {
  for (const Sizes& s : {Sizes{1, 5, 7, 3000}, Sizes{1, 64, 64, 64}, Sizes{1, 1, 33, 700},
                         Sizes{6, 4, 4, 4}, Sizes{1, 33, 1, 65}}) {
    SCOPED_TRACE(fmt::format("{} to {}: {} of {} x {} x {}", type, out, s.batches, s.m, s.n, s.k));
    std::mt19937_64 random(4);
    const auto some = [&](std::size_t n) {
      std::vector<In> values(n);
      // Extremes first: their sums need all bits.
      for (std::size_t i = 0; i < n; ++i)
        values[i] = i % 3 == 0 ? least : i % 3 == 1 ? most : static_cast<In>(random());
      return values;
    };
    const auto x = some(s.batches * s.m * s.k), y = some(s.batches * s.k * s.n);
    for (const Layout layout : {Layout::plain, Layout::transposed}) {
      const Operand a = operand_of(layout, s.batches, s.m, s.k);
      const Operand b = operand_of(layout, s.batches, s.k, s.n);
      const auto got = run_program(text_of(a, b, s, type, out), {bytes_of(x), bytes_of(y)})[0];
      EXPECT_EQ(values_of<Sum>(got), (products<In, Sum>(x, a, y, b, s)));
    }
  }
}

// The largest sums that a depth can have: int8 products must not be rounded on the way.
TEST(DotBatch, LargestInt8Sums) {
  for (const std::size_t k : {511U, 512U, 513U, 1030U, 5000U})
    for (const int left : {-128, 127})
      for (const int right : {-128, 127}) {
        const Sizes s{1, 3, 20, k};
        const Operand a = operand_of(Layout::plain, 1, s.m, s.k);
        const Operand b = operand_of(Layout::plain, 1, s.k, s.n);
        std::vector<std::int8_t> x(s.m * k, static_cast<std::int8_t>(left));
        std::vector<std::int8_t> y(k * s.n, static_cast<std::int8_t>(right));
        x[0] = y[0] = 1;  // an odd sum
        const auto got = run_program(text_of(a, b, s, "i8", "i32"), {bytes_of(x), bytes_of(y)})[0];
        EXPECT_EQ(values_of<std::int32_t>(got),
                  (products<std::int8_t, std::int32_t>(x, a, y, b, s)))
            << k << " " << left << " " << right;
      }
}

TEST(DotBatch, IntegersWrap) {
  expect_integers<std::int8_t, std::uint32_t>("i8", "i32", -128, 127);
  expect_integers<std::int8_t, std::uint8_t>("i8", "i8", -128, 127);
  expect_integers<std::int8_t, std::uint64_t>("i8", "i64", -128, 127);
  expect_integers<std::uint8_t, std::uint32_t>("ui8", "ui32", 0, 255);
  expect_integers<std::int32_t, std::uint32_t>("i32", "i32", INT32_MIN, INT32_MAX);
  expect_integers<std::int64_t, std::uint64_t>("i64", "i64", INT64_MIN, INT64_MAX);
}

}  // namespace
}  // namespace understudy::worker
