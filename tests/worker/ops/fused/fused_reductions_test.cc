// SPDX-License-Identifier: Apache-2.0
// Reductions in fused loops whose results are complete only after several tiles: of rows longer
// than 65,536 elements, and of blocks of rows (or all rows) to one. The bits of the plain program
// on every instruction set.
#include <array>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// x x, reduced along `dimension` from the argument %start.
std::string squares(int rows, int columns, const char* type, const char* operation, int dimension) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}>, %start: tensor<{2}>) -> tensor<{4}x{2}> {{
  %y = stablehlo.multiply %x, %x : tensor<{0}x{1}x{2}>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.{3} across dimensions = [{5}] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{4}x{2}>
  return %s : tensor<{4}x{2}>
}})",
      rows, columns, type, operation, dimension == 1 ? rows : columns, dimension);
}

TEST(FusedReductions, LongRowsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f16", "f64", "i32", "i8"})
    for (const char* operation : {"add", "multiply", "maximum", "minimum"})
      for (const int columns : {65537, 66560, 70001})
        expect_same_bits(squares(2, columns, type, operation, 1));
}

// Numbers of both signs, summed in f32 or f64: the last bits are those of the lanes and their tree.
TEST(FusedReductions, LongRowsOfBothSignsKeepTheirBits) {
  for (const auto& [type, sum] :
       {std::pair{"f32", "f32"}, {"bf16", "f32"}, {"f16", "f32"}, {"f64", "f64"}})
    for (const int columns : {65537, 66560, 70001})
      expect_same_bits(fmt::format(
          R"(func.func public @main(%x: tensor<5x{0}x{1}>, %start: tensor<{2}>) -> tensor<5x{2}> {{
  %y = stablehlo.add %x, %x : tensor<5x{0}x{1}>
  %z = stablehlo.convert %y : (tensor<5x{0}x{1}>) -> tensor<5x{0}x{2}>
  %s = stablehlo.reduce(%z init: %start) applies stablehlo.add across dimensions = [1] : (tensor<5x{0}x{2}>, tensor<{2}>) -> tensor<5x{2}>
  return %s : tensor<5x{2}>
}})",
          columns, type, sum));
}

TEST(FusedReductions, RowsThatAreAddedUpKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f16", "f64", "i32", "i8"})
    for (const char* operation : {"add", "maximum"})
      for (const auto& [rows, columns] :
           {std::pair{3, 8}, {50, 100}, {2048, 9}, {7, 1000}, {5, 3001}, {300, 300}})
        expect_same_bits(squares(rows, columns, type, operation, 0));
}

// x x, reduced over the rows of each of some blocks.
std::string sums_of_blocks(int blocks, int rows, int columns, const char* type,
                           const char* operation) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}x{3}>, %start: tensor<{3}>) -> tensor<{0}x{2}x{3}> {{
  %y = stablehlo.multiply %x, %x : tensor<{0}x{1}x{2}x{3}>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.{4} across dimensions = [1] : (tensor<{0}x{1}x{2}x{3}>, tensor<{3}>) -> tensor<{0}x{2}x{3}>
  return %s : tensor<{0}x{2}x{3}>
}})",
      blocks, rows, columns, type, operation);
}

// Blocks of rows that are parts of a tile, one or several tiles, and no whole number of either.
TEST(FusedReductions, BlocksOfRowsThatAreAddedUpKeepTheirBits) {
  struct Sizes {
    int blocks, rows, columns;
  };
  for (const char* type : {"f32", "bf16", "f16", "f64", "i32", "i8"})
    for (const char* operation : {"add", "maximum"})
      for (const auto& [blocks, rows, columns] :
           {Sizes{3, 4, 8}, {70, 2, 9}, {2, 50, 100}, {5, 300, 64}, {2, 2048, 9}, {3, 7, 3001}})
        expect_same_bits(sums_of_blocks(blocks, rows, columns, type, operation));
}

// Rows at every level of the tree of sums, in tiles that end elsewhere, and blocks of few rows,
// which are added up several at once.
TEST(FusedReductions, TreesOfRowsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f16", "f64", "i32"})
    for (const char* operation : {"add", "multiply", "maximum"})
      for (const auto& [rows, columns] :
           {std::pair{63, 9}, {64, 8}, {65, 8}, {129, 100}, {4096, 8}, {4097, 8}, {130, 5000}})
        expect_same_bits(squares(rows, columns, type, operation, 0));
  expect_same_bits(squares(70000, 8, "f32", "add", 0));
  for (const char* type : {"f32", "bf16", "f64", "i32"})
    for (int rows = 2; rows <= 5; ++rows)
      for (const int columns : {8, 9, 12, 20, 64, 511, 512})
        expect_same_bits(sums_of_blocks(columns < 64 ? 301 : 11, rows, columns, type, "add"));
  for (const auto& [blocks, rows, columns] :
       {std::array{5, 64, 9}, {5, 65, 9}, {3, 4097, 8}, {7, 200, 300}, {3, 100, 5000}})
    for (const char* type : {"f32", "bf16"})
      expect_same_bits(sums_of_blocks(blocks, rows, columns, type, "add"));
}

// Sums of all rows, of blocks and along rows of one value, and the sums of other blocks.
TEST(FusedReductions, SumsOfSeveralBlocksShareALoop) {
  expect_same_bits(
      R"(func.func public @main(%x: tensor<4x6x10x32xf32>, %b: tensor<4x32xf32>) -> (tensor<4x32xf32>, tensor<4x6x32xf32>, tensor<32xf32>, tensor<4x6x10xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [0, 3] : (tensor<4x32xf32>) -> tensor<4x6x10x32xf32>
  %y = stablehlo.multiply %x, %bs : tensor<4x6x10x32xf32>
  %p = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x6x10x32xf32>, tensor<f32>) -> tensor<4x32xf32>
  %q = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x6x10x32xf32>, tensor<f32>) -> tensor<4x6x32xf32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x10x32xf32>, tensor<f32>) -> tensor<32xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<4x6x10x32xf32>, tensor<f32>) -> tensor<4x6x10xf32>
  return %p, %q, %r, %s : tensor<4x32xf32>, tensor<4x6x32xf32>, tensor<32xf32>, tensor<4x6x10xf32>
})");
}

// The loop of the program carries the sums of blocks in the place of what the tiles read.
TEST(FusedReductions, SumsOfBlocksReplaceWhatTheirLoopReads) {
  for (const int columns : {64, 1000, 3000})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<3x50x{0}xf32>, %b0: tensor<3x{0}xf32>) -> tensor<3x{0}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %b = %b0) : tensor<i32>, tensor<3x{0}xf32>
  cond {{
    %go = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %bs = stablehlo.broadcast_in_dim %b, dims = [0, 2] : (tensor<3x{0}xf32>) -> tensor<3x50x{0}xf32>
    %y = stablehlo.multiply %x, %bs : tensor<3x50x{0}xf32>
    %s = stablehlo.reduce(%y init: %none) applies stablehlo.add across dimensions = [1] : (tensor<3x50x{0}xf32>, tensor<f32>) -> tensor<3x{0}xf32>
    stablehlo.return %next, %s : tensor<i32>, tensor<3x{0}xf32>
  }}
  return %r#1 : tensor<3x{0}xf32>
}})",
        columns));
}

// The mask of jnp.take_along_axis, among others, is reduced along a dimension of size 1.
TEST(FusedReductions, OverOneElementCombineItWithTheStart) {
  for (const char* type : {"f32", "bf16", "f16", "f64", "i32", "i1"})
    for (const char* operation : {"add", "multiply", "maximum", "minimum", "and", "or"}) {
      const std::string_view name(operation);
      const bool is_float = type[0] == 'f' || type[0] == 'b';
      if (is_float && (name == "and" || name == "or")) continue;
      expect_same_bits(fmt::format(
          R"(func.func public @main(%x: tensor<50x1x{0}>, %start: tensor<{0}>) -> tensor<50x{0}> {{
  %y = stablehlo.{1} %x, %x : tensor<50x1x{0}>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.{1} across dimensions = [1] : (tensor<50x1x{0}>, tensor<{0}>) -> tensor<50x{0}>
  return %s : tensor<50x{0}>
}})",
          type, operation));
    }
}

// Complex products, small floats and few columns wait for no other tile.
TEST(FusedReductions, OthersStayAsTheyAre) {
  expect_same_bits(squares(1, 65537, "complex<f32>", "multiply", 1), 0);
  expect_same_bits(squares(1, 65537, "f8E4M3FN", "add", 1), 0);
  expect_same_bits(squares(40, 7, "f32", "add", 0), 0);
  expect_same_bits(
      R"(func.func public @main(%x: tensor<4x40x7xf32>, %start: tensor<f32>) -> tensor<4x7xf32> {
  %y = stablehlo.multiply %x, %x : tensor<4x40x7xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.add across dimensions = [1] : (tensor<4x40x7xf32>, tensor<f32>) -> tensor<4x7xf32>
  return %s : tensor<4x7xf32>
})",
      0);
}

// The square root reads the sum, and the last loop both: only the first one may have the sum.
TEST(FusedReductions, ReadersOfAResultWaitForItsEnd) {
  for (const int columns : {1000, 4096, 4097, 65536, 70000})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<{0}xf32>) -> (tensor<{0}xf32>, tensor<f32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.multiply %x, %x : tensor<{0}xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<{0}xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.sqrt %s : tensor<f32>
  %rs = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<{0}xf32>
  %z = stablehlo.divide %x, %rs : tensor<{0}xf32>
  return %z, %r : tensor<{0}xf32>, tensor<f32>
}})",
        columns));
}

// One loop has sums of rows, and sums of all rows over what it computes from them.
TEST(FusedReductions, SumsOfRowsAndOfColumnsShareALoop) {
  for (const auto& [rows, columns] : {std::pair{40, 64}, {33, 100}, {9, 4096}, {64, 64}})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<{0}x{1}xf32>, %b: tensor<{1}xf32>) -> (tensor<{0}x{1}xf32>, tensor<{1}xf32>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<{1}xf32>) -> tensor<{0}x{1}xf32>
  %y = stablehlo.multiply %x, %bs : tensor<{0}x{1}xf32>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %ss = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x{1}xf32>
  %z = stablehlo.subtract %y, %ss : tensor<{0}x{1}xf32>
  %c = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{1}xf32>
  return %z, %c, %s : tensor<{0}x{1}xf32>, tensor<{1}xf32>, tensor<{0}xf32>
}})",
        rows, columns));
}

// The loop of the program carries the sums in the place of what the tiles read.
TEST(FusedReductions, SumsReplaceWhatTheirLoopReads) {
  for (const int columns : {64, 1000, 3000})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<50x{0}xf32>, %b0: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %b = %b0) : tensor<i32>, tensor<{0}xf32>
  cond {{
    %go = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %bs = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<{0}xf32>) -> tensor<50x{0}xf32>
    %y = stablehlo.multiply %x, %bs : tensor<50x{0}xf32>
    %s = stablehlo.reduce(%y init: %none) applies stablehlo.add across dimensions = [0] : (tensor<50x{0}xf32>, tensor<f32>) -> tensor<{0}xf32>
    stablehlo.return %next, %s : tensor<i32>, tensor<{0}xf32>
  }}
  return %r#1 : tensor<{0}xf32>
}})",
        columns));
}

// A value of each row is computed in every tile of the row, from the memory of a dead value.
TEST(FusedReductions, ValuesOfRowsAreNotComputedFromThemselves) {
  for (const int columns : {64, 5000})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<9x{0}xf32>, %v: tensor<9xf32>) -> (tensor<9x{0}xf32>, tensor<9xf32>) {{
  %w = stablehlo.reverse %v, dims = [0] : tensor<9xf32>
  %y = stablehlo.multiply %w, %v : tensor<9xf32>
  %ys = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<9xf32>) -> tensor<9x{0}xf32>
  %z = stablehlo.multiply %x, %ys : tensor<9x{0}xf32>
  %u = stablehlo.reverse %y, dims = [0] : tensor<9xf32>
  return %z, %u : tensor<9x{0}xf32>, tensor<9xf32>
}})",
        columns));
}

}  // namespace
}  // namespace understudy::worker
