// SPDX-License-Identifier: Apache-2.0
// Algebraic clean-up: what goes, and what stays. That results keep their bits:
// tests/worker/passes_test.cc.
#include <algorithm>

#include "gtest/gtest.h"

#include "tests/program/passes/loops.h"

namespace understudy::program {
namespace {

using Names = std::vector<std::string>;

// As jnp.eye and jnp.tri write their diagonals: iota + 0.
TEST(SimplifyAlgebra, NeutralIntegersAndKnownSelectionsGo) {
  EXPECT_EQ(lines(compiled_main("(%x: tensor<8xi32>, %p: tensor<8xi1>) -> tensor<8xi32>", R"(
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<8xi32>
  %ones = stablehlo.constant dense<1> : tensor<8xi32>
  %all = stablehlo.constant dense<-1> : tensor<8xi32>
  %true = stablehlo.constant dense<true> : tensor<8xi1>
  %a = stablehlo.add %zeros, %x : tensor<8xi32>
  %b = stablehlo.multiply %a, %ones : tensor<8xi32>
  %c = stablehlo.subtract %b, %zeros : tensor<8xi32>
  %d = stablehlo.divide %c, %ones : tensor<8xi32>
  %e = stablehlo.and %all, %d : tensor<8xi32>
  %f = stablehlo.shift_left %e, %zeros : tensor<8xi32>
  %q = stablehlo.and %p, %true : tensor<8xi1>
  %g = stablehlo.select %q, %f, %x : tensor<8xi1>, tensor<8xi32>
  %h = stablehlo.select %true, %g, %zeros : tensor<8xi1>, tensor<8xi32>
  %i = stablehlo.negate %h : tensor<8xi32>
  return %i : tensor<8xi32>)")),
            (Names{"result0 i32[8] = unary{negate}(argument0 i32[8])"}));
}

// As jnp.remainder compares the signs of a number and of a constant.
TEST(SimplifyAlgebra, ComparisonsOfPredsThatAreThePredGo) {
  const auto compared = [](const std::string& operation) {
    return lines(
        compiled_main("(%p: tensor<8xi1>, %q: tensor<8xi1>) -> tensor<8xi1>",
                      "%t = stablehlo.constant dense<true> : tensor<8xi1>\n"
                      "%f = stablehlo.constant dense<false> : tensor<8xi1>\n"
                      "%a = stablehlo.compare " +
                          operation +
                          " : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>\n"
                          "%r = stablehlo.and %a, %q : tensor<8xi1>\nreturn %r : tensor<8xi1>"));
  };
  const Names both{"result0 i1[8] = binary{and}(argument0 i1[8], argument1 i1[8])"};
  for (const char* const same : {"NE, %p, %f", "NE, %f, %p", "EQ, %p, %t", "EQ, %t, %p"})
    EXPECT_EQ(compared(same), both) << same;
  for (const char* const other : {"NE, %p, %t", "EQ, %p, %f", "GT, %p, %f", "NE, %p, %q"})
    EXPECT_NE(compared(other), both) << other;
}

// As jnp.remainder corrects the sign of a remainder, which an unsigned one does not have.
TEST(SimplifyAlgebra, WhatUnsignedNumbersBelowZeroDecideGoes) {
  const auto remainder = [](const std::string& type, const std::string& direction) {
    const std::string array = "tensor<8x" + type + ">";
    return lines(compiled_main("(%x: " + array + ", %p: tensor<8xi1>) -> " + array,
                               "%z = stablehlo.constant dense<0> : " + array +
                                   "\n%c = stablehlo.compare " + direction + " : (" + array + ", " +
                                   array +
                                   ") -> tensor<8xi1>\n%q = stablehlo.and %p, %c : tensor<8xi1>\n"
                                   "%n = stablehlo.negate %x : " +
                                   array + "\n%r = stablehlo.select %q, %x, %n : tensor<8xi1>, " +
                                   array + "\nreturn %r : " + array));
  };
  const Names negated{"result0 ui32[8] = unary{negate}(argument0 ui32[8])"};
  EXPECT_EQ(remainder("ui32", "LT, %x, %z"), negated);
  EXPECT_NE(remainder("ui32", "LT, %z, %x"), negated);
  EXPECT_NE(remainder("ui32", "LE, %x, %z"), negated);
  EXPECT_NE(remainder("ui32", "GE, %x, %z"), negated);
  EXPECT_NE(remainder("i32", "LT, %x, %z"),
            Names{"result0 i32[8] = unary{negate}(argument0 i32[8])"});
}

TEST(SimplifyAlgebra, WhatChangesSomethingStays) {
  const auto kept = [](const std::string& type, const std::string& constant,
                       const std::string& operation) {
    const std::string array = "tensor<4x" + type + ">";
    const Executable after = compiled_main("(%x: " + array + ") -> " + array,
                                           "  %c = stablehlo.constant dense<" + constant +
                                               "> : " + array + "\n  %y = stablehlo." + operation +
                                               " : " + array + "\n  return %y : " + array);
    return std::ranges::count(kinds_in(after.code), "binary");
  };
  EXPECT_EQ(kept("i32", "0", "subtract %c, %x"), 1);  // the other side
  EXPECT_EQ(kept("i32", "1", "add %c, %x"), 1);
  EXPECT_EQ(kept("i32", "[0, 0, 0, 1]", "add %c, %x"), 1);
  EXPECT_EQ(kept("i1", "true", "or %c, %x"), 1);
  EXPECT_EQ(kept("f32", "1.0", "multiply %c, %x"), 1);  // gives a NaN its pattern
}

// Integers wrap: a sum that is narrowed again may be one of the narrow type.
TEST(SimplifyAlgebra, SumsInAWiderTypeAreNarrow) {
  const auto reduces = [](const std::string& from, const std::string& wide, const std::string& to,
                          const std::string& op) {
    const auto of = [](int rows, const std::string& columns, const std::string& type) {
      return "tensor<" + std::to_string(rows) + "x" + columns + type + ">";
    };
    const Names all = lines(compiled_main(
        "(%x: " + of(9, "8x", from) + ") -> " + of(9, "", to),
        std::string("%z = stablehlo.constant dense<") + (wide[0] == 'f' ? "3.0" : "3") +
            "> : tensor<" + wide + ">\n%w = stablehlo.convert %x : (" + of(9, "8x", from) +
            ") -> " + of(9, "8x", wide) +
            "\n%r = stablehlo.reduce(%w init: %z) applies stablehlo." + op +
            " across dimensions = [1] : (" + of(9, "8x", wide) + ", tensor<" + wide + ">) -> " +
            of(9, "", wide) + "\n%n = stablehlo.convert %r : (" + of(9, "", wide) + ") -> " +
            of(9, "", to) + "\nreturn %n : " + of(9, "", to)));
    return std::ranges::any_of(all, [&](const std::string& line) {
      return line.find("reduce{") != std::string::npos &&
             line.find("(argument0 " + from) != std::string::npos;
    });
  };
  EXPECT_TRUE(reduces("ui8", "ui32", "ui8", "add"));
  EXPECT_TRUE(reduces("i16", "i64", "i16", "multiply"));
  EXPECT_FALSE(reduces("ui8", "ui32", "ui8", "maximum"));  // depends on the high bits
  EXPECT_FALSE(reduces("ui8", "ui32", "ui16", "add"));
  EXPECT_FALSE(reduces("i8", "ui32", "ui8", "add"));
  EXPECT_FALSE(reduces("ui8", "f32", "ui8", "add"));
}

}  // namespace
}  // namespace understudy::program
