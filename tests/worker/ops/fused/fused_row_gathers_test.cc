// SPDX-License-Identifier: Apache-2.0
// Whole rows at indices in fused loops, as jnp.take(x, i, axis=0) and embeddings make them: the
// bits of the plain program on every instruction set. Many of the random indices are beyond the
// operand, and some are negative.
#include <fmt/format.h>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// What is done with %g, of n rows of w elements of `type`. %m: [n], whether a row is inside.
std::string rows_of(int n, int w, const char* type, const char* index, const std::string& use,
                    const std::string& results) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<90x{1}x{2}>, %i: tensor<{0}x{3}>, %y: tensor<{0}x{1}x{2}>, %f: tensor<{2}>) -> {5} {{
  %back = stablehlo.constant dense<20> : tensor<{0}x{3}>
  %sizes = stablehlo.constant dense<90> : tensor<{0}x{3}>
  %j = stablehlo.subtract %i, %back : tensor<{0}x{3}>
  %m = stablehlo.compare LT, %j, %sizes : (tensor<{0}x{3}>, tensor<{0}x{3}>) -> tensor<{0}xi1>
  %v = stablehlo.reshape %j : (tensor<{0}x{3}>) -> tensor<{0}x1x{3}>
  %g = "stablehlo.gather"(%x, %v) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {1}>}}> : (tensor<90x{1}x{2}>, tensor<{0}x1x{3}>) -> tensor<{0}x{1}x{2}>
{4}}})",
      n, w, type, index, use, results);
}

// jnp.take(mode="fill").
std::string filled(int n, int w, const char* type, const char* index = "i32") {
  const std::string array = fmt::format("tensor<{}x{}x{}>", n, w, type);
  return rows_of(
      n, w, type, index,
      fmt::format(
          R"(  %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<{0}xi1>) -> tensor<{0}x{1}xi1>
  %fs = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<{2}>) -> {3}
  %r = stablehlo.select %ms, %g, %fs : tensor<{0}x{1}xi1>, {3}
  return %r : {3}
)",
          n, w, type, array),
      array);
}

bool takes_rows(const std::string& text) {
  const std::string listing = list(compiled(text, true));
  return listing.find("= take_elements") != std::string::npos &&
         listing.find("= gather") == std::string::npos;
}

TEST(FusedRowGathers, OfEveryTypeKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f64", "i16", "complex<f64>"})
    for (const char* index : {"i32", "i64", "ui32"}) {
      EXPECT_TRUE(takes_rows(filled(150, 33, type, index)));
      expect_same_bits(filled(150, 33, type, index));
    }
  for (const char* index : {"i8", "i16", "ui8", "ui16", "ui64"})
    expect_same_bits(filled(150, 33, "f32", index));
  for (const char* type : {"i8", "f16", "i1"}) EXPECT_FALSE(takes_rows(filled(150, 33, type)));
}

// Runs of all lengths that are copied in their own way, rows of several tiles, one row.
TEST(FusedRowGathers, OfEveryLengthKeepTheirBits) {
  for (const int w : {2, 3, 4, 5, 8, 16, 20, 31, 64, 100, 2048, 5000}) {
    EXPECT_TRUE(takes_rows(filled(70, w, "f32"))) << w;
    expect_same_bits(filled(70, w, "f32"));
    expect_same_bits(filled(70, w, "bf16"));
  }
  expect_same_bits(filled(1, 4099, "f32"));
  expect_same_bits(filled(3000, 3, "f32"));
}

// Rows are scaled, beside another array, and summed along rows and over all rows.
TEST(FusedRowGathers, BesideReductionsKeepTheirBits) {
  for (const int w : {3, 48}) {
    const std::string text =
        rows_of(640, w, "f32", "i32",
                fmt::format(R"(  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.multiply %g, %y : tensor<640x{0}xf32>
  %s = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<640x{0}xf32>, tensor<f32>) -> tensor<640xf32>
  %b = stablehlo.reshape %p : (tensor<640x{0}xf32>) -> tensor<64x10x{0}xf32>
  %c = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x10x{0}xf32>, tensor<f32>) -> tensor<64x{0}xf32>
  return %s, %c, %p : tensor<640xf32>, tensor<64x{0}xf32>, tensor<640x{0}xf32>
)",
                            w),
                fmt::format("(tensor<640xf32>, tensor<64x{0}xf32>, tensor<640x{0}xf32>)", w));
    EXPECT_TRUE(takes_rows(text));
    expect_same_bits(text);
  }
}

// Rows that the loop makes itself can be read at other places only once all of them are made.
TEST(FusedRowGathers, OfWhatTheLoopMakesKeepTheirBits) {
  expect_same_bits(
      R"(func.func public @main(%x: tensor<90x40xf32>, %i: tensor<90xi32>) -> tensor<90x40xf32> {
  %n = stablehlo.negate %x : tensor<90x40xf32>
  %a = stablehlo.abs %n : tensor<90x40xf32>
  %v = stablehlo.reshape %i : (tensor<90xi32>) -> tensor<90x1xi32>
  %g = "stablehlo.gather"(%a, %v) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 40>}> : (tensor<90x40xf32>, tensor<90x1xi32>) -> tensor<90x40xf32>
  %r = stablehlo.add %g, %n : tensor<90x40xf32>
  return %r : tensor<90x40xf32>
})");
}

// Parts of rows, columns, and rows by two numbers stay gathers.
TEST(FusedRowGathers, OfOtherWindowsStayOutside) {
  const auto gathered = [](const char* dimensions, const char* sizes, int columns) {
    return fmt::format(
        R"(func.func public @main(%x: tensor<90x40xf32>, %i: tensor<70x1xi32>) -> tensor<70x{2}xf32> {{
  %g = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{0}, index_vector_dim = 1>, slice_sizes = array<i64: {1}>}}> : (tensor<90x40xf32>, tensor<70x1xi32>) -> tensor<70x{2}xf32>
  %n = stablehlo.negate %g : tensor<70x{2}xf32>
  %r = stablehlo.abs %n : tensor<70x{2}xf32>
  return %r : tensor<70x{2}xf32>
}})",
        dimensions, sizes, columns);
  };
  const std::string rows = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]";
  const std::string columns =
      "offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1]";
  const std::string moved = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1]";
  EXPECT_TRUE(takes_rows(gathered(rows.c_str(), "1, 40", 40)));
  for (const std::string& text :
       {gathered(rows.c_str(), "1, 39", 39), gathered(columns.c_str(), "90, 1", 90),
        gathered(moved.c_str(), "1, 40", 40)}) {
    EXPECT_FALSE(takes_rows(text)) << text;
    expect_same_bits(text);
  }
}

}  // namespace
}  // namespace understudy::worker
