// SPDX-License-Identifier: Apache-2.0
// How much of the outputs of a sort is kept.
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::HasSubstr;

// The listing of a sort of that type, whose first elements are read as `rest` says.
std::vector<std::string> sorted(const std::string& type, int dimension, const std::string& rest,
                                const std::string& result) {
  return lines(
      compiled("func.func public @main(%x: " + type + ") -> " + result +
                   " {\n%s = \"stablehlo.sort\"(%x) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
                   "%c = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> "
                   "tensor<i1>\nstablehlo.return %c : tensor<i1>\n}) {dimension = " +
                   std::to_string(dimension) + " : i64} : (" + type + ") -> " + type + "\n" + rest +
                   "return %r : " + result + "\n}\n",
               unfused()));
}

// A slice that is no copy: what reads it reads the array.
TEST(ShortenSorts, ToTheElementsThatAreReadInPlace) {
  const auto code = sorted("tensor<100xf32>", 0,
                           "%t = stablehlo.slice %s [0:7] : (tensor<100xf32>) -> tensor<7xf32>\n"
                           "%r = stablehlo.negate %t : tensor<7xf32>\n",
                           "tensor<7xf32>");
  EXPECT_THAT(code, Contains(HasSubstr("f32[7] = sort{0}")));
}

TEST(ShortenSorts, ToTheLongestOfSeveralReads) {
  const auto code = sorted("tensor<100xf32>", 0,
                           "%t = stablehlo.slice %s [0:7] : (tensor<100xf32>) -> tensor<7xf32>\n"
                           "%u = stablehlo.slice %s [3:10] : (tensor<100xf32>) -> tensor<7xf32>\n"
                           "%r = stablehlo.add %t, %u : tensor<7xf32>\n",
                           "tensor<7xf32>");
  EXPECT_THAT(code, Contains(HasSubstr("f32[10] = sort{0}")));
}

// The first elements of several lines are lines.
TEST(ShortenSorts, NotToLinesThatAreReadInPlace) {
  const auto code = sorted("tensor<4x25xf32>", 1,
                           "%t = stablehlo.slice %s [0:2, 0:25] : (tensor<4x25xf32>) -> "
                           "tensor<2x25xf32>\n%r = stablehlo.negate %t : tensor<2x25xf32>\n",
                           "tensor<2x25xf32>");
  EXPECT_THAT(code, Contains(HasSubstr("f32[4,25] = sort{1}")));
}

TEST(ShortenSorts, NotWhereAllElementsAreReadAsWell) {
  const auto code = sorted("tensor<100xf32>", 0,
                           "%t = stablehlo.slice %s [0:7] : (tensor<100xf32>) -> tensor<7xf32>\n"
                           "%u = stablehlo.negate %t : tensor<7xf32>\n"
                           "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                           "%v = stablehlo.reduce(%s init: %z) applies stablehlo.add across "
                           "dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>\n"
                           "%w = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> "
                           "tensor<7xf32>\n%r = stablehlo.add %u, %w : tensor<7xf32>\n",
                           "tensor<7xf32>");
  EXPECT_THAT(code, Contains(HasSubstr("f32[100] = sort{0}")));
}

}  // namespace
}  // namespace understudy::program
