// SPDX-License-Identifier: Apache-2.0
// Windows without padding as element-wise steps of slices, against the definition: in the order of
// the window, so that the bits of sums are those of one step after the other.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

#include "program/executable/listing.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

struct SlicedAxis {
  std::int64_t size, window, stride = 1, dilation = 1, cut_low = 0, cut_high = 0;

  std::int64_t results() const {
    return (size - cut_low - cut_high - (window - 1) * dilation - 1) / stride + 1;
  }
  std::int64_t element(std::int64_t result, std::int64_t position) const {
    return cut_low + result * stride + position * dilation;
  }
};

// Of [rows, columns, channels] with windows over the first two dimensions.
struct SlicedCase {
  const char* name;
  SlicedAxis rows, columns;
  std::int64_t channels;
  bool is_sliced;
};

constexpr SlicedCase kSlicedCases[] = {
    {"sliding columns", {5, 1}, {45, 7}, 1, true},
    {"sliding both", {24, 3}, {32, 3}, 1, true},
    {"few sliding rows", {9, 3}, {32, 3}, 1, false},
    {"channels", {14, 2}, {11, 3}, 5, true},
    {"channels apart", {12, 2, 2}, {10, 2, 2}, 64, true},
    {"channels that overlap", {1, 1}, {41, 4, 2}, 29, true},
    {"dilated", {11, 3, 1, 2}, {30, 2, 1, 3}, 3, true},
    {"cut", {20, 2, 1, 1, 1, 2}, {19, 3, 1, 1, 3, 1}, 4, true},
    {"most slices", {24, 4}, {18, 4}, 2, true},
    {"too many slices", {20, 17}, {40, 1}, 2, false},
    {"vectors with many empty lanes", {9, 3}, {38, 3}, 1, false},
    {"runs of fifteen", {60, 3}, {17, 3}, 1, false},
    {"runs of sixteen", {60, 3}, {18, 3}, 1, true},
    {"short runs", {6, 2}, {6, 2}, 1, false},
    {"short rows", {1, 1}, {41, 4, 2}, 4, false},
    {"rows apart in four dimensions", {11, 2, 2}, {11, 2, 2}, 64, false},
};

std::string sliced_program(const SlicedCase& test, const char* element, const char* reducer) {
  const auto& [name, y, x, channels, is_sliced] = test;
  const std::string in = fmt::format("2x{}x{}x{}x{}", y.size, x.size, channels, element);
  const std::string out = fmt::format("2x{}x{}x{}x{}", y.results(), x.results(), channels, element);
  return fmt::format(
      R"(func.func @main(%x: tensor<{0}>, %i: tensor<{1}>) -> tensor<{2}> {{
  %w = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: 1, {3}, {4}, 1>,
    window_strides = array<i64: 1, {5}, {6}, 1>, window_dilations = array<i64: 1, {7}, {8}, 1>,
    padding = dense<[[0, 0], [{9}, {10}], [{11}, {12}], [0, 0]]> : tensor<4x2xi64>}}> ({{
  ^bb0(%a: tensor<{1}>, %b: tensor<{1}>):
    %r = stablehlo.{13} %a, %b : tensor<{1}>
    stablehlo.return %r : tensor<{1}>
  }}) : (tensor<{0}>, tensor<{1}>) -> tensor<{2}>
  return %w : tensor<{2}>
}})",
      in, element, out, y.window, x.window, y.stride, x.stride, y.dilation, x.dilation, -y.cut_low,
      -y.cut_high, -x.cut_low, -x.cut_high, reducer);
}

template <class T, class Combine>
std::vector<T> by_definition(const SlicedCase& test, const std::vector<T>& values, T init,
                             const Combine& combine) {
  const auto& [name, y, x, channels, is_sliced] = test;
  std::vector<T> results;
  for (std::int64_t batch = 0; batch < 2; ++batch)
    for (std::int64_t r = 0; r < y.results(); ++r)
      for (std::int64_t c = 0; c < x.results(); ++c)
        for (std::int64_t k = 0; k < channels; ++k) {
          T result = init;
          for (std::int64_t v = 0; v < y.window; ++v)
            for (std::int64_t w = 0; w < x.window; ++w) {
              const std::int64_t row = batch * y.size + y.element(r, v);
              result = combine(result, values[static_cast<std::size_t>(
                                           (row * x.size + x.element(c, w)) * channels + k)]);
            }
          results.push_back(result);
        }
  return results;
}

template <class T, class Combine>
void expect_definition(const char* element, const char* reducer, T init, const Combine& combine) {
  std::mt19937 random(7);
  for (const SlicedCase& test : kSlicedCases) {
    SCOPED_TRACE(fmt::format("{} {} {}", test.name, element, reducer));
    std::vector<T> values;
    std::uniform_int_distribution<int> draw(-1000, 1000);
    for (std::int64_t n = 2 * test.rows.size * test.columns.size * test.channels; n > 0; --n)
      if constexpr (std::is_integral_v<T>)
        values.push_back(static_cast<T>(draw(random)));
      else
        values.push_back(static_cast<T>(draw(random) * 0.37));
    values.front() = values.back() = static_cast<T>(-0.0);
    const std::vector<T> wanted = by_definition(test, values, init, combine);
    const auto results = run_program(sliced_program(test, element, reducer),
                                     {bytes_of(values), bytes_of(std::vector{init})});
    ASSERT_EQ(results[0], bytes_of(wanted));
  }
}

TEST(SlicedWindows, HaveTheBitsOfTheDefinition) {
  const auto sum = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
  expect_definition<float>("f32", "add", 0.0F, sum);
  expect_definition<float>("f32", "add", 1.25F, sum);
  expect_definition<double>("f64", "add", -0.0, sum);
  expect_definition<std::int32_t>("i32", "add", 3, sum);
  expect_definition<std::int16_t>("i16", "add", 0, sum);
  expect_definition<std::int8_t>("i8", "maximum", -128,
                                 [](std::int8_t a, std::int8_t b) { return std::max(a, b); });
  expect_definition<std::int32_t>("i32", "minimum", 17,
                                  [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
  expect_definition<double>("f64", "multiply", 1.0, [](double a, double b) { return a * b; });
}

// No slice is copied before the loop, whose own steps are indented in the listing.
bool is_sliced(const std::string& program) {
  const std::string listing = list(compiled(program));
  if (listing.find("reduce_window{") != std::string::npos) return false;
  for (std::size_t at = 0; (at = listing.find("= strided_copy", at)) != std::string::npos; ++at)
    EXPECT_EQ(listing[listing.rfind('\n', at) + 1], ' ') << listing;
  return true;
}

TEST(SlicedWindows, AreThoseThatLoopsReadInPlace) {
  for (const SlicedCase& test : kSlicedCases)
    EXPECT_EQ(is_sliced(sliced_program(test, "f32", "add")), test.is_sliced) << test.name;
  // Bytes: those of channels that slide.
  for (const SlicedCase& test : kSlicedCases)
    EXPECT_EQ(is_sliced(sliced_program(test, "ui8", "add")),
              test.is_sliced && test.channels > 1 && test.rows.stride * test.columns.stride == 1)
        << test.name;
  EXPECT_FALSE(is_sliced(sliced_program(kSlicedCases[0], "f8E5M2", "add")));
}

// What comes before and after is in the same loop.
TEST(SlicedWindows, AreOneLoopWithWhatComesBeforeAndAfter) {
  const std::string listing = list(compiled(
      R"(func.func @main(%x: tensor<2x32x32x64xf32>, %i: tensor<f32>) -> tensor<2x16x16x64xf32> {
  %s = stablehlo.multiply %x, %x : tensor<2x32x32x64xf32>
  %w = "stablehlo.reduce_window"(%s, %i) <{window_dimensions = array<i64: 1, 2, 2, 1>,
    window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2x32x32x64xf32>, tensor<f32>) -> tensor<2x16x16x64xf32>
  %q = stablehlo.sqrt %w : tensor<2x16x16x64xf32>
  return %q : tensor<2x16x16x64xf32>
})"));
  EXPECT_NE(listing.find("result0 f32[2,16,16,64] = fused"), std::string::npos) << listing;
  EXPECT_EQ(listing.find("temporary+"), std::string::npos) << listing;
}

}  // namespace
}  // namespace understudy::worker
