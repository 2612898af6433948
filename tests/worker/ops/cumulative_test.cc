// SPDX-License-Identifier: Apache-2.0
// Windows that reach from the first element of a line, or to its last, with bodies that no kernel
// knows, against the fold that the specification writes.
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>

#include "gtest/gtest.h"

#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

using Fold = std::function<std::int32_t(std::int32_t, std::int32_t)>;

struct Body {
  const char* text;
  Fold fold;
};

// Neither commutes: the order of elements and padding shows.
const Body kWeighted = {
    "%d = stablehlo.add %b, %b : tensor<i32>\n"
    "%r = stablehlo.add %a, %d : tensor<i32>\n",
    [](std::int32_t a, std::int32_t b) { return a + 2 * b; }};
const Body kLargest = {
    "%p = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "%r = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>\n",
    [](std::int32_t a, std::int32_t b) { return std::max(a, b); }};

constexpr std::int64_t kRows = 3, kSize = 9;

std::string text_of(const Body& body, std::int64_t dimension, bool forward) {
  const auto pair = [&](std::int64_t value, std::int64_t other) {
    return dimension == 1 ? fmt::format("{}, {}", other, value)
                          : fmt::format("{}, {}", value, other);
  };
  const std::int64_t size = dimension == 1 ? kSize : kRows;
  const std::string around =
      forward ? fmt::format("[{}, 0]", size - 1) : fmt::format("[0, {}]", size - 1);
  return fmt::format(
      R"(func.func @main(%x: tensor<3x9xi32>, %i: tensor<i32>) -> tensor<3x9xi32> {{
  %w = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: {0}>,
    padding = dense<[{1}]> : tensor<2x2xi64>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    {2} stablehlo.return %r : tensor<i32>
  }}) : (tensor<3x9xi32>, tensor<i32>) -> tensor<3x9xi32>
  return %w : tensor<3x9xi32>
}})",
      pair(size, 1), dimension == 1 ? "[0, 0], " + around : around + ", [0, 0]", body.text);
}

// The window of element (row, column) folded from its first position to its last, padding included.
std::int32_t window(const std::vector<std::int32_t>& x, std::int64_t row, std::int64_t column,
                    std::int64_t dimension, bool forward, std::int32_t init, const Fold& fold) {
  const std::int64_t size = dimension == 1 ? kSize : kRows;
  std::int32_t sum = init;
  for (std::int64_t w = 0; w < size; ++w) {
    std::int64_t at[] = {row, column};
    at[dimension] += forward ? w - (size - 1) : w;
    const bool inside = at[dimension] >= 0 && at[dimension] < size;
    sum = fold(sum, inside ? x[static_cast<std::size_t>(at[0] * kSize + at[1])] : init);
  }
  return sum;
}

void expect_windows(const Body& body, bool forward, std::int32_t init) {
  std::vector<std::int32_t> x;
  for (std::int32_t i = 0; i < kRows * kSize; ++i) x.push_back((i * 7 + 3) % 11 - 4);
  for (const std::int64_t dimension : {0, 1}) {
    const auto got = values_of<std::int32_t>(run_program(
        text_of(body, dimension, forward), {bytes_of(x), bytes_of(std::vector{init})})[0]);
    for (std::int64_t row = 0; row < kRows; ++row)
      for (std::int64_t column = 0; column < kSize; ++column)
        EXPECT_EQ(got[static_cast<std::size_t>(row * kSize + column)],
                  window(x, row, column, dimension, forward, init, body.fold))
            << "dimension " << dimension << " at " << row << ", " << column;
  }
}

TEST(Cumulative, FromTheFirstElement) { expect_windows(kWeighted, true, 0); }
TEST(Cumulative, ToTheLastElement) { expect_windows(kLargest, false, INT32_MIN); }
// Padding that the body does not ignore is combined, as the specification says.
TEST(Cumulative, PaddingThatCounts) {
  expect_windows(kWeighted, true, 1);
  expect_windows(kLargest, false, 3);
  expect_windows(kWeighted, false, 5);
}

}  // namespace
}  // namespace understudy::worker
