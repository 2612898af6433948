// SPDX-License-Identifier: Apache-2.0
// Which reductions of broadcasts become steps over the rows. That results stay:
// tests/worker/ops/unrolled_test.cc.
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Listing = std::vector<std::string>;

// %v: a number of each of the rows, %w: of each of the columns.
Listing unrolled(int rows, int columns, const std::string& type, const std::string& body,
                 const std::string& result) {
  const std::string all = fmt::format("tensor<{}x{}x{}>", rows, columns, type);
  return lines(compiled(
      fmt::format("func.func public @main(%x: tensor<{0}x{3}>, %y: tensor<{1}x{3}>, %b: {2}) -> "
                  "tensor<{0}x{4}> {{\n"
                  "%v = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<{0}x{3}>) -> {2}\n"
                  "%w = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<{1}x{3}>) -> {2}\n"
                  "{5}\nreturn %r : tensor<{0}x{4}>\n}}\n",
                  rows, columns, all, type, result, body),
      unfused()));
}
std::string any_equal(int rows, int columns) {
  return fmt::format(
      "%z = stablehlo.constant dense<false> : tensor<i1>\n"
      "%c = stablehlo.compare EQ, %v, %w, SIGNED : (tensor<{0}x{1}xi32>, tensor<{0}x{1}xi32>) -> "
      "tensor<{0}x{1}xi1>\n"
      "%r = stablehlo.reduce(%c init: %z) applies stablehlo.or across dimensions = [1] : "
      "(tensor<{0}x{1}xi1>, tensor<i1>) -> tensor<{0}xi1>",
      rows, columns);
}
std::string reduced(const std::string& of, const std::string& op, const std::string& type) {
  return fmt::format(
      "%z = stablehlo.constant dense<{3}> : tensor<{2}>\n"
      "%r = stablehlo.reduce({0} init: %z) applies stablehlo.{1} across dimensions = [1] : "
      "(tensor<2048x3x{2}>, tensor<{2}>) -> tensor<2048x{2}>",
      of, op, type, type[0] == 'f' ? "0.0" : "0");
}

TEST(UnrollReductions, ColumnsBecomeSteps) {
  EXPECT_THAT(unrolled(2048, 2, "i32", any_equal(2048, 2), "i1"),
              ElementsAre(HasSubstr("i1[2048] = fill(constant"), HasSubstr("fill(argument1 i32[])"),
                          HasSubstr("i1[2048] = compare{eq}(argument0 i32[2048]"),
                          HasSubstr("i1[2048] = binary{or}"), HasSubstr("fill(argument1+4 i32[])"),
                          HasSubstr("i1[2048] = compare{eq}(argument0 i32[2048]"),
                          HasSubstr("result0 i1[2048] = binary{or}")));
}

TEST(UnrollReductions, ManyColumnsAndFewRowsStay) {
  EXPECT_THAT(unrolled(2048, 65, "i32", any_equal(2048, 65), "i1"), Contains(HasSubstr("reduce{")));
  EXPECT_THAT(unrolled(1023, 2, "i32", any_equal(1023, 2), "i1"), Contains(HasSubstr("reduce{")));
}

// Sums of floats depend on their order; arrays of their own are read row by row.
TEST(UnrollReductions, SumsOfFloatsAndWholeArraysStay) {
  const auto list = [&](const char* type, const std::string& op, const char* factors) {
    return unrolled(2048, 3, type,
                    fmt::format("%c = stablehlo.multiply {} : tensor<2048x3x{}>\n", factors, type) +
                        reduced("%c", op, type),
                    type);
  };
  EXPECT_THAT(list("f32", "add", "%v, %w"), Contains(HasSubstr("reduce{")));
  EXPECT_THAT(list("i32", "add", "%v, %b"), Contains(HasSubstr("reduce{")));
  EXPECT_THAT(list("i32", "add", "%v, %w"), Not(Contains(HasSubstr("reduce{"))));
  EXPECT_THAT(list("f32", "maximum", "%v, %w"), Not(Contains(HasSubstr("reduce{"))));
}

// Numbers of the rows or columns alone are no broadcast of an array.
TEST(UnrollReductions, CountedNumbersStay) {
  const std::string count = "%i = stablehlo.iota dim = 1 : tensor<2048x3xi32>\n";
  for (const char* operands : {"%i, %w", "%w, %i", "%i, %i"})
    EXPECT_THAT(
        unrolled(2048, 3, "i32",
                 count +
                     fmt::format("%c = stablehlo.multiply {} : tensor<2048x3xi32>\n", operands) +
                     reduced("%c", "add", "i32"),
                 "i32"),
        Contains(HasSubstr("reduce{")));
  EXPECT_THAT(unrolled(2048, 3, "i32", count + reduced("%i", "maximum", "i32"), "i32"),
              Contains(HasSubstr("reduce{")));
}

// What somebody else reads is made anyway.
TEST(UnrollReductions, ValuesThatAreReadTwiceStay) {
  EXPECT_THAT(unrolled(2048, 3, "i32",
                       "%c = stablehlo.multiply %v, %w : tensor<2048x3xi32>\n"
                       "%d = stablehlo.add %c, %c : tensor<2048x3xi32>\n" +
                           reduced("%d", "add", "i32"),
                       "i32"),
              Contains(HasSubstr("reduce{")));
}

}  // namespace
}  // namespace understudy::program
