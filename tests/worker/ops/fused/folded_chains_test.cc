// SPDX-License-Identifier: Apache-2.0
// Chains whose machine code reduces their results as well, without a value of the tile: the bits of
// the plain program, wherever the code takes over from the steps.
#include <fmt/format.h>
#include <vector>

#include "tests/worker/ops/fused/same_bits.h"
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker {
namespace {

// Every instruction set, with code from the start, after some tiles, and never. `folded`: whether
// machine code reduces.
void expect_folded(const std::string& text, bool folded = true) {
  const std::vector<Bytes> wanted =
      run_on(compiled(text, false), program::kernels::select("portable"));
  const program::Executable fused = compiled(text, true);
  for (const auto* kernels : program::kernels::available())
    for (const std::size_t hot : {std::size_t{0}, std::size_t{20000}, SIZE_MAX}) {
      std::vector<Bytes> arguments;
      for (std::size_t i = 0; i < fused.arguments.size(); ++i)
        arguments.push_back(random_values(fused.arguments[i], static_cast<unsigned>(i) + 1));
      OneChip chip(fused, *kernels, Mxu::Make::portable);
      chip.execution.chains.hot_elements = hot;
      const auto where =
          fmt::format("{}, machine code after {} elements\n{}", kernels->isa, hot, text);
      const std::vector<Bytes> got = chip.run(arguments);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i] == wanted[i]) << "result " << i << ", " << where;
      if (hot == 0 && ops::has_machine_code(*kernels)) {
        EXPECT_EQ(chip.execution.chains.folded > 0, folded) << where;
      }
    }
}

// (x y) + x, reduced along the last dimension.
std::string products(int rows, int columns, const char* type, const char* operation) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}>, %y: tensor<{0}x{1}x{2}>, %start: tensor<{2}>) -> tensor<{0}x{2}> {{
  %p = stablehlo.multiply %x, %y : tensor<{0}x{1}x{2}>
  %z = stablehlo.add %p, %x : tensor<{0}x{1}x{2}>
  %s = stablehlo.reduce(%z init: %start) applies stablehlo.{3} across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  return %s : tensor<{0}x{2}>
}})",
      rows, columns, type, operation);
}

TEST(FoldedChains, LongRowsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f16", "i32", "ui32"})
    for (const char* operation : {"add", "multiply", "maximum", "minimum"})
      for (const int columns : {65537, 66560, 70001, 100000})
        expect_folded(products(1, columns, type, operation));
}

TEST(FoldedChains, WholeRowsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "i32"})
    for (const char* operation : {"add", "maximum"})
      for (const int columns : {1024, 2048, 65536})
        expect_folded(products(columns == 65536 ? 3 : 37, columns, type, operation));
}

// Rows that are no whole pieces, and short ones, are reduced from the tile.
TEST(FoldedChains, OtherRowsKeepTheirBits) {
  for (const int columns : {100, 512, 2049, 3000})
    expect_folded(products(37, columns, "f32", "add"), false);
}

// A chain has bytes as words, which are no lanes of a reduction of bytes.
TEST(FoldedChains, BytesAreReducedFromTheTile) {
  for (const char* type : {"i8", "ui8"})
    for (const char* operation : {"maximum", "minimum", "add", "multiply"})
      for (const int columns : {65537, 70001, 131072})
        expect_folded(
            fmt::format(
                R"(func.func public @main(%x: tensor<2x{0}xf32>, %start: tensor<{1}>) -> tensor<2x{1}> {{
  %t = stablehlo.constant dense<20.0> : tensor<2x{0}xf32>
  %p = stablehlo.multiply %x, %t : tensor<2x{0}xf32>
  %z = stablehlo.convert %p : (tensor<2x{0}xf32>) -> tensor<2x{0}x{1}>
  %s = stablehlo.reduce(%z init: %start) applies stablehlo.{2} across dimensions = [1] : (tensor<2x{0}x{1}>, tensor<{1}>) -> tensor<2x{1}>
  return %s : tensor<2x{1}>
}})",
                columns, type, operation),
            false);
}

// NaN in some of the rows, and in all lanes.
TEST(FoldedChains, NanKeepsItsBits) {
  for (const char* operation : {"add", "maximum", "minimum"})
    for (const char* function : {"log", "sqrt", "exponential"})
      expect_folded(fmt::format(
          R"(func.func public @main(%x: tensor<40x2048xf32>, %shift: tensor<40xf32>, %start: tensor<f32>) -> tensor<40xf32> {{
  %far = stablehlo.constant dense<3.0> : tensor<40xf32>
  %b = stablehlo.multiply %shift, %far : tensor<40xf32>
  %w = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<40xf32>) -> tensor<40x2048xf32>
  %a = stablehlo.add %x, %w : tensor<40x2048xf32>
  %y = stablehlo.{0} %a : tensor<40x2048xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.{1} across dimensions = [1] : (tensor<40x2048xf32>, tensor<f32>) -> tensor<40xf32>
  return %s : tensor<40xf32>
}})",
          function, operation));
}

// The value is a result of the loop as well, or a later step reads it.
TEST(FoldedChains, KeepsValuesThatOthersRead) {
  for (const int columns : {2048, 70000}) {
    expect_folded(
        fmt::format(
            R"(func.func public @main(%x: tensor<9x{0}xf32>, %start: tensor<f32>) -> (tensor<9x{0}xf32>, tensor<9xf32>) {{
  %y = stablehlo.multiply %x, %x : tensor<9x{0}xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.add across dimensions = [1] : (tensor<9x{0}xf32>, tensor<f32>) -> tensor<9xf32>
  return %y, %s : tensor<9x{0}xf32>, tensor<9xf32>
}})",
            columns),
        false);
  }
  expect_folded(
      R"(func.func public @main(%x: tensor<9x2048xf32>, %start: tensor<f32>) -> tensor<9x2048xf32> {
  %y = stablehlo.exponential %x : tensor<9x2048xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.add across dimensions = [1] : (tensor<9x2048xf32>, tensor<f32>) -> tensor<9xf32>
  %w = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<9xf32>) -> tensor<9x2048xf32>
  %q = stablehlo.divide %y, %w : tensor<9x2048xf32>
  return %q : tensor<9x2048xf32>
})");
}

// Several reductions of one chain.
TEST(FoldedChains, FoldsSeveralTimes) {
  for (const int columns : {4096, 70001})
    expect_folded(fmt::format(
        R"(func.func public @main(%x: tensor<3x{0}xf32>, %y: tensor<3x{0}xf32>, %start: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {{
  %p = stablehlo.multiply %x, %y : tensor<3x{0}xf32>
  %d = stablehlo.subtract %x, %p : tensor<3x{0}xf32>
  %s = stablehlo.reduce(%p init: %start) applies stablehlo.add across dimensions = [1] : (tensor<3x{0}xf32>, tensor<f32>) -> tensor<3xf32>
  %t = stablehlo.reduce(%d init: %start) applies stablehlo.maximum across dimensions = [1] : (tensor<3x{0}xf32>, tensor<f32>) -> tensor<3xf32>
  return %s, %t : tensor<3xf32>, tensor<3xf32>
}})",
        columns));
}

// Tiles of a row whose values come from elsewhere for each row are joined.
TEST(FoldedChains, RowsOfViewsKeepTheirBits) {
  for (const int columns : {3136, 4096, 5000})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<3x5x{0}xf32>, %scale: tensor<5xf32>, %y: tensor<5x{0}xf32>) -> tensor<3x5x{0}xf32> {{
  %s = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<5xf32>) -> tensor<3x5x{0}xf32>
  %w = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<5x{0}xf32>) -> tensor<3x5x{0}xf32>
  %p = stablehlo.multiply %x, %s : tensor<3x5x{0}xf32>
  %q = stablehlo.add %p, %w : tensor<3x5x{0}xf32>
  return %q : tensor<3x5x{0}xf32>
}})",
        columns));
}

// Functions that leave an iteration to a second body must not count it twice.
TEST(FoldedChains, UnusualNumbersCountOnce) {
  expect_folded(
      R"(func.func public @main(%x: tensor<1x70016xf32>, %start: tensor<f32>) -> tensor<1xf32> {
  %far = stablehlo.constant dense<40.0> : tensor<1x70016xf32>
  %a = stablehlo.multiply %x, %far : tensor<1x70016xf32>
  %y = stablehlo.exponential %a : tensor<1x70016xf32>
  %z = stablehlo.logistic %a : tensor<1x70016xf32>
  %m = stablehlo.minimum %y, %z : tensor<1x70016xf32>
  %s = stablehlo.reduce(%m init: %start) applies stablehlo.add across dimensions = [1] : (tensor<1x70016xf32>, tensor<f32>) -> tensor<1xf32>
  return %s : tensor<1xf32>
})");
}

}  // namespace
}  // namespace understudy::worker
