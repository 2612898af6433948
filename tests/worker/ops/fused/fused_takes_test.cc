// SPDX-License-Identifier: Apache-2.0
// Elements at indices in fused loops, as x[i] and jnp.take_along_axis make them: the bits of the
// plain program on every instruction set. Many of the random indices are beyond the operand.
#include <fmt/format.h>
#include <sstream>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// jnp.take_along_axis(x, i, axis) of [a, n, b] and [a, m, b] along axis 1, negative numbers counted
// from the end, and NaN or another value where the number is beyond.
std::string taken(int a, int n, int m, int b, const char* type, const char* index) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{3}x{4}>, %i: tensor<{0}x{2}x{3}x{5}>, %f: tensor<{4}>) -> tensor<{0}x{2}x{3}x{4}> {{
  %size = stablehlo.constant dense<{6}> : tensor<{5}>
  %sizes = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<{5}>) -> tensor<{0}x{2}x{3}x{5}>
  %j = stablehlo.subtract %i, %sizes : tensor<{0}x{2}x{3}x{5}>
  %inside = stablehlo.compare LT, %j, %sizes : (tensor<{0}x{2}x{3}x{5}>, tensor<{0}x{2}x{3}x{5}>) -> tensor<{0}x{2}x{3}xi1>
  %v = stablehlo.reshape %j : (tensor<{0}x{2}x{3}x{5}>) -> tensor<{0}x{2}x{3}x1x{5}>
  %g = "stablehlo.gather"(%x, %v) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [0, 2], start_index_map = [1], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}}> : (tensor<{0}x{1}x{3}x{4}>, tensor<{0}x{2}x{3}x1x{5}>) -> tensor<{0}x{2}x{3}x{4}>
  %fill = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<{4}>) -> tensor<{0}x{2}x{3}x{4}>
  %r = stablehlo.select %inside, %g, %fill : (tensor<{0}x{2}x{3}xi1>, tensor<{0}x{2}x{3}x{4}>, tensor<{0}x{2}x{3}x{4}>) -> tensor<{0}x{2}x{3}x{4}>
  return %r : tensor<{0}x{2}x{3}x{4}>
}})",
      a, n, m, b, type, index, std::min(n, 100));
}

TEST(FusedTakes, AlongTheMiddleKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f64", "i8", "complex<f64>"})
    for (const char* index : {"i32", "i64", "ui32"})
      expect_same_bits(taken(3, 50, 40, 33, type, index));
  // Numbers of types that no loop of their own reads.
  for (const char* index : {"i8", "i16", "ui8", "ui64"})
    expect_same_bits(taken(3, 50, 40, 33, "f32", index));
}

// Lines over several tiles, along rows and columns, of one batch and of one element.
TEST(FusedTakes, OfEveryShapeKeepTheirBits) {
  expect_same_bits(taken(4, 700, 5000, 1, "f32", "i32"));
  expect_same_bits(taken(1, 700, 5000, 1, "f32", "i32"));
  expect_same_bits(taken(1, 60, 40, 3000, "f32", "i32"));
  expect_same_bits(taken(64, 16, 16, 1, "f32", "i32"));
  expect_same_bits(taken(700, 10, 1, 1, "f32", "i32"));
  expect_same_bits(taken(5, 20, 7, 18, "i32", "i32"));
}

// Short lines and few elements stay a gather of their own.
TEST(FusedTakes, ShortLinesStayOutside) {
  expect_same_bits(taken(40, 16, 3, 2, "f32", "i32"));
  expect_same_bits(taken(2, 16, 4, 4, "f32", "i32"));
}

// Rows are read at indices, scaled, summed along rows and over blocks of rows.
TEST(FusedTakes, BesideReductionsKeepTheirBits) {
  expect_same_bits(
      R"(func.func public @main(%x: tensor<900xf32>, %i: tensor<6x10x96xi32>, %w: tensor<96xf32>) -> (tensor<6x10xf32>, tensor<6x96xf32>, tensor<6x10x96xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %v = stablehlo.reshape %i : (tensor<6x10x96xi32>) -> tensor<6x10x96x1xi32>
  %g = "stablehlo.gather"(%x, %v) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1>}> : (tensor<900xf32>, tensor<6x10x96x1xi32>) -> tensor<6x10x96xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [2] : (tensor<96xf32>) -> tensor<6x10x96xf32>
  %y = stablehlo.multiply %g, %ws : tensor<6x10x96xf32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<6x10x96xf32>, tensor<f32>) -> tensor<6x10xf32>
  %c = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x10x96xf32>, tensor<f32>) -> tensor<6x96xf32>
  return %r, %c, %y : tensor<6x10xf32>, tensor<6x96xf32>, tensor<6x10x96xf32>
})");
}

// The loop of the program carries numbers that its body reads elements of `operand` at.
std::string repeated(const char* operand) {
  return fmt::format(
      R"(func.func public @main(%p0: tensor<2000xi32>, %x: tensor<2000xi32>) -> tensor<2000xi32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<2000xi32>
  %r:2 = stablehlo.while(%i = %zero, %p = %p0) : tensor<i32>, tensor<2000xi32>
  cond {{
    %go = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.reshape %p : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %g = "stablehlo.gather"({}, %v) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (tensor<2000xi32>, tensor<2000x1xi32>) -> tensor<2000xi32>
    %q = stablehlo.add %g, %seven : tensor<2000xi32>
    stablehlo.return %next, %q : tensor<i32>, tensor<2000xi32>
  }}
  return %r#1 : tensor<2000xi32>
}})",
      operand);
}

// Results may take the place of the numbers, each of which is read once, but not that of the
// operand, which is read at any place.
TEST(FusedTakes, OnlyNumbersAreOverwritten) {
  expect_same_bits(repeated("%x"));
  expect_same_bits(repeated("%p"), 0);
}

// As a bilinear sample has four neighbours, and a fifth whose place is one of them.
TEST(FusedTakes, ThoseThatNeedNoOtherComeTogether) {
  const std::string n = "tensor<70x33xf32>", k = "tensor<70x33xi32>", at = "tensor<70x33x1xi32>";
  std::string body = fmt::format(
      "%limit = stablehlo.constant dense<499> : {1}\n"
      "%zero = stablehlo.constant dense<0> : {1}\n"
      "%i = stablehlo.convert %y : ({0}) -> {1}\n"
      "%f = stablehlo.floor %y : {0}\n",
      n, k);
  const auto sample = [&](const std::string& name, const std::string& place) {
    body += fmt::format(
        "%{0}r = stablehlo.reshape {1} : ({2}) -> {3}\n"
        "%{0} = \"stablehlo.gather\"(%x, %{0}r) <{{dimension_numbers = #stablehlo.gather<"
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, "
        "slice_sizes = array<i64: 1>}}> : (tensor<500xf32>, {3}) -> {4}\n",
        name, place, k, at, n);
  };
  std::string last = "%f";
  for (int s = 0; s < 4; ++s) {
    body += fmt::format(
        "%step{0} = stablehlo.constant dense<{0}> : {1}\n"
        "%p{0} = stablehlo.add %i, %step{0} : {1}\n",
        s, k);
    sample(fmt::format("s{}", s), fmt::format("%p{}", s));
    body += fmt::format(
        "%m{0} = stablehlo.multiply %s{0}, {1} : {2}\n"
        "%w{0} = stablehlo.add %m{0}, %y : {2}\n",
        s, last, n);
    last = fmt::format("%w{}", s);
  }
  body += fmt::format("%j = stablehlo.convert %s3 : ({}) -> {}\n", n, k);
  sample("t", "%j");
  body += fmt::format("%r = stablehlo.subtract {}, %t : {}\n", last, n);
  const std::string text = fmt::format(
      "func.func public @main(%x: tensor<500xf32>, %y: {0}) -> {0} {{\n{1}return %r : {0}\n}}", n,
      body);
  expect_same_bits(text);
  const std::string listing = list(compiled(text, true));
  std::vector<std::size_t> takes;
  std::size_t line = 0;
  std::istringstream lines(listing);
  for (std::string one; std::getline(lines, one); ++line)
    if (one.find("= take_elements") != std::string::npos) takes.push_back(line);
  ASSERT_EQ(takes.size(), 5U) << listing;
  EXPECT_EQ(takes[3] - takes[0], 3U) << listing;
  EXPECT_GT(takes[4] - takes[3], 1U) << listing;
}

}  // namespace
}  // namespace understudy::worker
