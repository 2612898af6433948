// SPDX-License-Identifier: Apache-2.0
// Which dots become multiplications, and what rounds their operands. Their results:
// tests/ops/outer_products.mlir.
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const auto kDot = Contains(HasSubstr("dot{"));
const auto kMultiply = Contains(HasSubstr("binary{multiply}"));
const auto kRound = Contains(HasSubstr("reduce_precision"));

struct Types {
  std::string operand, result;
};

// An outer product of 3 and 2 elements.
std::vector<std::string> outer(const Types& types, const std::string& attributes = "",
                               const CompileOptions& options = unfused()) {
  const std::string x = "tensor<3x" + types.operand + ">", y = "tensor<2x" + types.operand + ">",
                    r = "tensor<3x2x" + types.result + ">";
  return lines(compiled("func.func public @main(%x: " + x + ", %y: " + y + ") -> " + r +
                            " {\n%r = stablehlo.dot_general %x, %y, contracting_dims = [] x []" +
                            attributes + " : (" + x + ", " + y + ") -> " + r +
                            "\nreturn %r : " + r + "\n}\n",
                        options));
}

TEST(OuterProducts, AreBroadcastsAndAMultiplication) {
  const auto code = outer({"f32", "f32"});
  EXPECT_THAT(code, Not(kDot));
  EXPECT_THAT(code, kMultiply);
  EXPECT_THAT(code, kRound);
  CompileOptions options = unfused();
  options.disabled_passes.emplace_back("multiply-outer-products");
  EXPECT_THAT(outer({"f32", "f32"}, "", options), kDot);
}

TEST(OuterProducts, RoundOperandsAsTheDotDoes) {
  EXPECT_THAT(outer({"f32", "f32"}, ", precision = [HIGHEST, DEFAULT]"), Not(kRound));
  EXPECT_THAT(outer({"bf16", "f32"}), Not(kRound));
  EXPECT_THAT(outer({"f64", "f64"}), Not(kRound));
  CompileOptions ieee = unfused();
  ieee.numerics = Numerics::ieee;
  const auto code = outer({"f32", "f32"}, "", ieee);
  EXPECT_THAT(code, kMultiply);
  EXPECT_THAT(code, Not(kRound));
}

TEST(OuterProducts, SeveralProductsOfHalvesAndNarrowerResultsStay) {
  EXPECT_THAT(outer({"f32", "f32"}, ", precision = [HIGH, HIGH]"), kDot);
  EXPECT_THAT(outer({"f32", "bf16"}), kDot);
  EXPECT_THAT(outer({"i32", "i8"}), kDot);
}

TEST(OuterProducts, WiderResultsConvertTheOperands) {
  for (const Types& types : {Types{"bf16", "f32"}, Types{"i8", "i32"}, Types{"f16", "f32"}}) {
    const auto code = outer(types);
    EXPECT_THAT(code, Not(kDot)) << types.operand;
    EXPECT_THAT(code, Contains(HasSubstr("convert"))) << types.operand;
  }
}

TEST(OuterProducts, SumsOfMoreStay) {
  const auto code = lines(compiled_main(
      "(%x: tensor<3x2xf32>, %y: tensor<2x4xf32>) -> tensor<3x4xf32>",
      "%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x2xf32>, "
      "tensor<2x4xf32>) -> tensor<3x4xf32>\nreturn %r : tensor<3x4xf32>"));
  EXPECT_THAT(code, kDot);
}

// Products of a batch whose result is transposed are made in the order of that.
TEST(OuterProducts, OfTransposedBatchesAreNotMoved) {
  const auto code = lines(compiled(
      "func.func public @main(%x: tensor<4x3xf32>, %y: tensor<4x2xf32>) -> tensor<2x4x3xf32> {\n"
      "%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [] x [] : "
      "(tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x3x2xf32>\n"
      "%1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<4x3x2xf32>) -> "
      "tensor<2x4x3xf32>\nreturn %1 : tensor<2x4x3xf32>\n}\n",
      unfused()));
  EXPECT_THAT(code, Not(kDot));
  // Operands with as many elements as the result are rounded by conversions.
  EXPECT_THAT(code, Contains(HasSubstr("bf16[2,4,3] = convert")));
  EXPECT_THAT(code, Contains(HasSubstr("f32[2,4,3] = binary{multiply}")));
  EXPECT_THAT(code, Not(Contains(HasSubstr("f32[4,3,2]"))));
}

}  // namespace
}  // namespace understudy::program
