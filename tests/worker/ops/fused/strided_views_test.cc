// SPDX-License-Identifier: Apache-2.0
// Operands of a fused loop whose elements are some elements apart: the bits of the plain program on
// every instruction set.
#include <fmt/format.h>
#include <string>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// The rest of a program that reads two slices %a and %b. Complex numbers and integers, too.
std::string combined(const std::string& signature, const std::string& slices,
                     const std::string& type) {
  return fmt::format(
      "func.func public @main{0} -> (tensor<{2}>, tensor<{2}>) {{\n{1}"
      "%c = stablehlo.multiply %a, %b : tensor<{2}>\n"
      "%d = stablehlo.add %c, %y : tensor<{2}>\n"
      "%e = stablehlo.subtract %d, %a : tensor<{2}>\n"
      "return %e, %c : tensor<{2}>, tensor<{2}>\n}}",
      signature, slices, type);
}

// x[:, first] and x[:, last] of an array of pixels or points.
std::string channels_of(int rows, int channels, const std::string& type) {
  std::string slices;
  for (const auto& [name, at] : {std::pair{"a", 0}, {"b", channels - 1}})
    slices += fmt::format(
        "%{0}s = stablehlo.slice %x [0:{1}, {2}:{3}] : (tensor<{1}x{4}x{5}>) -> tensor<{1}x1x{5}>\n"
        "%{0} = stablehlo.reshape %{0}s : (tensor<{1}x1x{5}>) -> tensor<{1}x{5}>\n",
        name, rows, at, at + 1, channels, type);
  return combined(
      fmt::format("(%x: tensor<{0}x{1}x{2}>, %y: tensor<{0}x{2}>)", rows, channels, type), slices,
      fmt::format("{}x{}", rows, type));
}

constexpr const char* kTypes[] = {"i8",  "bf16",         "f32",         "i32",
                                  "f64", "complex<f32>", "complex<f64>"};

TEST(StridedViews, ChannelsOfPixelsKeepTheirBits) {
  for (const char* type : kTypes)
    for (const int channels : {2, 3, 4, 5, 32})
      for (const int rows : {16, 17, 37, 1001, 70001})
        if (channels < 5 || rows < 70001) expect_one_loop(channels_of(rows, channels, type));
}

// [:, first::step] of rows, and [:, 1::step] or the like.
std::string parts_of(int rows, int columns, int step, const std::string& type) {
  const int length = columns * step + 1;
  std::string slices;
  for (const auto& [name, first] : {std::pair{"a", 0}, {"b", 1}})
    slices += fmt::format(
        "%{0} = stablehlo.slice %x [0:{1}, {2}:{3}:{4}] : (tensor<{1}x{5}x{7}>) -> "
        "tensor<{1}x{6}x{7}>\n",
        name, rows, first, first + (columns - 1) * step + 1, step, length, columns, type);
  return combined(fmt::format("(%x: tensor<{0}x{1}x{3}>, %y: tensor<{0}x{2}x{3}>)", rows, length,
                              columns, type),
                  slices, fmt::format("{}x{}x{}", rows, columns, type));
}

TEST(StridedViews, PartsOfRowsKeepTheirBits) {
  for (const char* type : kTypes)
    for (const int step : {2, 3, 4, 7, 32})
      for (const auto& [rows, columns] : {std::pair{1, 40}, {3, 16}, {7, 37}, {64, 65}, {3, 5000}})
        if (step < 7 || columns < 5000) expect_one_loop(parts_of(rows, columns, step, type));
  // A row of several tiles, the last of which has one element.
  for (const int columns : {65536, 65537, 70001})
    for (const int step : {2, 3}) expect_one_loop(parts_of(2, columns, step, "f32"));
}

// x[first::step] of one dimension.
TEST(StridedViews, PartsOfAVectorKeepTheirBits) {
  for (const char* type : kTypes)
    for (const int step : {2, 3, 4, 32})
      for (const int n : {16, 17, 100, 4099}) {
        const int length = n * step + 3;
        std::string slices;
        for (const auto& [name, first] : {std::pair{"a", 0}, {"b", step + 1}})
          slices += fmt::format(
              "%{0} = stablehlo.slice %x [{1}:{2}:{3}] : (tensor<{4}x{6}>) -> tensor<{5}x{6}>\n",
              name, first, first + (n - 1) * step + 1, step, length, n, type);
        expect_one_loop(
            combined(fmt::format("(%x: tensor<{}x{}>, %y: tensor<{}x{}>)", length, type, n, type),
                     slices, fmt::format("{}x{}", n, type)));
      }
}

// Rows of a larger array and elements of a row, both some apart: rows 1, 3 and 5 of each image.
TEST(StridedViews, PartsOfArraysKeepTheirBits) {
  for (const char* type : {"i8", "f32", "f64"})
    for (const int columns : {16, 33, 300})
      for (const int step : {2, 3, 5}) {
        const int length = columns * step;
        expect_one_loop(combined(
            fmt::format("(%x: tensor<4x7x{0}x{2}>, %y: tensor<4x3x{1}x{2}>)", length, columns,
                        type),
            fmt::format(
                "%a = stablehlo.slice %x [0:4, 1:6:2, 1:{0}:{1}] : (tensor<4x7x{0}x{3}>) -> "
                "tensor<4x3x{2}x{3}>\n"
                "%b = stablehlo.slice %x [0:4, 4:7, 0:{0}:{1}] : (tensor<4x7x{0}x{3}>) -> "
                "tensor<4x3x{2}x{3}>\n",
                length, step, columns, type),
            fmt::format("4x3x{}x{}", columns, type)));
      }
}

// One channel of each pixel, and a value of each pixel: the loop has other tiles than that of the
// channel alone. The sum over all rows reads it, too.
TEST(StridedViews, BesideOtherViewsKeepTheirBits) {
  for (const int columns : {16, 50, 640})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<9x{0}x3xf32>, %w: tensor<{0}xf32>, %v: tensor<9xf32>) -> (tensor<9x{0}xf32>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.slice %x [0:9, 0:{0}, 1:2] : (tensor<9x{0}x3xf32>) -> tensor<9x{0}x1xf32>
  %a = stablehlo.reshape %s : (tensor<9x{0}x1xf32>) -> tensor<9x{0}xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<{0}xf32>) -> tensor<9x{0}xf32>
  %vs = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<9xf32>) -> tensor<9x{0}xf32>
  %b = stablehlo.multiply %a, %ws : tensor<9x{0}xf32>
  %c = stablehlo.add %b, %vs : tensor<9x{0}xf32>
  %r = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<9x{0}xf32>, tensor<f32>) -> tensor<{0}xf32>
  return %c, %r : tensor<9x{0}xf32>, tensor<{0}xf32>
}})",
        columns));
}

// One element for each row of a loop, which is no view of it: y.sum(1) + x[:, 0], and tanh(x[:, 0])
// beside each row.
TEST(StridedViews, OfOneElementPerRowKeepTheirBits) {
  for (const int rows : {16, 64, 100, 128, 640})
    for (const int columns : {2, 16, 64, 100, 128}) {
      SCOPED_TRACE(fmt::format("{} x {}", rows, columns));
      expect_same_bits(fmt::format(
          R"(func.func public @main(%x: tensor<{0}x3xf32>, %y: tensor<{0}x{1}xf32>) -> (tensor<{0}xf32>, tensor<{0}x{1}xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.slice %x [0:{0}, 0:1] : (tensor<{0}x3xf32>) -> tensor<{0}x1xf32>
  %a = stablehlo.reshape %s : (tensor<{0}x1xf32>) -> tensor<{0}xf32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %o = stablehlo.add %r, %a : tensor<{0}xf32>
  %t = stablehlo.tanh %a : tensor<{0}xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x{1}xf32>
  %p = stablehlo.multiply %b, %y : tensor<{0}x{1}xf32>
  return %o, %p : tensor<{0}xf32>, tensor<{0}x{1}xf32>
}})",
          rows, columns));
    }
}

// Further apart than the loops read, and backwards: copies, as before.
TEST(StridedViews, OthersStayCopies) {
  const std::string far = channels_of(100, 33, "f32");
  EXPECT_EQ(copies_in(far), 2U);
  expect_same_bits(far);
  const std::string apart = parts_of(20, 50, 33, "f32");
  EXPECT_EQ(copies_in(apart), 2U);
  expect_same_bits(apart);
  const std::string backwards =
      combined("(%x: tensor<20x50xf32>, %y: tensor<20x50xf32>)",
               "%a = stablehlo.reverse %x, dims = [1] : tensor<20x50xf32>\n"
               "%b = stablehlo.reverse %x, dims = [0] : tensor<20x50xf32>\n",
               "20x50xf32");
  EXPECT_EQ(copies_in(backwards), 2U);
  expect_same_bits(backwards);
}

}  // namespace
}  // namespace understudy::worker
