// SPDX-License-Identifier: Apache-2.0
// Windows of reductions that may combine a value any number of times, with an initial value that is
// not their identity, against the definition: padding, and holes of dilated arrays, count as it.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <random>

#include "gtest/gtest.h"

#include "program/executable/listing.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

struct Axis {
  std::int64_t size, window, stride, low, high, base, dilation;

  std::int64_t results() const {
    const std::int64_t all = (size - 1) * base + 1 + low + high;
    const std::int64_t reach = (window - 1) * dilation + 1;
    return all < reach ? 0 : (all - reach) / stride + 1;
  }
  // The element at position w of window r; -1 for the initial value.
  std::int64_t element(std::int64_t r, std::int64_t w) const {
    const std::int64_t at = r * stride + w * dilation - low;
    return at >= 0 && at % base == 0 && at / base < size ? at / base : -1;
  }
};

struct Reducer {
  const char* name;
  std::function<std::int32_t(std::int32_t, std::int32_t)> combine;
};

TEST(WindowStart, IsCombinedWithAllOfTheWindow) {
  const Reducer reducers[] = {
      {"maximum", [](std::int32_t a, std::int32_t b) { return std::max(a, b); }},
      {"minimum", [](std::int32_t a, std::int32_t b) { return std::min(a, b); }},
      {"and", [](std::int32_t a, std::int32_t b) { return a & b; }},
      {"or", [](std::int32_t a, std::int32_t b) { return a | b; }}};
  std::mt19937 random(5);
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int round = 0; round < 200; ++round) {
    Axis axes[2];
    for (Axis& axis : axes) {
      const bool is_plain = round % 3 == 0;
      axis = {draw(1, round % 5 == 0 ? 90 : 40),
              draw(1, 5),
              is_plain ? 1 : draw(1, 3),
              draw(0, 3),
              draw(0, 3),
              is_plain ? 1 : draw(1, 2),
              is_plain ? 1 : draw(1, 2)};
    }
    const auto [y, x] = axes;
    if (y.results() <= 0 || x.results() <= 0) continue;
    const Reducer& reducer = reducers[round % 4];
    const std::string text = fmt::format(
        R"(func.func @main(%x: tensor<{0}x{1}xi32>, %i: tensor<i32>) -> tensor<{2}x{3}xi32> {{
  %w = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: {4}, {5}>,
    window_strides = array<i64: {6}, {7}>, base_dilations = array<i64: {8}, {9}>,
    window_dilations = array<i64: {10}, {11}>,
    padding = dense<[[{12}, {13}], [{14}, {15}]]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.{16} %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }}) : (tensor<{0}x{1}xi32>, tensor<i32>) -> tensor<{2}x{3}xi32>
  return %w : tensor<{2}x{3}xi32>
}})",
        y.size, x.size, y.results(), x.results(), y.window, x.window, y.stride, x.stride, y.base,
        x.base, y.dilation, x.dilation, y.low, y.high, x.low, x.high, reducer.name);
    SCOPED_TRACE(text);
    std::vector<std::int32_t> values;
    for (std::int64_t k = y.size * x.size; k > 0; --k)
      values.push_back(static_cast<std::int32_t>(draw(-1000, 1000)));
    const auto init = static_cast<std::int32_t>(draw(-1000, 1000));
    std::vector<std::int32_t> wanted;
    for (std::int64_t r = 0; r < y.results(); ++r)
      for (std::int64_t c = 0; c < x.results(); ++c) {
        std::int32_t sum = init;
        for (std::int64_t v = 0; v < y.window; ++v)
          for (std::int64_t w = 0; w < x.window; ++w) {
            const std::int64_t row = y.element(r, v), column = x.element(c, w);
            const bool is_inside = row >= 0 && column >= 0;
            sum = reducer.combine(
                sum, is_inside ? values[static_cast<std::size_t>(row * x.size + column)] : init);
          }
        wanted.push_back(sum);
      }
    ASSERT_EQ(values_of<std::int32_t>(
                  run_program(text, {bytes_of(values), bytes_of(std::vector{init})})[0]),
              wanted);
  }
}

// Along one dimension after the other where that combines fewer elements.
TEST(WindowStart, LargeWindowsAreReducedInTurn) {
  const auto reductions = [](int size, int stride, const char* reducer) {
    const int results = (32 - size) / stride + 1;
    const std::string listing = list(compiled(fmt::format(
        R"(func.func @main(%x: tensor<8x32x32xi32>, %i: tensor<i32>) -> tensor<8x{0}x{0}xi32> {{
  %w = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: 1, {1}, {1}>,
    window_strides = array<i64: 1, {2}, {2}>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.{3} %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }}) : (tensor<8x32x32xi32>, tensor<i32>) -> tensor<8x{0}x{0}xi32>
  return %w : tensor<8x{0}x{0}xi32>
}})",
        results, size, stride, reducer)));
    std::size_t count = 0;
    for (std::size_t at = listing.find("= reduce_window"); at != std::string::npos;
         at = listing.find("= reduce_window", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(reductions(3, 2, "maximum"), 2U);
  EXPECT_EQ(reductions(5, 1, "minimum"), 2U);
  EXPECT_EQ(reductions(3, 1, "maximum"), 0U);  // slices in one loop
  EXPECT_EQ(reductions(2, 2, "maximum"), 1U);
  EXPECT_EQ(reductions(3, 2, "add"), 1U);  // counts its initial value once
}

}  // namespace
}  // namespace understudy::worker
