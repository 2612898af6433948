// SPDX-License-Identifier: Apache-2.0
// Operands of a fused loop whose rows are at regular places: the bits of the plain program
// on every instruction set, with tiles that follow them in one way and with tiles that do not.
#include <fmt/format.h>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// Differences of the rows of x and y, and their squares added up. `y`: "x" for those of x itself.
std::string differences(int rows, int others, int columns, const char* type, bool of_itself) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{2}x{3}>, %y: tensor<{1}x{2}x{3}>) -> (tensor<{0}x{1}x{2}x{3}>, tensor<{0}x{1}x{3}>) {{
  %zero = stablehlo.constant dense<{5}> : tensor<{3}>
  %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<{0}x{2}x{3}>) -> tensor<{0}x{1}x{2}x{3}>
  %b = stablehlo.broadcast_in_dim %{4}, dims = [1, 2] : (tensor<{1}x{2}x{3}>) -> tensor<{0}x{1}x{2}x{3}>
  %d = stablehlo.subtract %a, %b : tensor<{0}x{1}x{2}x{3}>
  %e = stablehlo.multiply %d, %a : tensor<{0}x{1}x{2}x{3}>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<{0}x{1}x{2}x{3}>, tensor<{3}>) -> tensor<{0}x{1}x{3}>
  return %d, %s : tensor<{0}x{1}x{2}x{3}>, tensor<{0}x{1}x{3}>
}})",
      rows, others, columns, type, of_itself ? "x" : "y", type[0] == 'i' ? "0" : "0.0");
}

TEST(FusedViews, DifferencesOfRowsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f64", "i32", "i8"})
    for (const auto& [rows, others, columns] :
         {std::array{2, 40, 3}, {40, 64, 16}, {5, 37, 16}, {3, 512, 64}, {4, 6, 640}, {3, 7, 4096}})
      expect_one_loop(differences(rows, others, columns, type, false));
  for (const auto& [rows, columns] : {std::pair{70, 3}, {37, 16}, {64, 128}})
    expect_one_loop(differences(rows, rows, columns, "f32", true));
}

// Scores of attention with a mask for all heads, one of keys for each example, a value for each
// head and one for each example; the softmax of the rows.
std::string masked(int batch, int heads, int queries, int keys, const char* type) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}x{3}x{4}>, %mask: tensor<{2}x{3}x{4}>, %keys: tensor<{0}x{3}x{4}>, %slope: tensor<{1}x{4}>, %shift: tensor<{0}x{4}>, %each: tensor<{0}x{2}x{3}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}> {{
  %low = stablehlo.constant dense<-1.0e30> : tensor<{4}>
  %m = stablehlo.broadcast_in_dim %mask, dims = [2, 3] : (tensor<{2}x{3}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %k = stablehlo.broadcast_in_dim %keys, dims = [0, 3] : (tensor<{0}x{3}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %s = stablehlo.broadcast_in_dim %slope, dims = [1] : (tensor<{1}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %h = stablehlo.broadcast_in_dim %shift, dims = [0] : (tensor<{0}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %e = stablehlo.broadcast_in_dim %each, dims = [0, 2, 3] : (tensor<{0}x{2}x{3}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %a = stablehlo.multiply %m, %s : tensor<{0}x{1}x{2}x{3}x{4}>
  %b = stablehlo.add %x, %a : tensor<{0}x{1}x{2}x{3}x{4}>
  %c = stablehlo.add %b, %k : tensor<{0}x{1}x{2}x{3}x{4}>
  %d = stablehlo.subtract %c, %h : tensor<{0}x{1}x{2}x{3}x{4}>
  %f = stablehlo.add %d, %e : tensor<{0}x{1}x{2}x{3}x{4}>
  %most = stablehlo.reduce(%f init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<{0}x{1}x{2}x{3}x{4}>, tensor<{4}>) -> tensor<{0}x{1}x{2}x{4}>
  %top = stablehlo.broadcast_in_dim %most, dims = [0, 1, 2] : (tensor<{0}x{1}x{2}x{4}>) -> tensor<{0}x{1}x{2}x{3}x{4}>
  %g = stablehlo.subtract %f, %top : tensor<{0}x{1}x{2}x{3}x{4}>
  %y = stablehlo.exponential %g : tensor<{0}x{1}x{2}x{3}x{4}>
  return %y : tensor<{0}x{1}x{2}x{3}x{4}>
}})",
      batch, heads, queries, keys, type);
}

TEST(FusedViews, MasksOfAttentionKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f64"})
    for (const auto& [batch, heads, queries, keys] : {std::array{2, 3, 8, 64},
                                                      {2, 2, 37, 100},
                                                      {3, 2, 16, 128},
                                                      {2, 3, 5, 1500},
                                                      {2, 2, 64, 16}})
      expect_one_loop(masked(batch, heads, queries, keys, type));
}

// A value for each channel, where the rest of an image follows the channel.
std::string channels(int images, int count, int pixels, const char* type) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}x{3}>, %scale: tensor<{1}x{3}>, %bias: tensor<{1}x{3}>) -> (tensor<{0}x{1}x{2}x{3}>, tensor<{0}x{1}x{2}x{3}>) {{
  %s = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<{1}x{3}>) -> tensor<{0}x{1}x{2}x{3}>
  %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<{1}x{3}>) -> tensor<{0}x{1}x{2}x{3}>
  %y = stablehlo.multiply %x, %s : tensor<{0}x{1}x{2}x{3}>
  %z = stablehlo.add %y, %b : tensor<{0}x{1}x{2}x{3}>
  return %z, %b : tensor<{0}x{1}x{2}x{3}>, tensor<{0}x{1}x{2}x{3}>
}})",
      images, count, pixels, type);
}

TEST(FusedViews, ValuesOfChannelsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "i8", "complex<f32>", "complex<f64>"})
    for (const auto& [images, count, pixels] :
         {std::array{3, 8, 49}, {2, 3, 1000}, {2, 5, 5000}, {2, 2, 70001}})
      expect_one_loop(channels(images, count, pixels, type));
}

// Two parts of each row, as in gated units: beside each other, or with a gap between them.
std::string gated(int rows, int columns, int gap, const char* type) {
  const int wide = 2 * columns + gap;
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{2}x{3}>, %w: tensor<{1}x{3}>) -> (tensor<{0}x{1}x{3}>, tensor<{0}x{3}>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<{3}>
  %a = stablehlo.slice %x [0:{0}, 0:{1}] : (tensor<{0}x{2}x{3}>) -> tensor<{0}x{1}x{3}>
  %b = stablehlo.slice %x [0:{0}, {4}:{2}] : (tensor<{0}x{2}x{3}>) -> tensor<{0}x{1}x{3}>
  %v = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<{1}x{3}>) -> tensor<{0}x{1}x{3}>
  %c = stablehlo.multiply %a, %v : tensor<{0}x{1}x{3}>
  %t = stablehlo.tanh %b : tensor<{0}x{1}x{3}>
  %d = stablehlo.multiply %c, %t : tensor<{0}x{1}x{3}>
  %s = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}x{3}>, tensor<{3}>) -> tensor<{0}x{3}>
  return %d, %s : tensor<{0}x{1}x{3}>, tensor<{0}x{3}>
}})",
      rows, columns, wide, type, wide - columns);
}

TEST(FusedViews, PartsOfRowsKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f64"})
    for (const int columns : {16, 37, 64, 192, 300, 1024, 5000})
      for (const auto& [rows, gap] : {std::pair{1, 0}, {7, 0}, {64, 3}, {33, 8}})
        expect_same_bits(gated(rows, columns, gap, type));
  for (const auto& [rows, columns] : {std::pair{64, 64}, {33, 192}, {40, 1024}})
    expect_one_loop(gated(rows, columns, 0, "f32"));
}

// Some rows of a larger array, from an element on that is not its first: [1:3, 2:6] of four groups.
TEST(FusedViews, PartsOfArraysKeepTheirBits) {
  for (const int columns : {16, 40, 256})
    expect_one_loop(fmt::format(
        R"(func.func public @main(%x: tensor<4x8x{1}xf32>, %y: tensor<2x4x{0}xf32>) -> tensor<2x4x{0}xf32> {{
  %a = stablehlo.slice %x [1:3, 2:6, 1:{2}] : (tensor<4x8x{1}xf32>) -> tensor<2x4x{0}xf32>
  %b = stablehlo.slice %x [0:4:2, 1:8:2, 0:{0}] : (tensor<4x8x{1}xf32>) -> tensor<2x4x{0}xf32>
  %c = stablehlo.multiply %a, %y : tensor<2x4x{0}xf32>
  %d = stablehlo.add %c, %b : tensor<2x4x{0}xf32>
  return %d : tensor<2x4x{0}xf32>
}})",
        columns, columns + 2, columns + 1));
}

// Differences of each element and its neighbours in images: rows of a run are at one distance from
// each other, and the next image begins elsewhere.
std::string neighbours(int images, int rows, int columns, const char* type) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{3}x{4}x{5}>, %s: tensor<{0}x{1}x{5}>) -> tensor<{0}x{1}x{2}x{5}> {{
  %a = stablehlo.slice %x [0:{0}, 1:{6}, 1:{7}] : (tensor<{0}x{3}x{4}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
  %b = stablehlo.slice %x [0:{0}, 2:{3}, 1:{7}] : (tensor<{0}x{3}x{4}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
  %c = stablehlo.slice %x [0:{0}, 0:{1}, 1:{7}] : (tensor<{0}x{3}x{4}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
  %d = stablehlo.slice %x [0:{0}, 1:{6}, 2:{4}] : (tensor<{0}x{3}x{4}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
  %e = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<{0}x{1}x{5}>) -> tensor<{0}x{1}x{2}x{5}>
  %f = stablehlo.subtract %a, %b : tensor<{0}x{1}x{2}x{5}>
  %g = stablehlo.subtract %c, %d : tensor<{0}x{1}x{2}x{5}>
  %h = stablehlo.multiply %f, %g : tensor<{0}x{1}x{2}x{5}>
  %y = stablehlo.add %h, %e : tensor<{0}x{1}x{2}x{5}>
  return %y : tensor<{0}x{1}x{2}x{5}>
}})",
      images, rows, columns, rows + 2, columns + 2, type, rows + 1, columns + 1);
}

TEST(FusedViews, NeighboursInImagesKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "f64"})
    for (const auto& [images, rows, columns] : {std::array{1, 254, 254},
                                                {3, 37, 254},
                                                {5, 7, 150},
                                                {2, 90, 100},
                                                {7, 3, 70},
                                                {2, 40, 37},
                                                {1, 50, 18},
                                                {3, 21, 33},
                                                {1, 100, 1022},
                                                {3, 41, 1022},
                                                {2, 9, 5000},
                                                {2, 5, 40000}})
      expect_one_loop(neighbours(images, rows, columns, type));
}

// Parts of a value that is made of broadcasts and transposes, which are taken of their operands
// first: `slice` of a x b x c elements.
TEST(FusedViews, PartsOfBroadcastsKeepTheirBits) {
  struct Cut {
    std::array<int, 3> start, end, step;
  };
  for (const auto& [a, b, c] : {std::array{40, 64, 16}, {64, 40, 3}, {30, 500, 2}})
    for (const Cut& cut : {Cut{{0, 0, 0}, {a, b, 1}, {1, 1, 1}},
                           {{0, 0, c - 1}, {a, b, c}, {1, 1, 1}},
                           {{3, 0, 0}, {a - 2, b, c}, {1, 1, 2}},
                           {{0, 2, 1}, {a, b - 1, c}, {2, 3, 1}},
                           {{5, 0, 0}, {6, b, c}, {1, 1, 1}},
                           {{0, 7, 0}, {a, 8, c}, {3, 1, 1}}}) {
      std::string part;
      std::array<int, 3> size{};
      for (std::size_t d = 0; d < 3; ++d) {
        size[d] = (cut.end[d] - cut.start[d] + cut.step[d] - 1) / cut.step[d];
        part += fmt::format("{}{}:{}:{}", d > 0 ? ", " : "", cut.start[d], cut.end[d], cut.step[d]);
      }
      expect_same_bits(
          fmt::format(
              R"(func.func public @main(%x: tensor<{0}x{2}xf32>, %y: tensor<{1}x{2}xf32>, %z: tensor<{2}x{0}xf32>, %w: tensor<{1}xf32>) -> tensor<{3}x{4}x{5}xf32> {{
  %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<{0}x{2}xf32>) -> tensor<{0}x{1}x{2}xf32>
  %b = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<{1}x{2}xf32>) -> tensor<{0}x{1}x{2}xf32>
  %t = stablehlo.transpose %z, dims = [1, 0] : (tensor<{2}x{0}xf32>) -> tensor<{0}x{2}xf32>
  %c = stablehlo.broadcast_in_dim %t, dims = [0, 2] : (tensor<{0}x{2}xf32>) -> tensor<{0}x{1}x{2}xf32>
  %d = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<{1}xf32>) -> tensor<{0}x{1}x{2}xf32>
  %e = stablehlo.subtract %a, %b : tensor<{0}x{1}x{2}xf32>
  %f = stablehlo.multiply %c, %d : tensor<{0}x{1}x{2}xf32>
  %g = stablehlo.add %e, %f : tensor<{0}x{1}x{2}xf32>
  %h = stablehlo.slice %g [{6}] : (tensor<{0}x{1}x{2}xf32>) -> tensor<{3}x{4}x{5}xf32>
  return %h : tensor<{3}x{4}x{5}xf32>
}})",
              a, b, c, size[0], size[1], size[2], part),
          0, {"crop-early", "fuse-elementwise"});
    }
}

// The value is computed by steps of the same list, so it cannot be read while they run.
TEST(FusedViews, ValuesOfOtherLoopsAreComplete) {
  expect_same_bits(R"(
func.func public @main(%x: tensor<4x64x32xf32>, %v: tensor<4x32xf32>) -> (tensor<4x64x32xf32>, tensor<4x32xf32>) {
  %t = stablehlo.tanh %v : tensor<4x32xf32>
  %u = stablehlo.multiply %t, %v : tensor<4x32xf32>
  %r = stablehlo.broadcast_in_dim %u, dims = [0, 2] : (tensor<4x32xf32>) -> tensor<4x64x32xf32>
  %y = stablehlo.multiply %x, %r : tensor<4x64x32xf32>
  %w = stablehlo.add %u, %v : tensor<4x32xf32>
  %q = stablehlo.broadcast_in_dim %w, dims = [0, 2] : (tensor<4x32xf32>) -> tensor<4x64x32xf32>
  %z = stablehlo.add %y, %q : tensor<4x64x32xf32>
  return %z, %w : tensor<4x64x32xf32>, tensor<4x32xf32>
})",
                   2);
}

// In a loop of the program its steps run one by one.
TEST(FusedViews, SmallOnesInALoopKeepTheirBits) {
  expect_same_bits(R"(
func.func public @main(%x: tensor<3x8x10xf32>, %v: tensor<3x10xf32>) -> tensor<3x8x10xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %i_end, %x_end = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<3x8x10xf32>
   cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
   } do {
    %r = stablehlo.broadcast_in_dim %v, dims = [0, 2] : (tensor<3x10xf32>) -> tensor<3x8x10xf32>
    %z = stablehlo.multiply %y, %r : tensor<3x8x10xf32>
    %w = stablehlo.add %z, %r : tensor<3x8x10xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %w : tensor<i32>, tensor<3x8x10xf32>
   }
  return %x_end : tensor<3x8x10xf32>
})",
                   1);
}

}  // namespace
}  // namespace understudy::worker
