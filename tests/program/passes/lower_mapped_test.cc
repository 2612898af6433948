// SPDX-License-Identifier: Apache-2.0
// Reductions whose body maps the elements become known reductions of mapped arrays. That results
// stay: tests/ops/reduce.mlir.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The listing of a reduction of 4 x 5 elements along rows, whose body has these lines.
std::vector<std::string> reduced_by(const std::string& body, const std::string& type = "f32") {
  const std::string scalar = "tensor<" + type + ">";
  return lines(compiled_main(
      "(%x: tensor<4x5x" + type + ">, %i: " + scalar + ") -> tensor<4x" + type + ">",
      "%r = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<4x5x" + type + ">, " +
          scalar + ") -> tensor<4x" + type + ">\nreducer(%a: " + scalar + ", %b: " + scalar +
          ") {\n" + body + "stablehlo.return %s : " + scalar + "\n}\nreturn %r : tensor<4x" + type +
          ">"));
}

// max(|a|, |b|): also of the initial value.
TEST(LowerMapped, FunctionsOfBothSidesThatMayBeAppliedAgain) {
  const std::string sizes =
      "%p = stablehlo.abs %a : tensor<f32>\n%q = stablehlo.abs %b : tensor<f32>\n";
  const auto code = reduced_by(sizes + "%s = stablehlo.maximum %p, %q : tensor<f32>\n");
  EXPECT_THAT(code, Contains(HasSubstr("reduce{maximum over")));
  EXPECT_THAT(code, Contains(HasSubstr("f32[] = unary{abs}(argument1 f32[])")));
  EXPECT_THAT(reduced_by(sizes + "%s = stablehlo.add %p, %q : tensor<f32>\n"),
              Contains(HasSubstr("reduce{body over")));
  EXPECT_THAT(reduced_by("%p = stablehlo.sqrt %a : tensor<f32>\n%q = stablehlo.sqrt %b : "
                         "tensor<f32>\n%s = stablehlo.maximum %p, %q : tensor<f32>\n"),
              Contains(HasSubstr("reduce{body over")));
}

// a + 2 b^2, and with the sides exchanged; not b - ..., nor what reads both.
TEST(LowerMapped, FunctionsOfTheElement) {
  const std::string square =
      "%c = stablehlo.constant dense<2.0> : tensor<f32>\n"
      "%p = stablehlo.multiply %b, %b : tensor<f32>\n"
      "%q = stablehlo.multiply %p, %c : tensor<f32>\n";
  const auto sum = HasSubstr("reduce{sum over");
  EXPECT_THAT(reduced_by(square + "%s = stablehlo.add %a, %q : tensor<f32>\n"), Contains(sum));
  EXPECT_THAT(reduced_by(square + "%s = stablehlo.add %q, %a : tensor<f32>\n"), Contains(sum));
  EXPECT_THAT(reduced_by(square + "%s = stablehlo.subtract %a, %q : tensor<f32>\n"),
              Not(Contains(sum)));
  EXPECT_THAT(reduced_by("%q = stablehlo.multiply %a, %b : tensor<f32>\n"
                         "%s = stablehlo.add %a, %q : tensor<f32>\n"),
              Not(Contains(sum)));
}

// Of several arrays at once: a sum and a maximum that do not depend on each other.
TEST(LowerMapped, ResultsThatDoNotDependOnEachOther) {
  const auto code = [](const std::string& body) {
    return lines(compiled_main(
        "(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>, %i: tensor<f32>) -> (tensor<4xf32>, "
        "tensor<4xf32>)",
        "%r:2 = stablehlo.reduce(%x init: %i), (%y init: %i) across dimensions = [1] : "
        "(tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, "
        "tensor<4xf32>)\nreducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: "
        "tensor<f32>) {\n" +
            body + "stablehlo.return %s, %m : tensor<f32>, tensor<f32>\n}\n" +
            "return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>"));
  };
  const std::string sum = "%s = stablehlo.add %a, %b : tensor<f32>\n";
  const auto apart = code(sum + "%m = stablehlo.maximum %d, %c : tensor<f32>\n");
  EXPECT_THAT(apart, Contains(HasSubstr("reduce{sum over [1]}(argument0")));
  EXPECT_THAT(apart, Contains(HasSubstr("reduce{maximum over [1]}(argument1")));
  const auto together = Contains(HasSubstr("reduce{body over"));
  EXPECT_THAT(code(sum + "%m = stablehlo.maximum %c, %b : tensor<f32>\n"), together);
  EXPECT_THAT(code(sum + "%m = stablehlo.add %s, %d : tensor<f32>\n"), together);
  EXPECT_THAT(code(sum + "%m = stablehlo.subtract %c, %d : tensor<f32>\n"), together);
}

TEST(LowerMapped, ExclusiveOr) {
  EXPECT_THAT(reduced_by("%s = stablehlo.xor %a, %b : tensor<ui32>\n", "ui32"),
              Contains(HasSubstr("reduce{xor over")));
}

}  // namespace
}  // namespace understudy::program
