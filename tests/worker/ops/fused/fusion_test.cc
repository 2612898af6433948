// SPDX-License-Identifier: Apache-2.0
// Programs give the same bits with and without fusion, on every instruction set: a step of a fused
// loop rounds as its instruction alone would. Shapes are chosen so that loops have one tile and
// many, whole and partial ones, rows longer than a tile, and rows as long as there are rows.
#include <cstring>
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

// A chain with scalars, a bound, a predicate, another type, and two results.
std::string chain(const std::string& shape) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %p: tensor<i1>, %top: tensor<f32>)
      -> (tensor<{0}xf32>, tensor<{0}xbf16>, tensor<{0}xi1>) {{
  %half = stablehlo.constant dense<0.5> : tensor<{0}xf32>
  %low = stablehlo.constant dense<-0.75> : tensor<f32>
  %a = stablehlo.multiply %x, %half : tensor<{0}xf32>
  %t = stablehlo.tanh %a : tensor<{0}xf32>
  %c = stablehlo.clamp %low, %x, %top : (tensor<f32>, tensor<{0}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %q = stablehlo.compare LT, %t, %c : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
  %s = stablehlo.select %q, %t, %c : tensor<{0}xi1>, tensor<{0}xf32>
  %w = stablehlo.select %p, %s, %x : tensor<i1>, tensor<{0}xf32>
  %e = stablehlo.exponential %w : tensor<{0}xf32>
  %b = stablehlo.convert %e : (tensor<{0}xf32>) -> tensor<{0}xbf16>
  %l = stablehlo.logistic %b : tensor<{0}xbf16>
  return %e, %l, %q : tensor<{0}xf32>, tensor<{0}xbf16>, tensor<{0}xi1>
}})",
      shape);
}

// Steps that keep their values in registers, with NaN that only bits show: one made from infinities
// reaches a bitcast and a selection, and arithmetic uses values of before again.
std::string long_chain(const std::string& shape) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %i: tensor<{0}xi32>)
      -> (tensor<{0}xf32>, tensor<{0}xui32>, tensor<{0}xi1>, tensor<{0}xf32>) {{
  %big = stablehlo.constant dense<3.0e38> : tensor<{0}xf32>
  %c = stablehlo.constant dense<0.3> : tensor<{0}xf32>
  %seven = stablehlo.constant dense<7> : tensor<{0}xi32>
  %far = stablehlo.constant dense<40> : tensor<{0}xi32>
  %a = stablehlo.multiply %x, %big : tensor<{0}xf32>
  %b = stablehlo.multiply %a, %big : tensor<{0}xf32>
  %d = stablehlo.subtract %b, %b : tensor<{0}xf32>
  %n = stablehlo.negate %d : tensor<{0}xf32>
  %bits = stablehlo.bitcast_convert %d : (tensor<{0}xf32>) -> tensor<{0}xui32>
  %e = stablehlo.add %x, %c : tensor<{0}xf32>
  %f = stablehlo.multiply %e, %x : tensor<{0}xf32>
  %g = stablehlo.add %f, %c : tensor<{0}xf32>
  %h = stablehlo.multiply %g, %x : tensor<{0}xf32>
  %p = stablehlo.compare GT, %h, %c : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
  %q = stablehlo.compare LE, %h, %d : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
  %r = stablehlo.and %p, %q : tensor<{0}xi1>
  %u = stablehlo.not %r : tensor<{0}xi1>
  %s = stablehlo.select %u, %h, %n : tensor<{0}xi1>, tensor<{0}xf32>
  %j = stablehlo.shift_left %i, %seven : tensor<{0}xi32>
  %k = stablehlo.shift_right_logical %i, %far : tensor<{0}xi32>
  %l = stablehlo.or %j, %k : tensor<{0}xi32>
  %m = stablehlo.multiply %l, %i : tensor<{0}xi32>
  %v = stablehlo.convert %m : (tensor<{0}xi32>) -> tensor<{0}xf32>
  %w = stablehlo.divide %v, %s : tensor<{0}xf32>
  %z = stablehlo.sqrt %w : tensor<{0}xf32>
  return %s, %bits, %u, %z : tensor<{0}xf32>, tensor<{0}xui32>, tensor<{0}xi1>, tensor<{0}xf32>
}})",
      shape);
}

// Polynomials whose coefficients are selected, sums of two products, a product that two sums read,
// and a result in the middle: steps change their order and become one. `type`: of floats.
std::string polynomials(const std::string& shape, const std::string& type) {
  std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}>, %y: tensor<{0}x{1}>)
      -> (tensor<{0}x{1}>, tensor<{0}x{1}>) {{
  %big = stablehlo.constant dense<3.0e38> : tensor<{0}x{1}>
  %c0 = stablehlo.constant dense<0.3> : tensor<{0}x{1}>
  %c1 = stablehlo.constant dense<-0.7> : tensor<{0}x{1}>
  %p = stablehlo.compare LT, %x, %c0 : (tensor<{0}x{1}>, tensor<{0}x{1}>) -> tensor<{0}xi1>
  %s0 = stablehlo.multiply %y, %x : tensor<{0}x{1}>
)",
      shape, type);
  for (int i = 0; i < 6; ++i)
    text += fmt::format(
        R"(  %k{2} = stablehlo.select %p, %c{3}, %c{4} : tensor<{0}xi1>, tensor<{0}x{1}>
  %t{2} = stablehlo.multiply %s{2}, %y : tensor<{0}x{1}>
  %s{5} = stablehlo.add %k{2}, %t{2} : tensor<{0}x{1}>
)",
        shape, type, i, i % 2, 1 - i % 2, i + 1);
  return text + fmt::format(
                    R"(  %a = stablehlo.multiply %x, %big : tensor<{0}x{1}>
  %b = stablehlo.multiply %a, %big : tensor<{0}x{1}>
  %d = stablehlo.multiply %s6, %s6 : tensor<{0}x{1}>
  %e = stablehlo.add %b, %d : tensor<{0}x{1}>
  %f = stablehlo.subtract %d, %e : tensor<{0}x{1}>
  %g = stablehlo.add %d, %f : tensor<{0}x{1}>
  %h = stablehlo.multiply %g, %c0 : tensor<{0}x{1}>
  %i = stablehlo.add %h, %h : tensor<{0}x{1}>
  %j = stablehlo.select %p, %i, %e : tensor<{0}xi1>, tensor<{0}x{1}>
  %l = stablehlo.select %p, %j, %s3 : tensor<{0}xi1>, tensor<{0}x{1}>
  return %f, %l : tensor<{0}x{1}>, tensor<{0}x{1}>
}})",
                    shape, type);
}

TEST(Fusion, StepsThatBecomeOneKeepTheirBits) {
  for (const char* type : {"f32", "bf16"})
    for (const char* shape : {"1", "64", "127", "128", "200", "64x65", "10007"})
      expect_same_bits(polynomials(shape, type));
}

TEST(Fusion, ValuesInRegistersKeepTheirBits) {
  for (const char* shape : {"1", "63", "64", "65", "200", "64x65", "10007", "3x5x4099"})
    expect_same_bits(long_chain(shape));
}

// Steps of bf16, and functions without steps of their own. A NaN is made from infinities, negated,
// selected, converted and compared; neighbours depend on the type.
std::string halves(const std::string& shape) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xbf16>, %y: tensor<{0}xf32>)
      -> (tensor<{0}xbf16>, tensor<{0}xf32>, tensor<{0}xi1>, tensor<{0}xbf16>, tensor<{0}xf32>) {{
  %big = stablehlo.constant dense<3.0e38> : tensor<{0}xbf16>
  %third = stablehlo.constant dense<0.333> : tensor<{0}xbf16>
  %a = stablehlo.multiply %x, %big : tensor<{0}xbf16>
  %b = stablehlo.multiply %a, %big : tensor<{0}xbf16>
  %c = stablehlo.subtract %b, %b : tensor<{0}xbf16>
  %n = stablehlo.negate %c : tensor<{0}xbf16>
  %m = stablehlo.abs %n : tensor<{0}xbf16>
  %d = stablehlo.divide %x, %third : tensor<{0}xbf16>
  %e = stablehlo.tanh %d : tensor<{0}xbf16>
  %f = stablehlo.sine %e : tensor<{0}xbf16>
  %g = stablehlo.add %f, %x : tensor<{0}xbf16>
  %h = stablehlo.maximum %g, %third : tensor<{0}xbf16>
  %p = stablehlo.compare LT, %x, %g : (tensor<{0}xbf16>, tensor<{0}xbf16>) -> tensor<{0}xi1>
  %q = stablehlo.compare LE, %n, %h : (tensor<{0}xbf16>, tensor<{0}xbf16>) -> tensor<{0}xi1>
  %r = stablehlo.is_finite %m : (tensor<{0}xbf16>) -> tensor<{0}xi1>
  %s = stablehlo.or %p, %q : tensor<{0}xi1>
  %t = stablehlo.select %r, %p, %s : tensor<{0}xi1>, tensor<{0}xi1>
  %u = stablehlo.select %t, %h, %n : tensor<{0}xi1>, tensor<{0}xbf16>
  %v = stablehlo.power %h, %third : tensor<{0}xbf16>
  %w = stablehlo.convert %u : (tensor<{0}xbf16>) -> tensor<{0}xf32>
  %z = stablehlo.atan2 %w, %y : tensor<{0}xf32>
  %z2 = stablehlo.exponential %z : tensor<{0}xf32>
  %z3 = stablehlo.multiply %z2, %y : tensor<{0}xf32>
  %near = chlo.next_after %v, %x : tensor<{0}xbf16>, tensor<{0}xbf16> -> tensor<{0}xbf16>
  %half = stablehlo.convert %z3 : (tensor<{0}xf32>) -> tensor<{0}xbf16>
  %sum = stablehlo.add %half, %near : tensor<{0}xbf16>
  return %u, %w, %t, %sum, %z3 : tensor<{0}xbf16>, tensor<{0}xf32>, tensor<{0}xi1>, tensor<{0}xbf16>, tensor<{0}xf32>
}})",
      shape);
}

TEST(Fusion, HalvesAndFunctionsInRegistersKeepTheirBits) {
  for (const char* shape : {"1", "64", "65", "1000", "64x65", "10007"})
    expect_same_bits(halves(shape));
}

// Rounds of a generator of random bits: rotations of a value that is read again, of one that dies,
// and shifts that are no rotation because a part of them is a result.
std::string rounds(int n) {
  std::string text = fmt::format(
      "func.func public @main(%a0: tensor<{0}xui32>, %b0: tensor<{0}xui32>) -> "
      "(tensor<{0}xui32>, tensor<{0}xui32>, tensor<{0}xui32>) {{\n"
      "%s = stablehlo.constant dense<13> : tensor<{0}xui32>\n"
      "%t = stablehlo.constant dense<19> : tensor<{0}xui32>\n",
      n);
  const auto step = [&](const std::string& name, const char* op, const std::string& x,
                        const std::string& y) {
    text += fmt::format("%{} = stablehlo.{} %{}, %{} : tensor<{}xui32>\n", name, op, x, y, n);
  };
  for (int r = 0; r < 5; ++r) {
    const auto name = [r](const char* base, int more) { return base + std::to_string(r + more); };
    step(name("a", 1), "add", name("a", 0), name("b", 0));
    step(name("l", 0), "shift_left", name("b", 0), "s");
    step(name("r", 0), "shift_right_logical", name("b", 0), "t");
    step(name("o", 0), "or", name("l", 0), name("r", 0));
    step(name("b", 1), "xor", name("a", 1), name("o", 0));
  }
  return text + fmt::format(
                    "return %a5, %b5, %l3 : tensor<{0}xui32>, tensor<{0}xui32>, "
                    "tensor<{0}xui32>\n}}\n",
                    n);
}

TEST(Fusion, RotationsKeepTheirBits) {
  for (const int n : {1, 64, 100, 5000}) expect_same_bits(rounds(n));
}

TEST(Fusion, ChainsKeepTheirBits) {
  for (const char* shape : {"1", "17", "64x65", "10007", "3x5x4099"})
    expect_same_bits(chain(shape));
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
