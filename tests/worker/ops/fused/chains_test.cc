// SPDX-License-Identifier: Apache-2.0
// Chains of element-wise steps give the same bits with and without fusion: values in registers,
// steps that become one, bf16 and f16, functions without steps of their own, rotations.
#include <fmt/format.h>
#include <string>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

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
// and a result in the middle: steps change their order and become one. `type`: of floats; `big`:
// the product of two is infinite.
std::string polynomials(const std::string& shape, const std::string& type, const char* big) {
  std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}>, %y: tensor<{0}x{1}>)
      -> (tensor<{0}x{1}>, tensor<{0}x{1}>) {{
  %big = stablehlo.constant dense<{2}> : tensor<{0}x{1}>
  %c0 = stablehlo.constant dense<0.3> : tensor<{0}x{1}>
  %c1 = stablehlo.constant dense<-0.7> : tensor<{0}x{1}>
  %p = stablehlo.compare LT, %x, %c0 : (tensor<{0}x{1}>, tensor<{0}x{1}>) -> tensor<{0}xi1>
  %s0 = stablehlo.multiply %y, %x : tensor<{0}x{1}>
)",
      shape, type, big);
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

// All comparisons of preds, of which one is a value of the chain, one is in memory and one is
// known.
TEST(FusedChains, ComparePreds) {
  for (const char* n : {"16", "512", "4099"}) {
    std::string text = fmt::format(
        R"(func.func public @main(%x: tensor<{0}xf32>, %y: tensor<{0}xf32>, %p: tensor<{0}xi1>)
      -> tensor<{0}xi32> {{
  %yes = stablehlo.constant dense<true> : tensor<{0}xi1>
  %q = stablehlo.compare LT, %x, %y : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
  %s0 = stablehlo.constant dense<0> : tensor<{0}xi32>
)",
        n);
    int bit = 0;
    for (const char* direction : {"EQ", "NE", "GE", "GT", "LE", "LT"})
      for (const char* operands : {"%q, %p", "%p, %q", "%q, %yes", "%yes, %p"}) {
        text += fmt::format(
            R"(  %c{1} = stablehlo.compare {2}, {3} : (tensor<{0}xi1>, tensor<{0}xi1>) -> tensor<{0}xi1>
  %b{1} = stablehlo.constant dense<{4}> : tensor<{0}xi32>
  %d{1} = stablehlo.select %c{1}, %b{1}, %s0 : tensor<{0}xi1>, tensor<{0}xi32>
  %s{5} = stablehlo.add %s{1}, %d{1} : tensor<{0}xi32>
)",
            n, bit, direction, operands, 1 << bit, bit + 1);
        ++bit;
      }
    text += fmt::format("  return %s{1} : tensor<{0}xi32>\n}}", n, bit);
    expect_same_bits(text);
  }
}

TEST(FusedChains, StepsThatBecomeOneKeepTheirBits) {
  for (const char* shape : {"1", "64", "127", "128", "200", "64x65", "10007"}) {
    for (const char* type : {"f32", "bf16"}) expect_same_bits(polynomials(shape, type, "3.0e38"));
    expect_same_bits(polynomials(shape, "f16", "6.0e4"));
  }
}

TEST(FusedChains, ValuesInRegistersKeepTheirBits) {
  for (const char* shape : {"1", "63", "64", "65", "200", "64x65", "10007", "3x5x4099"})
    expect_same_bits(long_chain(shape));
}

// Steps of bf16 or f16, and functions without steps of their own. A NaN is made from infinities,
// negated, selected, converted and compared; neighbours depend on the type.
std::string halves(const std::string& shape, const char* type, const char* big) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}>, %y: tensor<{0}xf32>)
      -> (tensor<{0}x{1}>, tensor<{0}xf32>, tensor<{0}xi1>, tensor<{0}x{1}>, tensor<{0}xf32>) {{
  %big = stablehlo.constant dense<{2}> : tensor<{0}x{1}>
  %third = stablehlo.constant dense<0.333> : tensor<{0}x{1}>
  %a = stablehlo.multiply %x, %big : tensor<{0}x{1}>
  %b = stablehlo.multiply %a, %big : tensor<{0}x{1}>
  %c = stablehlo.subtract %b, %b : tensor<{0}x{1}>
  %n = stablehlo.negate %c : tensor<{0}x{1}>
  %m = stablehlo.abs %n : tensor<{0}x{1}>
  %d = stablehlo.divide %x, %third : tensor<{0}x{1}>
  %e = stablehlo.tanh %d : tensor<{0}x{1}>
  %f = stablehlo.sine %e : tensor<{0}x{1}>
  %g = stablehlo.add %f, %x : tensor<{0}x{1}>
  %h = stablehlo.maximum %g, %third : tensor<{0}x{1}>
  %p = stablehlo.compare LT, %x, %g : (tensor<{0}x{1}>, tensor<{0}x{1}>) -> tensor<{0}xi1>
  %q = stablehlo.compare LE, %n, %h : (tensor<{0}x{1}>, tensor<{0}x{1}>) -> tensor<{0}xi1>
  %r = stablehlo.is_finite %m : (tensor<{0}x{1}>) -> tensor<{0}xi1>
  %s = stablehlo.or %p, %q : tensor<{0}xi1>
  %t = stablehlo.select %r, %p, %s : tensor<{0}xi1>, tensor<{0}xi1>
  %u = stablehlo.select %t, %h, %n : tensor<{0}xi1>, tensor<{0}x{1}>
  %v = stablehlo.power %h, %third : tensor<{0}x{1}>
  %w = stablehlo.convert %u : (tensor<{0}x{1}>) -> tensor<{0}xf32>
  %z = stablehlo.atan2 %w, %y : tensor<{0}xf32>
  %z2 = stablehlo.exponential %z : tensor<{0}xf32>
  %z3 = stablehlo.multiply %z2, %y : tensor<{0}xf32>
  %near = chlo.next_after %v, %x : tensor<{0}x{1}>, tensor<{0}x{1}> -> tensor<{0}x{1}>
  %half = stablehlo.convert %z3 : (tensor<{0}xf32>) -> tensor<{0}x{1}>
  %sum = stablehlo.add %half, %near : tensor<{0}x{1}>
  return %u, %w, %t, %sum, %z3 : tensor<{0}x{1}>, tensor<{0}xf32>, tensor<{0}xi1>, tensor<{0}x{1}>, tensor<{0}xf32>
}})",
      shape, type, big);
}

TEST(FusedChains, HalvesAndFunctionsInRegistersKeepTheirBits) {
  for (const char* shape : {"1", "64", "65", "1000", "64x65", "10007"}) {
    expect_same_bits(halves(shape, "bf16", "3.0e38"));
    expect_same_bits(halves(shape, "f16", "6.0e4"));
  }
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

TEST(FusedChains, RotationsKeepTheirBits) {
  for (const int n : {1, 64, 100, 5000}) expect_same_bits(rounds(n));
}

TEST(FusedChains, ChainsKeepTheirBits) {
  for (const char* shape : {"1", "17", "64x65", "10007", "3x5x4099"})
    expect_same_bits(chain(shape));
}

}  // namespace
}  // namespace understudy::worker
