// SPDX-License-Identifier: Apache-2.0
// Programs give the same bits with and without fusion, on every instruction set: a step of a fused
// loop rounds as its instruction alone would. Shapes are chosen so that loops have one tile and
// many, whole and partial ones, rows longer than a tile, and rows as long as there are rows.
#include <fmt/format.h>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// %x softmax over the last dimension of [rows, columns], as JAX lowers it.
std::string softmax(int rows, int columns, const char* type) {
  return fmt::format(R"(func.func public @main(%x: tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}x{2}> {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %low2 = stablehlo.convert %low : (tensor<f32>) -> tensor<{2}>
  %zero = stablehlo.constant dense<0.0> : tensor<{2}>
  %m = stablehlo.reduce(%x init: %low2) applies stablehlo.maximum across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %s = stablehlo.subtract %x, %mb : tensor<{0}x{1}x{2}>
  %e = stablehlo.exponential %s : tensor<{0}x{1}x{2}>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %y = stablehlo.divide %e, %nb : tensor<{0}x{1}x{2}>
  return %y : tensor<{0}x{1}x{2}>
}})",
                     rows, columns, type);
}

// The numbers of a loop with one row share a place with values that are dead before them.
TEST(Fusion, CountsInALoopOfOneRowAfterOtherValues) {
  expect_same_bits(R"(func.func public @main(%x: tensor<12xi32>) -> tensor<12xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %a = stablehlo.multiply %x, %x : tensor<12xi32>
  %b = stablehlo.subtract %a, %x : tensor<12xi32>
  %c = stablehlo.xor %b, %a : tensor<12xi32>
  %sum = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<12xi32>, tensor<i32>) -> tensor<i32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<i32>) -> tensor<12xi32>
  %i = stablehlo.iota dim = 0 : tensor<12xi32>
  %d = stablehlo.subtract %c, %i : tensor<12xi32>
  %y = stablehlo.add %d, %sums : tensor<12xi32>
  return %y : tensor<12xi32>
})");
}

TEST(Fusion, SoftmaxKeepsItsBits) {
  expect_same_bits(softmax(3, 7, "f32"));
  expect_same_bits(softmax(1, 100, "f32"));
  expect_same_bits(softmax(100, 1000, "f32"));
  expect_same_bits(softmax(5, 20000, "f32"));
  expect_same_bits(softmax(64, 64, "bf16"));
  expect_same_bits(softmax(700, 3, "f16"));
  expect_same_bits(softmax(9, 333, "f64"));
}

// Rows as long as there are rows: a vector may follow the rows or the columns. The weights are used
// both ways, and the results of a step are spread along columns, which needs a loop of its own.
TEST(Fusion, VectorsAlongRowsAndColumnsKeepTheirBits) {
  for (const char* n : {"4", "128"})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<{0}x{0}xf32>, %w: tensor<{0}xf32>) -> tensor<{0}x{0}xf32> {{
  %v = stablehlo.exponential %w : tensor<{0}xf32>
  %r = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x{0}xf32>
  %c = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<{0}xf32>) -> tensor<{0}x{0}xf32>
  %d = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<{0}xf32>) -> tensor<{0}x{0}xf32>
  %a = stablehlo.multiply %x, %r : tensor<{0}x{0}xf32>
  %b = stablehlo.subtract %a, %c : tensor<{0}x{0}xf32>
  %y = stablehlo.divide %b, %d : tensor<{0}x{0}xf32>
  return %y : tensor<{0}x{0}xf32>
}})",
        n));
}

// Columns longer than a tile, not reduced: tiles are parts of rows.
TEST(Fusion, LongRowsAreCut) {
  expect_same_bits(
      R"(func.func public @main(%x: tensor<3x10000xf32>, %w: tensor<10000xf32>, %b: tensor<3xf32>) -> tensor<3x10000xf32> {
  %c = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<10000xf32>) -> tensor<3x10000xf32>
  %r = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<3xf32>) -> tensor<3x10000xf32>
  %i = stablehlo.iota dim = 1 : tensor<3x10000xf32>
  %j = stablehlo.iota dim = 0 : tensor<3x10000xf32>
  %a = stablehlo.add %x, %c : tensor<3x10000xf32>
  %k = stablehlo.add %a, %i : tensor<3x10000xf32>
  %l = stablehlo.multiply %k, %j : tensor<3x10000xf32>
  %y = stablehlo.multiply %l, %r : tensor<3x10000xf32>
  return %y : tensor<3x10000xf32>
})");
}

TEST(Fusion, CountersAndBitsKeepTheirBits) {
  expect_same_bits(R"(func.func public @main(%k: tensor<ui32>) -> tensor<5000xf32> {
  %i = stablehlo.iota dim = 0 : tensor<5000xui64>
  %s = stablehlo.constant dense<32> : tensor<5000xui64>
  %h = stablehlo.shift_right_logical %i, %s : tensor<5000xui64>
  %a = stablehlo.convert %i : (tensor<5000xui64>) -> tensor<5000xui32>
  %b = stablehlo.convert %h : (tensor<5000xui64>) -> tensor<5000xui32>
  %kb = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<ui32>) -> tensor<5000xui32>
  %c = stablehlo.add %a, %kb : tensor<5000xui32>
  %d = stablehlo.xor %c, %b : tensor<5000xui32>
  %nine = stablehlo.constant dense<9> : tensor<5000xui32>
  %one = stablehlo.constant dense<1065353216> : tensor<5000xui32>
  %e = stablehlo.shift_right_logical %d, %nine : tensor<5000xui32>
  %f = stablehlo.or %e, %one : tensor<5000xui32>
  %y = stablehlo.bitcast_convert %f : (tensor<5000xui32>) -> tensor<5000xf32>
  %m = stablehlo.constant dense<1.0> : tensor<5000xf32>
  %z = stablehlo.subtract %y, %m : tensor<5000xf32>
  return %z : tensor<5000xf32>
})");
}

// Carried values are read and written by one loop body; swapped ones must not be overwritten early.
TEST(Fusion, CarriedValuesKeepTheirBits) {
  expect_same_bits(
      R"(func.func public @main(%x: tensor<3000xf32>, %y: tensor<3000xf32>) -> (tensor<3000xf32>, tensor<3000xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3000xf32>, tensor<3000xf32>
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %t = stablehlo.tanh %a : tensor<3000xf32>
      %c = stablehlo.add %t, %b : tensor<3000xf32>
      %s = stablehlo.sine %b : tensor<3000xf32>
      %d = stablehlo.subtract %s, %a : tensor<3000xf32>
      stablehlo.return %j, %c, %d : tensor<i32>, tensor<3000xf32>, tensor<3000xf32>
    }
  return %r#1, %r#2 : tensor<3000xf32>, tensor<3000xf32>
})");
}

// The exponentials are also used by a reduction over rows, which is not fused, and by a dot.
TEST(Fusion, ValuesThatOthersReadAreStored) {
  expect_same_bits(
      R"(func.func public @main(%x: tensor<40x50xf32>) -> (tensor<50xf32>, tensor<40x40xf32>, tensor<40xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<40x50xf32>
  %t = stablehlo.tanh %e : tensor<40x50xf32>
  %r = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<40x50xf32>, tensor<f32>) -> tensor<50xf32>
  %d = stablehlo.dot_general %t, %e, contracting_dims = [1] x [1] : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<40x40xf32>
  %q = stablehlo.multiply %t, %e : tensor<40x50xf32>
  %s = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<40x50xf32>, tensor<f32>) -> tensor<40xf32>
  %l = stablehlo.log %s : tensor<40xf32>
  return %r, %d, %l : tensor<50xf32>, tensor<40x40xf32>, tensor<40xf32>
})");
}

}  // namespace
}  // namespace understudy::worker
