// SPDX-License-Identifier: Apache-2.0
// Shapes written as `?`: found from constants and operands, or refused at their place.
// What they compute is checked by tests/ops/shape_refinement.mlir and its like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Refine, FindsTheTypeOfWhatMainGives) {
  const auto module = module_of(
      "func.func public @main(%a: tensor<4x2xf32>) -> tensor<?xf32> {\n"
      "  %s = stablehlo.constant dense<[8]> : tensor<1xi32>\n"
      "  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<4x2xf32>, tensor<1xi32>) -> "
      "tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n}\n");
  verify(*module);
  EXPECT_TRUE(unsupported_operations(*module).empty());
  const Interface interface = interface_of(*module, {});
  EXPECT_EQ(interface.results.at(0).local, (TensorType{ElementType::f32, {8}}));
  EXPECT_EQ(compile(*module, {}).results.at(0).shape, Shape{8});
}

TEST(Refine, RefusesAShapeOfTheRunAtTheOperandThatHoldsIt) {
  const std::string why = error_of([] {
    compiled(
        "func.func public @main(%n: tensor<1xi32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
        "  return %0 : tensor<?xf32>\n}\n");
  });
  EXPECT_THAT(why, AllOf(HasSubstr("test.mlir:2:31: error: stablehlo.dynamic_iota: the shape of "
                                   "its result depends on operand 0"),
                         HasSubstr("only known at run time")));
}

TEST(Refine, RefusesOperandsThatTurnOutUnequal) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<?xf32>",
                  "%0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<?xf32>\n"
                  "%1 = stablehlo.convert %b : (tensor<4xf32>) -> tensor<?xf32>\n"
                  "%2 = stablehlo.add %0, %1 : tensor<?xf32>\nreturn %2 : tensor<?xf32>");
  });
  EXPECT_THAT(why, HasSubstr("stablehlo.add: operand shapes [3] and [4] differ"));
}

TEST(Refine, RefusesAWrittenSizeThatIsAnother) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<3xf32>) -> tensor<4xf32>",
                  "%0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<?xf32>\n"
                  "%1 = stablehlo.negate %0 : (tensor<?xf32>) -> tensor<4xf32>\n"
                  "return %1 : tensor<4xf32>");
  });
  EXPECT_THAT(why, HasSubstr("result 0 is declared as tensor<4xf32>, but is tensor<3xf32>"));
}

TEST(Refine, ChecksKnownShapesAgainstStaticResults) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<6xf32>) -> tensor<2x3xf32>",
                  "%s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>\n"
                  "%1 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<2xi32>) -> "
                  "tensor<2x3xf32>\nreturn %1 : tensor<2x3xf32>");
  });
  EXPECT_THAT(why, HasSubstr("is declared as tensor<2x3xf32>, but is tensor<3x2xf32>"));
}

TEST(Refine, RefusesALoopThatGrowsWhatItCarries) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<3xf32>, %p: tensor<i1>) -> tensor<?xf32>",
                  "%0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<?xf32>\n"
                  "%1 = stablehlo.while(%v = %0) : tensor<?xf32>\n"
                  "cond { stablehlo.return %p : tensor<i1> } do {\n"
                  "%c = stablehlo.concatenate %v, %v, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "
                  "tensor<?xf32>\nstablehlo.return %c : tensor<?xf32> }\n"
                  "return %1 : tensor<?xf32>");
  });
  EXPECT_THAT(why, HasSubstr("differ between branches or iterations"));
}

TEST(Refine, AFalseAssertionSaysItsMessageWithTheSizes) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<3xf32>) -> tensor<i32>",
                  "%n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<3xf32>) -> tensor<i32>\n"
                  "%c = stablehlo.constant dense<4> : tensor<i32>\n"
                  "%p = stablehlo.compare EQ, %n, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                  "stablehlo.custom_call @shape_assertion(%p, %c, %n) {error_message = \"wanted "
                  "{0}, got {1}\", has_side_effect = true} : (tensor<i1>, tensor<i32>, "
                  "tensor<i32>) -> ()\nreturn %n : tensor<i32>");
  });
  EXPECT_THAT(why, HasSubstr("test.mlir:5:1: error: wanted 4, got 3"));
}

TEST(Refine, ASizeOfTheRunIsAsserted) {
  const Executable executable = compiled_main(
      "(%a: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32>",
      "%0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xf32>, tensor<i32>) -> "
      "tensor<3xf32>\nreturn %0 : tensor<3xf32>");
  EXPECT_THAT(lines(executable), testing::Contains(HasSubstr("assert")));
}

}  // namespace
}  // namespace understudy::program
