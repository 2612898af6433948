// SPDX-License-Identifier: Apache-2.0
// Which reductions of broadcasts become steps over the rows. That results stay:
// tests/worker/ops/unrolled_test.cc.
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::AllOf;
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
      of, op, type, type.find('f') == std::string::npos ? "0" : "0.0");
}

TEST(UnrollReductions, ColumnsBecomeSteps) {
  EXPECT_THAT(
      unrolled(2048, 2, "i32", any_equal(2048, 2), "i1"),
      ElementsAre(HasSubstr("i1[2048] = fill(constant"), HasSubstr("fill(argument1 i32[])"),
                  HasSubstr("i1[2048] = compare{eq}(argument0 i32[2048]"),
                  HasSubstr("fill(argument1+4 i32[])"),
                  HasSubstr("i1[2048] = compare{eq}(argument0 i32[2048]"),
                  HasSubstr("i1[2048] = binary{or}"), HasSubstr("result0 i1[2048] = binary{or}")));
}

TEST(UnrollReductions, ManyColumnsAndFewRowsStay) {
  EXPECT_THAT(unrolled(2048, 65, "i32", any_equal(2048, 65), "i1"), Contains(HasSubstr("reduce{")));
  EXPECT_THAT(unrolled(1023, 2, "i32", any_equal(1023, 2), "i1"), Contains(HasSubstr("reduce{")));
}

std::string products(const char* type, const std::string& op, const char* factors) {
  return fmt::format("%c = stablehlo.multiply {} : tensor<2048x3x{}>\n", factors, type) +
         reduced("%c", op, type);
}

// Sums of bf16 are rounded once.
TEST(UnrollReductions, SumsOfSmallFloatsStay) {
  const auto list = [&](const char* type, const std::string& op, const char* factors) {
    return unrolled(2048, 3, type, products(type, op, factors), type);
  };
  EXPECT_THAT(list("bf16", "add", "%v, %w"), Contains(HasSubstr("reduce{")));
  EXPECT_THAT(list("i32", "add", "%v, %w"), Not(Contains(HasSubstr("reduce{"))));
  EXPECT_THAT(list("bf16", "maximum", "%v, %w"), Not(Contains(HasSubstr("reduce{"))));
}

// Columns 0 and 2 first, as the lanes of a fold are joined.
TEST(UnrollReductions, SumsOfFloatsHaveTheOrderOfAFold) {
  EXPECT_THAT(unrolled(2048, 3, "f32", products("f32", "add", "%v, %w"), "f32"),
              ElementsAre(HasSubstr("fill(constant"), HasSubstr("fill(argument1 f32[])"),
                          HasSubstr("binary{multiply}"), HasSubstr("fill(argument1+8 f32[])"),
                          HasSubstr("binary{multiply}"), HasSubstr("binary{add}"),
                          HasSubstr("fill(argument1+4 f32[])"), HasSubstr("binary{multiply}"),
                          HasSubstr("binary{add}"), HasSubstr("result0 f32[2048] = binary{add}")));
  const std::string sum =
      "%c = stablehlo.add %v, %w : tensor<2048x{0}xf32>\n"
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%r = stablehlo.reduce(%c init: %z) applies stablehlo.add across "
      "dimensions = [1] : (tensor<2048x{0}xf32>, tensor<f32>) -> "
      "tensor<2048xf32>";
  const auto stays = Contains(HasSubstr("reduce{"));
  EXPECT_THAT(unrolled(2048, 16, "f32", fmt::format(fmt::runtime(sum), 16), "f32"), Not(stays));
  EXPECT_THAT(unrolled(2048, 17, "f32", fmt::format(fmt::runtime(sum), 17), "f32"), stays);
}

// Loads of elements that are as many words apart as a chain loads, or bytes; more columns, and
// types of 16 bits, are read row by row.
TEST(UnrollReductions, ColumnsOfWholeArraysAreApart) {
  const auto list = [](int columns, const char* type, const char* operation) {
    return lines(compiled(
        fmt::format("func.func public @main(%x: tensor<2048x{0}x{1}>, %y: tensor<2048x6x{1}>) -> "
                    "tensor<2048x{1}> {{\n"
                    "%s = stablehlo.slice %y [0:2048, 1:{2}] : (tensor<2048x6x{1}>) -> "
                    "tensor<2048x{0}x{1}>\n"
                    "%c = stablehlo.{3} %x, %s : tensor<2048x{0}x{1}>\n"
                    "%z = stablehlo.constant dense<0> : tensor<{1}>\n"
                    "%r = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across "
                    "dimensions = [1] : (tensor<2048x{0}x{1}>, tensor<{1}>) -> tensor<2048x{1}>\n"
                    "return %r : tensor<2048x{1}>\n}}\n",
                    columns, type, columns + 1, operation),
        unfused()));
  };
  EXPECT_THAT(list(3, "i32", "add"),
              AllOf(Contains(HasSubstr("strided_copy{[2048] from [3]+2 to [1]+0}(argument0")),
                    Contains(HasSubstr("strided_copy{[2048] from [6]+3 to [1]+0}(argument1")),
                    Not(Contains(HasSubstr("reduce{")))));
  EXPECT_THAT(list(5, "i32", "add"), Contains(HasSubstr("reduce{")));
  EXPECT_THAT(list(3, "ui8", "add"),
              AllOf(Contains(HasSubstr("strided_copy{[2048] from [3]+2 to [1]+0}(argument0")),
                    Not(Contains(HasSubstr("reduce{")))));
  EXPECT_THAT(list(3, "i16", "add"), Contains(HasSubstr("reduce{")));
}

// Points of two lists: each coordinate is an array that is repeated along the other list.
TEST(UnrollReductions, ArraysThatAreRepeatedAreCopiedByColumns) {
  const auto list = [](int n) {
    return lines(compiled(
        fmt::format(
            "func.func public @main(%x: tensor<{0}x2xf32>, %y: tensor<64x2xf32>) -> "
            "tensor<{0}x64xf32> {{\n"
            "%v = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<{0}x2xf32>) -> "
            "tensor<{0}x64x2xf32>\n"
            "%w = stablehlo.broadcast_in_dim %y, dims = [1, 2] : (tensor<64x2xf32>) -> "
            "tensor<{0}x64x2xf32>\n"
            "%d = stablehlo.subtract %v, %w : tensor<{0}x64x2xf32>\n"
            "%s = stablehlo.multiply %d, %d : tensor<{0}x64x2xf32>\n"
            "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
            "%r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [2] : "
            "(tensor<{0}x64x2xf32>, tensor<f32>) -> tensor<{0}x64xf32>\n"
            "return %r : tensor<{0}x64xf32>\n}}\n",
            n),
        unfused()));
  };
  EXPECT_THAT(list(32), Contains(HasSubstr("f32[32] = strided_copy{[32] from [2]+1 to [1]+0}")));
  EXPECT_THAT(list(32), Not(Contains(HasSubstr("reduce{"))));
  EXPECT_THAT(list(15), Contains(HasSubstr("reduce{")));  // few rows
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

// What somebody else reads is made anyway; steps of the tree may share a value.
TEST(UnrollReductions, ValuesThatOthersReadStay) {
  EXPECT_THAT(unrolled(2048, 3, "i32",
                       "%c = stablehlo.multiply %v, %w : tensor<2048x3xi32>\n"
                       "%d = stablehlo.add %c, %c : tensor<2048x3xi32>\n" +
                           reduced("%d", "add", "i32"),
                       "i32"),
              Not(Contains(HasSubstr("reduce{"))));
  EXPECT_THAT(unrolled(2048, 3, "i32",
                       "%c = stablehlo.multiply %v, %w : tensor<2048x3xi32>\n"
                       "%t = stablehlo.reverse %c, dims = [0] : tensor<2048x3xi32>\n"
                       "%d = stablehlo.add %c, %t : tensor<2048x3xi32>\n" +
                           reduced("%d", "add", "i32"),
                       "i32"),
              Contains(HasSubstr("reduce{")));
}

}  // namespace
}  // namespace understudy::program
