// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LowerMovement, TransposeIsOneStridedCopyIntoTheResult) {
  const auto executable = compiled_main(
      "(%a: tensor<2x3xf32>) -> tensor<3x2xf32>",
      "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
      "return %0 : tensor<3x2xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[3,2] = strided_copy{[3,2] from [1,3]+0 to [2,1]+0}"
                          "(argument0 f32[2,3])"));
  EXPECT_EQ(executable.temporary_bytes, 0u);
}

TEST(LowerMovement, TransposeOfSizeOneDimensionsIsAView) {
  const auto executable = compiled_main(
      "(%a: tensor<1x4xf32>) -> tensor<4x1xf32>",
      "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<1x4xf32>) -> tensor<4x1xf32>\n"
      "return %0 : tensor<4x1xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[4,1] = strided_copy{[4] from [1]+0 to [1]+0}"
                          "(argument0 f32[4,1])"));
}

TEST(LowerMovement, ReshapeAndContiguousSliceAreViews) {
  const auto executable =
      compiled_main("(%a: tensor<4x2xf32>) -> tensor<4xf32>",
                    "%0 = stablehlo.slice %a [1:3, 0:2] : (tensor<4x2xf32>) -> tensor<2x2xf32>\n"
                    "%1 = stablehlo.reshape %0 : (tensor<2x2xf32>) -> tensor<4xf32>\n"
                    "%2 = stablehlo.negate %1 : tensor<4xf32>\n"
                    "return %2 : tensor<4xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[4] = unary{negate}(argument0+8 f32[4])"));
}

TEST(LowerMovement, SliceWithSteps) {
  const auto executable =
      compiled_main("(%a: tensor<10xi32>) -> tensor<3xi32>",
                    "%0 = stablehlo.slice %a [1:9:3] : (tensor<10xi32>) -> tensor<3xi32>\n"
                    "return %0 : tensor<3xi32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 i32[3] = strided_copy{[3] from [3]+1 to "
                                             "[1]+0}(argument0 i32[10])"));
}

TEST(LowerMovement, ReverseWalksBackwards) {
  const auto executable = compiled_main(
      "(%a: tensor<2x3xf32>) -> tensor<2x3xf32>",
      "%0 = stablehlo.reverse %a, dims = [1] : tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[2,3] = strided_copy{[2,3] from [3,-1]+2 to [3,1]+0}"
                          "(argument0 f32[2,3])"));
}

TEST(LowerMovement, BroadcastOfAScalarFills) {
  const auto executable = compiled_main(
      "(%a: tensor<f32>) -> tensor<2x3xf32>",
      "%0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<2x3xf32>\n"
      "return %0 : tensor<2x3xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[2,3] = fill(argument0 f32[])"));
}

TEST(LowerMovement, BroadcastRepeatsWithStrideZero) {
  const auto executable = compiled_main(
      "(%a: tensor<3xf32>) -> tensor<2x3xf32>",
      "%0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>\n"
      "return %0 : tensor<2x3xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[2,3] = strided_copy{[2,3] from [0,1]+0 to [3,1]+0}"
                          "(argument0 f32[3])"));
}

TEST(LowerMovement, BroadcastWithTurnedDimensions) {
  const auto executable = compiled_main(
      "(%a: tensor<2x3xf32>) -> tensor<3x2xf32>",
      "%0 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
      "return %0 : tensor<3x2xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[3,2] = strided_copy{[3,2] from [1,3]+0 to [2,1]+0}"
                          "(argument0 f32[2,3])"));
}

TEST(LowerMovement, ConcatenateCopiesPiecesIntoTheResult) {
  const auto executable = compiled_main(
      "(%a: tensor<2x1xf32>, %b: tensor<2x2xf32>) -> tensor<2x3xf32>",
      "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x1xf32>, tensor<2x2xf32>) -> "
      "tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>");
  EXPECT_THAT(
      lines(executable),
      ElementsAre(
          "result0 f32[2,3] = strided_copy{[2] from [1]+0 to [3]+0}(argument0 f32[2,1])",
          "result0 f32[2,3] = strided_copy{[2,2] from [2,1]+0 to [3,1]+1}(argument1 f32[2,2])"));
}

// x rolled by one column; of the rows every second one.
TEST(LowerMovement, ConcatenateCopiesSlicesFromWhereTheyWereCut) {
  const auto executable = compiled_main(
      "(%x: tensor<4x3xf32>) -> tensor<2x3xf32>",
      "%a = stablehlo.slice %x [0:4:2, 2:3] : (tensor<4x3xf32>) -> tensor<2x1xf32>\n"
      "%b = stablehlo.slice %x [1:4:2, 0:2] : (tensor<4x3xf32>) -> tensor<2x2xf32>\n"
      "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x1xf32>, tensor<2x2xf32>) -> "
      "tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>");
  EXPECT_THAT(
      lines(executable),
      ElementsAre(
          "result0 f32[2,3] = strided_copy{[2] from [6]+2 to [3]+0}(argument0 f32[4,3])",
          "result0 f32[2,3] = strided_copy{[2,2] from [6,1]+3 to [3,1]+1}(argument0 f32[4,3])"));
}

// The update may then overwrite x, which would otherwise be read after it.
TEST(LowerMovement, ConcatenateCopiesNoSliceFromBeforeAnUpdate) {
  const auto executable = compiled(kConcatenatedAroundUpdate);
  EXPECT_THAT(lines(executable)[0], HasSubstr("f32[4,1] = strided_copy{[4] from [3]+2 to [1]+0}"));
}

TEST(LowerMovement, PadFillsAndCropsWithNegativeEdges) {
  const auto executable =
      compiled_main("(%a: tensor<5xf32>, %v: tensor<f32>) -> tensor<7xf32>",
                    "%0 = stablehlo.pad %a, %v, low = [-1], high = [1], interior = [1] : "
                    "(tensor<5xf32>, tensor<f32>) -> tensor<9xf32>\n"
                    "%1 = stablehlo.slice %0 [0:7] : (tensor<9xf32>) -> tensor<7xf32>\n"
                    "return %1 : tensor<7xf32>");
  // Places 0.. of the result are 0 a1 0 a2 ...: element 1 of the operand lands at place 1.
  EXPECT_THAT(lines(executable)[0], HasSubstr("f32[9] = fill(argument1 f32[])"));
  EXPECT_THAT(lines(executable)[1], HasSubstr("strided_copy{[4] from [1]+1 to [2]+1}"));
}

TEST(LowerMovement, PadThatOnlyCropsIsASlice) {
  const auto executable =
      compiled_main("(%a: tensor<6x8xf32>, %v: tensor<f32>) -> tensor<3x7xf32>",
                    "%0 = stablehlo.pad %a, %v, low = [-1, 0], high = [-2, -1], interior = [0, 0] "
                    ": (tensor<6x8xf32>, tensor<f32>) -> tensor<3x7xf32>\n"
                    "return %0 : tensor<3x7xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[3,7] = strided_copy{[3,7] from [8,1]+8 to [7,1]+0}"
                          "(argument0 f32[6,8])"));
}

// One row below, none above; two columns to the left, one to the right.
TEST(LowerMovement, LargePadFillsItsEdges) {
  const auto executable =
      compiled_main("(%a: tensor<200x300xf32>, %v: tensor<f32>) -> tensor<201x303xf32>",
                    "%0 = stablehlo.pad %a, %v, low = [1, 2], high = [0, 1], interior = [0, 0] : "
                    "(tensor<200x300xf32>, tensor<f32>) -> tensor<201x303xf32>\n"
                    "return %0 : tensor<201x303xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre(HasSubstr("strided_copy{[303] from [0]+0 to [1]+0}(argument1 f32[])"),
                          HasSubstr("strided_copy{[200,2] from [0,0]+0 to [303,1]+303}"),
                          HasSubstr("strided_copy{[200] from [0]+0 to [303]+605}"),
                          HasSubstr("strided_copy{[200,300] from [300,1]+0 to [303,1]+305}")));
}

TEST(LowerMovement, ConstantsAreSharedAndAligned) {
  const auto executable =
      compiled_main("() -> (tensor<2xf32>, tensor<2xf32>, tensor<3xi32>)",
                    "%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
                    "%1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
                    "%2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>\n"
                    "return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<3xi32>");
  EXPECT_THAT(
      lines(executable),
      ElementsAre("result0 f32[2] = strided_copy{[2] from [1]+0 to [1]+0}(constant+0 f32[2])",
                  "result1 f32[2] = strided_copy{[2] from [1]+0 to [1]+0}(constant+0 f32[2])",
                  "result2 i32[3] = strided_copy{[3] from [1]+0 to [1]+0}(constant+64 i32[3])"));
  EXPECT_EQ(executable.constants.size(), 64u + 12u);
}

TEST(LowerMovement, SplatConstantIsOneElement) {
  const auto executable =
      compiled_main("() -> tensor<1000x1000xf32>",
                    "%0 = stablehlo.constant dense<1.5> : tensor<1000x1000xf32>\n"
                    "return %0 : tensor<1000x1000xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[1000,1000] = fill(constant+0 f32[])"));
  EXPECT_EQ(executable.constants.size(), 4u);
}

TEST(LowerMovement, ReturnedArgumentsAreCopied) {
  const auto executable = compiled_main("(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)",
                                        "return %a, %a : tensor<2xf32>, tensor<2xf32>");
  EXPECT_EQ(lines(executable).size(), 2u);
  EXPECT_EQ(executable.temporary_bytes, 0u);
}

TEST(LowerMovement, EmptyTensorsNeedNoInstruction) {
  const auto executable =
      compiled_main("(%a: tensor<0x3xf32>) -> tensor<0x3xf32>",
                    "%0 = stablehlo.negate %a : tensor<0x3xf32>\nreturn %0 : tensor<0x3xf32>");
  EXPECT_TRUE(executable.code.empty());
}

TEST(LowerMovement, BitcastConvertOfPackedTypesIsAView) {
  const auto executable =
      compiled_main("(%a: tensor<3xui32>) -> tensor<3xf32>",
                    "%0 = stablehlo.bitcast_convert %a : (tensor<3xui32>) -> tensor<3xf32>\n"
                    "%1 = stablehlo.negate %0 : tensor<3xf32>\nreturn %1 : tensor<3xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[3] = unary{negate}(argument0 f32[3])"));
}

}  // namespace
}  // namespace understudy::program
