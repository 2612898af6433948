// SPDX-License-Identifier: Apache-2.0
// Which gathers and scatters become copies, and what is known of numbers. That results stay:
// tests/ops/regular_indexing.mlir.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// %x[%i], where the body makes %i, numbers of that type, of 0, 1, ... (%n, in rows).
std::vector<std::string> taken(const std::string& body, const std::string& shape = "5",
                               const std::string& x = "40") {
  const std::string numbers = "tensor<" + shape + "xi32>", out = "tensor<" + shape + "xf32>";
  return lines(
      compiled_main("(%x: tensor<" + x + "xf32>) -> " + out,
                    "%n = stablehlo.iota dim = 0 : " + numbers + "\n" + body +
                        "\n%v = stablehlo.reshape %i : (" + numbers + ") -> tensor<" + shape +
                        "x1xi32>\n%g = \"stablehlo.gather\"(%x, %v) <{dimension_numbers = "
                        "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
                        "index_vector_dim = " +
                        std::to_string(1 + std::ranges::count(shape, 'x')) +
                        ">, slice_sizes = array<i64: 1>}> : (tensor<" + x + "xf32>, tensor<" +
                        shape + "x1xi32>) -> " + out + "\nreturn %g : " + out));
}

std::string constant(const std::string& name, int value, const std::string& shape = "5") {
  return "%" + name + " = stablehlo.constant dense<" + std::to_string(value) + "> : tensor<" +
         shape + "xi32>\n";
}

TEST(RegularIndexing, CountingNumbersAreACopy) {
  EXPECT_THAT(taken(constant("c", 3) + constant("b", 4) +
                    "%p = stablehlo.multiply %n, %c : tensor<5xi32>\n"
                    "%i = stablehlo.add %p, %b : tensor<5xi32>"),
              ElementsAre("result0 f32[5] = strided_copy{[5] from [3]+4 to [1]+0}(argument0 "
                          "f32[40])"));
  EXPECT_THAT(taken(constant("c", 36) + "%i = stablehlo.subtract %c, %n : tensor<5xi32>"),
              ElementsAre(HasSubstr("strided_copy{[5] from [-1]+36 to [1]+0}")));
}

// Rows of windows: two dimensions count.
TEST(RegularIndexing, WindowsAreACopy) {
  const auto code = taken(
      "%c = stablehlo.iota dim = 1 : tensor<6x4xi32>\n"
      "%s = stablehlo.add %n, %c : tensor<6x4xi32>\n" +
          constant("z", 0, "6x4") + constant("m", 9, "6x4") +
          "%l = stablehlo.compare LT, %s, %z : (tensor<6x4xi32>, tensor<6x4xi32>) -> "
          "tensor<6x4xi1>\n"
          "%t = stablehlo.add %s, %m : tensor<6x4xi32>\n"
          "%i = stablehlo.select %l, %t, %s : tensor<6x4xi1>, tensor<6x4xi32>",
      "6x4", "9");
  EXPECT_THAT(code, ElementsAre("result0 f32[6,4] = strided_copy{[6,4] from [1,1]+0 to [4,1]+0}"
                                "(argument0 f32[9])"));
}

TEST(RegularIndexing, NumbersOutsideAndOthersStay) {
  // 4 + 36 is outside of 40.
  for (const std::string& body :
       {constant("c", 36) + "%i = stablehlo.add %n, %c : tensor<5xi32>",
        constant("c", 1) + "%i = stablehlo.subtract %n, %c : tensor<5xi32>",
        std::string("%i = stablehlo.multiply %n, %n : tensor<5xi32>"),
        // It wraps.
        constant("c", 1 << 30) + "%i = stablehlo.multiply %n, %c : tensor<5xi32>"})
    EXPECT_THAT(taken(body), Contains(HasSubstr("take_elements"))) << body;
}

// What the bounds of numbers decide is not computed.
TEST(RegularIndexing, BoundsDecideSelections) {
  const auto code = taken("%s = stablehlo.multiply %n, %n : tensor<5xi32>\n" + constant("z", 0) +
                          constant("m", 40) +
                          "%l = stablehlo.compare LT, %s, %z : (tensor<5xi32>, tensor<5xi32>) -> "
                          "tensor<5xi1>\n"
                          "%t = stablehlo.add %s, %m : tensor<5xi32>\n"
                          "%u = stablehlo.select %l, %t, %s : tensor<5xi1>, tensor<5xi32>\n"
                          "%k = stablehlo.maximum %u, %z : tensor<5xi32>\n"
                          "%i = stablehlo.clamp %z, %k, %m : tensor<5xi32>");
  for (const char* const gone : {"select", "compare", "maximum", "clamp"})
    EXPECT_THAT(code, Not(Contains(HasSubstr(gone))));
}

// Numbers that a run gives, once they are clamped.
TEST(RegularIndexing, BoundsOfClampedNumbersAreKnown) {
  const auto code = lines(compiled_main(
      "(%n: tensor<5xi32>, %x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf32>",
      constant("z", 0) + constant("m", 4) +
          "%h = stablehlo.maximum %n, %z : tensor<5xi32>\n"
          "%k = stablehlo.minimum %h, %m : tensor<5xi32>\n"
          "%l = stablehlo.compare LT, %k, %z : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>\n"
          "%s = stablehlo.select %l, %x, %y : tensor<5xi1>, tensor<5xf32>\n"
          "%r = stablehlo.negate %s : tensor<5xf32>\nreturn %r : tensor<5xf32>"));
  EXPECT_THAT(code, ElementsAre("result0 f32[5] = unary{negate}(argument2 f32[5])"));
}

// jnp.choose(n, [x, y]).
TEST(RegularIndexing, AGatherFromAStackSelects) {
  const auto code = lines(compiled_main(
      "(%n: tensor<70xi32>, %x: tensor<70xf32>, %y: tensor<70xf32>) -> tensor<70xf32>",
      "%a = stablehlo.reshape %x : (tensor<70xf32>) -> tensor<1x70xf32>\n"
      "%b = stablehlo.reshape %y : (tensor<70xf32>) -> tensor<1x70xf32>\n"
      "%s = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x70xf32>, tensor<1x70xf32>) -> "
      "tensor<2x70xf32>\n"
      "%k = stablehlo.reshape %n : (tensor<70xi32>) -> tensor<70x1xi32>\n"
      "%c = stablehlo.iota dim = 0 : tensor<70x1xi32>\n"
      "%i = stablehlo.concatenate %k, %c, dim = 1 : (tensor<70x1xi32>, tensor<70x1xi32>) -> "
      "tensor<70x2xi32>\n"
      "%g = \"stablehlo.gather\"(%s, %i) <{dimension_numbers = "
      "#stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], "
      "index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x70xf32>, "
      "tensor<70x2xi32>) -> tensor<70xf32>\nreturn %g : tensor<70xf32>"));
  ASSERT_EQ(code.size(), 3U);
  EXPECT_THAT(code[1], HasSubstr("compare{le}(argument0 i32[70]"));
  EXPECT_THAT(code[2], HasSubstr("argument1 f32[70], argument2 f32[70])"));
}

// %x of 6 x 4, updated with %u at a window that starts at these numbers.
std::vector<std::string> scattered(const std::string& start, const std::string& window,
                                   const std::string& result = "b") {
  return lines(compiled_main(
      "(%x: tensor<6x4xf32>, %u: tensor<" + window + "xf32>) -> tensor<6x4xf32>",
      "%i = stablehlo.constant dense<[" + start +
          "]> : tensor<2xi32>\n%s = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers "
          "= "
          "#stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, "
          "unique_indices = true}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
          "  %c = stablehlo.add %a, %b : tensor<f32>\n  stablehlo.return %" +
          result + " : tensor<f32>\n}) : (tensor<6x4xf32>, tensor<2xi32>, tensor<" + window +
          "xf32>) -> tensor<6x4xf32>\nreturn %s : tensor<6x4xf32>"));
}

TEST(RegularIndexing, ALargeBoxIsCopiedWithWhatIsAroundIt) {
  EXPECT_THAT(scattered("1, 0", "5x3"),
              ElementsAre(HasSubstr("strided_copy{[4] from [1]+0 to [1]+0}(argument0"),
                          HasSubstr("strided_copy{[5] from [4]+7 to [4]+7}(argument0"),
                          HasSubstr("strided_copy{[5,3] from [3,1]+0 to [4,1]+4}(argument1")));
}

TEST(RegularIndexing, ASmallBoxIsAnUpdate) {
  EXPECT_THAT(scattered("1, 2", "2x2"), ElementsAre(HasSubstr("dynamic_update_slice")));
  const auto sum = scattered("1, 2", "2x2", "c");
  EXPECT_THAT(sum, Contains(HasSubstr("binary{add}")));
  EXPECT_THAT(sum, Not(Contains(HasSubstr("select"))));
}

TEST(RegularIndexing, ABoxOutsideStays) {
  EXPECT_THAT(scattered("2, 0", "5x3"), Not(Contains(HasSubstr("strided_copy{[5,3]"))));
}

}  // namespace
}  // namespace understudy::program
