// SPDX-License-Identifier: Apache-2.0
// The order in which reduce.cc and fused loops sum rows: the tree of docs/numerics.md, of any
// number of rows and however they lie in memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/worker/ops/ops_fixture.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

using namespace program;

// The tree written out for one column. Sums of 64 values in order, then of 64 such sums, and so on;
// the start joins at the last level.
template <class T>
T tree_sum(std::vector<T> values, T start) {
  while (values.size() > 64) {
    std::vector<T> sums;
    for (std::size_t first = 0; first < values.size(); first += 64) {
      T sum = values[first];
      for (std::size_t i = first + 1; i < std::min(first + 64, values.size()); ++i)
        sum = sum + values[i];
      sums.push_back(sum);
    }
    values = std::move(sums);
  }
  for (const T& value : values) start = start + value;
  return start;
}

class RowSums : public OpTest {
 protected:
  static Reduce over(Shape dimensions, Reduction reduction = Reduction::sum) {
    Reduce reduce;
    reduce.dimensions = std::move(dimensions);
    reduce.reduction = reduction;
    reduce.body = body_of(Binary{BinaryOp::add}, E::f32, E::f32);
    return reduce;
  }

  template <class To, class From>
  std::vector<To> converted(E from, E to, const std::vector<From>& values) const {
    std::vector<To> all(values.size());
    kernels_.convert(from, to)(values.data(), all.data(), values.size());
    return all;
  }

  // x of `shape`, whose dimensions alternate between kept and reduced ones: [kept, reduced, ...,
  // kept]. `Wide` sums are rounded to `Stored`.
  template <class Stored, class Wide>
  void expect_tree(E element, E wide, const Shape& shape, Wide start) {
    SCOPED_TRACE(fmt::format("{} of [{}]", mlir_name(element), fmt::join(shape, ", ")));
    const TensorType type{element, shape};
    const std::vector<Stored> x =
        numbers<Stored>(element, static_cast<std::size_t>(type.elements()));
    const std::vector<Wide> values = converted<Wide>(element, wide, x);
    const std::vector<Stored> init = converted<Stored>(wide, element, std::vector<Wide>{start});
    start = converted<Wide>(element, wide, init)[0];
    Shape dimensions, kept;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (d % 2 == 1)
        dimensions.push_back(static_cast<std::int64_t>(d));
      else
        kept.push_back(shape[d]);
    }
    const TensorType results{element, kept};
    std::vector<std::vector<Wide>> columns(static_cast<std::size_t>(results.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::size_t rest = i, to = 0, step = 1;
      for (std::size_t d = shape.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(shape[d]);
        if (d % 2 == 0) to += rest % size * step, step *= size;
        rest /= size;
      }
      columns[to].push_back(values[i]);
    }
    std::vector<Wide> sums;
    for (const std::vector<Wide>& column : columns) sums.push_back(tree_sum(column, start));
    EXPECT_EQ(result<Stored>(over(dimensions), {in(shape, x, element), in({}, init, element)}, kept,
                             element),
              converted<Stored>(wide, element, sums));
  }

 private:
  // Of both signs and several sizes, so that nearly every addition rounds.
  template <class Stored>
  std::vector<Stored> numbers(E element, std::size_t n) const {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const std::size_t parts = is_complex(element) ? 2 : 1;
    std::vector<double> values(n * parts);
    for (double& x : values) x = std::ldexp(normal(random), static_cast<int>(random() % 8));
    const E part = element == E::c64 ? E::f32 : element == E::c128 ? E::f64 : element;
    std::vector<Stored> all(n);
    kernels_.convert(E::f64, part)(values.data(), all.data(), values.size());
    return all;
  }
};

// One row is reduced to by rows of 64, of 64 of these, and of 64 of those.
TEST_F(RowSums, AreThoseOfATree) {
  for (const std::int64_t rows : {1, 2, 63, 64, 65, 128, 129, 4095, 4096, 4097, 8192, 70000})
    for (const std::int64_t columns : {2, 7}) {
      const Shape shape{1, rows, columns};
      expect_tree<float, float>(E::f32, E::f32, shape, 3.7F);
      expect_tree<double, double>(E::f64, E::f64, shape, -1e-3);
      expect_tree<std::uint16_t, float>(E::bf16, E::f32, shape, 1.5F);
      expect_tree<std::uint16_t, float>(E::f16, E::f32, shape, -0.1F);
      using C64 = std::complex<float>;
      expect_tree<C64, C64>(E::c64, E::c64, shape, C64(0.3F, -7));
      using C128 = std::complex<double>;
      expect_tree<C128, C128>(E::c128, E::c128, shape, C128(-0.3, 7));
    }
}

// 1 is no neutral element of complex products: it makes NaN of the other part of an infinity.
TEST_F(RowSums, OfComplexProductsKeepInfiniteParts) {
  using C64 = std::complex<float>;
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<C64> x(2 * 128, C64(1, 0));
  x[2 * 40] = C64(infinity, 5);
  const Reduce work = over({0}, Reduction::product);
  const auto found =
      result<C64>(work, {in(Shape{128, 2}, x, E::c64), in({}, std::vector{C64(2, 0)}, E::c64)},
                  Shape{2}, E::c64);
  C64 wanted(2, 0);
  for (std::size_t r = 0; r < 128; ++r) {
    const C64 b = x[2 * r];
    wanted = {wanted.real() * b.real() - wanted.imag() * b.imag(),
              wanted.real() * b.imag() + wanted.imag() * b.real()};
  }
  EXPECT_EQ(found[1], C64(2, 0));
  EXPECT_EQ(std::isnan(found[0].real()), std::isnan(wanted.real()));
  EXPECT_EQ(std::isnan(found[0].imag()), std::isnan(wanted.imag()));
}

// Some sums of rows are made side by side where these are short.
TEST_F(RowSums, OfFewColumnsAreThoseOfATree) {
  for (const std::int64_t rows : {255, 256, 257, 319, 321, 640, 16448})
    for (const std::int64_t columns : {3, 16, 21, 63, 64, 65}) {
      if (rows > 1000 && columns > 16) continue;
      expect_tree<float, float>(E::f32, E::f32, {2, rows, columns}, 0.5F);
      expect_tree<double, double>(E::f64, E::f64, {1, rows, columns}, 0.5);
      expect_tree<std::uint16_t, float>(E::bf16, E::f32, {2, rows, columns}, 0.5F);
    }
}

// Rows that are longer than what is added up at once.
TEST_F(RowSums, OfLongRowsAreThoseOfATree) {
  for (const std::int64_t columns : {4095, 4096, 4097, 9001}) {
    expect_tree<float, float>(E::f32, E::f32, {1, 130, columns}, 0.5F);
    expect_tree<std::uint16_t, float>(E::bf16, E::f32, {2, 65, columns}, 0.5F);
  }
}

// The rows of one sum come in several parts, of which none ends where a level of the tree does.
TEST_F(RowSums, OfSeveralDimensionsAreThoseOfATree) {
  for (const Shape& shape :
       {Shape{1, 70, 3, 5, 4}, Shape{2, 9, 3, 100, 2}, Shape{1, 5, 2, 1000, 6},
        Shape{3, 4, 2, 5, 3, 7, 2}, Shape{1, 63, 2, 65, 3}, Shape{4, 3, 5, 2, 9}}) {
    expect_tree<float, float>(E::f32, E::f32, shape, 0.7F);
    expect_tree<std::uint16_t, float>(E::f16, E::f32, shape, 0.7F);
  }
}

// Short ones are added up several at once.
TEST_F(RowSums, OfShortBlocksAreInOrder) {
  for (const std::int64_t blocks : {1, 2, 3, 205, 3000})
    for (std::int64_t rows = 2; rows <= 5; ++rows)
      for (std::int64_t columns = 2; columns <= 20; ++columns) {
        if (blocks == 3000 && columns % 3 != 0) continue;
        expect_tree<float, float>(E::f32, E::f32, {blocks, rows, columns}, 0.25F);
        if (blocks <= 205)
          expect_tree<std::uint16_t, float>(E::bf16, E::f32, {blocks, rows, columns}, 0.25F);
      }
}

TEST_F(RowSums, OfIntegersWrapAndExtremesAreExact) {
  std::mt19937 random(6);
  for (const std::int64_t rows : {64, 65, 4097, 70000})
    for (const std::int64_t columns : {2, 5}) {
      const Shape shape{rows, columns};
      std::vector<std::int32_t> x(static_cast<std::size_t>(rows * columns));
      std::vector<float> y(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<std::int32_t>(random());
        y[i] = static_cast<float>(x[i]);
      }
      const auto size = static_cast<std::size_t>(columns);
      std::vector<std::uint32_t> sums(size, 9);
      std::vector<float> most(size, -5e9F);
      for (std::size_t i = 0; i < x.size(); ++i) {
        sums[i % size] += static_cast<std::uint32_t>(x[i]);
        most[i % size] = std::max(most[i % size], y[i]);
      }
      EXPECT_EQ(result<std::uint32_t>(over({0}), {in(shape, x, E::i32), in<std::int32_t>({}, {9})},
                                      {columns}, E::i32),
                sums);
      EXPECT_EQ(result<float>(over({0}, Reduction::maximum), {in(shape, y), in<float>({}, {-5e9F})},
                              {columns}),
                most);
    }
}

// Factors that are no powers of two.
TEST_F(RowSums, ProductsAreThoseOfATree) {
  struct Factor {
    float value;
    Factor operator+(Factor other) const { return {value * other.value}; }
  };
  for (const std::size_t rows : {64U, 65U, 500U, 5000U}) {
    std::vector<float> x(2 * rows);
    std::vector<Factor> columns[2];
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = (i / 2 % 2 == 0 ? 1.2F : 1 / 1.2F) + 1e-5F * static_cast<float>(i % 7);
      columns[i % 2].push_back({x[i]});
    }
    const Shape shape{static_cast<std::int64_t>(rows), 2};
    EXPECT_EQ(
        result<float>(over({0}, Reduction::product), {in(shape, x), in<float>({}, {0.3F})}, {2}),
        (std::vector<float>{tree_sum(columns[0], Factor{0.3F}).value,
                            tree_sum(columns[1], Factor{0.3F}).value}));
  }
}

// The neutral element of the levels below the last one is -0.
TEST_F(RowSums, OfNegativeZerosStayNegativeZero) {
  for (const std::int64_t rows : {64, 65, 128, 4097}) {
    const std::vector<float> x(static_cast<std::size_t>(rows * 3), -0.0F);
    for (const float sum :
         result<float>(over({0}), {in({rows, 3}, x), in<float>({}, {-0.0F})}, {3}))
      EXPECT_TRUE(sum == 0 && std::signbit(sum));
  }
}

// One running sum of a million pixels would be wrong from the third digit on.
TEST_F(RowSums, MeansOfManyPixelsAreAccurate) {
  constexpr std::int64_t kPixels = 1 << 20, kChannels = 3;
  for (const int pixel : {1, 77, 200, 255}) {
    const float value = static_cast<float>(pixel) / 255;
    const std::vector<float> x(static_cast<std::size_t>(kPixels * kChannels), value);
    for (const float sum :
         result<float>(over({0}), {in({kPixels, kChannels}, x), in<float>({}, {0})}, {kChannels}))
      EXPECT_NEAR(static_cast<double>(sum) / kPixels, static_cast<double>(value), 1e-6);
  }
}

// The reduction is a step of the loop.
void expect_loop_alone(const std::string& text) {
  const Executable executable = compiled(text);
  ASSERT_EQ(executable.code.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Fused>(executable.code[0].work));
}

// In fused loops, of doubled numbers, which are exact.
TEST(FusedRowSums, AreThoseOfATree) {
  for (const auto& [blocks, rows, columns] : {std::array{1, 3, 8},
                                              {1, 64, 8},
                                              {1, 65, 8},
                                              {1, 4096, 9},
                                              {1, 4097, 9},
                                              {1, 70000, 8},
                                              {1, 130, 5000},
                                              {300, 2, 20},
                                              {4, 65, 12},
                                              {2, 4097, 8}}) {
    SCOPED_TRACE(fmt::format("{} of {} x {}", blocks, rows, columns));
    const std::string text = fmt::format(
        R"(func.func public @main(%x: tensor<{0}x{1}x{2}xf32>, %start: tensor<f32>) -> tensor<{0}x{2}xf32> {{
  %y = stablehlo.add %x, %x : tensor<{0}x{1}x{2}xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}x{2}xf32>, tensor<f32>) -> tensor<{0}x{2}xf32>
  return %s : tensor<{0}x{2}xf32>
}})",
        blocks, rows, columns);
    expect_loop_alone(text);
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> x(size(blocks) * size(rows) * size(columns));
    for (float& value : x) value = normal(random);
    std::vector<float> want;
    for (int b = 0; b < blocks; ++b)
      for (int c = 0; c < columns; ++c) {
        std::vector<float> column;
        for (int r = 0; r < rows; ++r)
          column.push_back(2 * x[(size(b) * size(rows) + size(r)) * size(columns) + size(c)]);
        want.push_back(tree_sum(column, 0.7F));
      }
    EXPECT_EQ(values_of<float>(run_program(text, {bytes_of(x), bytes_of(std::vector{0.7F})})[0]),
              want);
  }
}

// Pixels of bytes, scaled to fractions and averaged for each channel.
TEST(FusedRowSums, MeansOfManyPixelsAreAccurate) {
  constexpr std::size_t kPixels = 1 << 20, kChannels = 8;
  const std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}xui8>) -> tensor<{1}xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f = stablehlo.convert %x : (tensor<{0}x{1}xui8>) -> tensor<{0}x{1}xf32>
  %most = stablehlo.constant dense<255.0> : tensor<{0}x{1}xf32>
  %y = stablehlo.divide %f, %most : tensor<{0}x{1}xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{1}xf32>
  return %s : tensor<{1}xf32>
}})",
      kPixels, kChannels);
  expect_loop_alone(text);
  for (const int pixel : {1, 77, 200, 255}) {
    const std::vector<std::uint8_t> x(kPixels * kChannels, static_cast<std::uint8_t>(pixel));
    for (const float sum : values_of<float>(run_program(text, {bytes_of(x)})[0]))
      EXPECT_NEAR(static_cast<double>(sum) / static_cast<double>(kPixels), pixel / 255.0, 1e-6);
  }
}

}  // namespace
}  // namespace understudy::worker
