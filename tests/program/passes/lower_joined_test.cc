// SPDX-License-Identifier: Apache-2.0
// What reads the parts of joined and broadcast arrays instead of the whole, and argmax. That
// results stay: tests/ops/stacks.mlir.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Columns 3 and 4 of [a a b b b]: the last two of b, which alone is read; nothing is joined.
TEST(LowerJoined, SliceOfAJoinedArrayReadsThePiece) {
  const auto executable = compiled_main(
      "(%a: tensor<4x2xf32>, %b: tensor<4x3xf32>) -> tensor<2x2xf32>",
      "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x2xf32>, tensor<4x3xf32>) -> "
      "tensor<4x5xf32>\n"
      "%1 = stablehlo.slice %0 [0:4:2, 3:5] : (tensor<4x5xf32>) -> tensor<2x2xf32>\n"
      "return %1 : tensor<2x2xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[2,2] = strided_copy{[2,2] from [6,1]+1 to [2,1]+0}"
                          "(argument1 f32[4,3])"));
}

// What a scan stacks and its gradient takes apart, through a call and an array of no elements.
TEST(LowerJoined, SliceOfStackedRowsReadsTheRow) {
  const auto executable = compiled_main(
      "(%a: tensor<1x3xf32>, %b: tensor<1x3xf32>, %e: tensor<0x3xf32>) -> tensor<3xf32>",
      "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>) -> "
      "tensor<2x3xf32>\n"
      "%1 = stablehlo.concatenate %e, %0, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> "
      "tensor<2x3xf32>\n"
      "%2 = stablehlo.slice %1 [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>\n"
      "%3 = stablehlo.reshape %2 : (tensor<1x3xf32>) -> tensor<3xf32>\n"
      "%4 = stablehlo.negate %3 : tensor<3xf32>\n"
      "return %4 : tensor<3xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[3] = unary{negate}(argument1 f32[3])"));
}

// Elements 1 and 3 of [a a b b]: one of each.
TEST(LowerJoined, SliceOfSeveralPiecesReadsTheJoinedArray) {
  const auto executable = compiled_main(
      "(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32>",
      "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> "
      "tensor<4xf32>\n"
      "%1 = stablehlo.slice %0 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>\n"
      "return %1 : tensor<2xf32>");
  EXPECT_THAT(lines(executable)[2], HasSubstr("f32[2] = strided_copy{[2] from [2]+1 to [1]+0}"
                                              "(temporary+0 f32[4])"));
}

// Columns of a joined 4 x 5 array, each slice of both pieces: two are made of pieces, of three the
// array is made and sliced.
TEST(LowerJoined, ManySlicesOfSeveralPiecesReadTheJoinedArray) {
  const auto copies = [](int slices) {
    std::string text =
        "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x2xf32>, tensor<4x3xf32>) -> "
        "tensor<4x5xf32>\n";
    std::string sum = "%s0";
    for (int s = 0; s < slices; ++s) {
      text += fmt::format(
          "%s{} = stablehlo.slice %0 [0:4, 1:3] : (tensor<4x5xf32>) -> tensor<4x2xf32>\n", s);
      if (s == 0) continue;
      text += fmt::format("%t{0} = stablehlo.multiply {1}, %s{0} : tensor<4x2xf32>\n", s, sum);
      sum = fmt::format("%t{}", s);
    }
    const auto executable =
        compiled_main("(%a: tensor<4x2xf32>, %b: tensor<4x3xf32>) -> tensor<4x2xf32>",
                      text + "return " + sum + " : tensor<4x2xf32>");
    return std::ranges::count_if(lines(executable), [](const std::string& line) {
      return line.find("f32[4,5] = strided_copy") != std::string::npos;
    });
  };
  EXPECT_EQ(copies(2), 0);
  EXPECT_EQ(copies(3), 2);
}

// 4 x 5 arrays of %a and %b, both 4 x 2, between columns of `around`: %a from column 0 on, %b from
// column `second` on.
std::vector<std::string> sum_of_padded(int second, const std::string& around = "0.0") {
  const std::string types = " : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x5xf32>\n";
  return lines(compiled_main(
      "(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>) -> tensor<4x5xf32>",
      "%z = stablehlo.constant dense<" + around +
          "> : tensor<f32>\n"
          "%0 = stablehlo.pad %a, %z, low = [0, 0], high = [0, 3], interior = [0, 0]" +
          types + "%1 = stablehlo.pad %b, %z, low = [0, " + std::to_string(second) +
          "], high = [0, " + std::to_string(3 - second) + "], interior = [0, 0]" + types +
          "%2 = stablehlo.add %0, %1 : tensor<4x5xf32>\nreturn %2 : tensor<4x5xf32>"));
}

// The gradient of a split: nothing is padded, and only the parts are added to 0.
TEST(LowerJoined, SumsOfArraysPaddedApartAreJoined) {
  for (const int second : {2, 3}) {
    const auto code = sum_of_padded(second);
    EXPECT_THAT(code, Contains(HasSubstr("f32[4,2] = binary{add}(argument0")));
    EXPECT_THAT(code, Contains(HasSubstr("f32[4,2] = binary{add}(argument1")));
    EXPECT_THAT(code, Not(Contains(HasSubstr("f32[4,5] = binary{add}"))));
  }
}

TEST(LowerJoined, SumsOfOverlappingArraysAndOfOtherPaddingStay) {
  EXPECT_THAT(sum_of_padded(1), Contains(HasSubstr("f32[4,5] = binary{add}")));
  EXPECT_THAT(sum_of_padded(3, "1.0"), Contains(HasSubstr("f32[4,5] = binary{add}")));
  EXPECT_THAT(sum_of_padded(3, "-0.0"), Contains(HasSubstr("f32[4,5] = binary{add}")));
}

// Numbers of rows of 2 x 2, and every other number: padded along one dimension in another shape.
TEST(LowerJoined, SumsOfArraysPaddedApartInAnotherShapeAreJoined) {
  const auto executable = compiled_main(
      "(%a: tensor<3x1x1xi32>, %b: tensor<3x1x1xi32>) -> tensor<3x2x2xi32>",
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%p = stablehlo.pad %a, %z, low = [0, 1, 0], high = [0, 0, 1], interior = [0, 0, 0] : "
      "(tensor<3x1x1xi32>, tensor<i32>) -> tensor<3x2x2xi32>\n"
      "%q = stablehlo.pad %b, %z, low = [0, 0, 1], high = [0, 1, 0], interior = [0, 0, 0] : "
      "(tensor<3x1x1xi32>, tensor<i32>) -> tensor<3x2x2xi32>\n"
      "%s = stablehlo.add %p, %q : tensor<3x2x2xi32>\n"
      "return %s : tensor<3x2x2xi32>");
  EXPECT_THAT(lines(executable),
              ElementsAre(HasSubstr("fill"), HasSubstr("fill"),
                          HasSubstr("strided_copy{[3] from [1]+0 to [4]+0}(temporary"),
                          HasSubstr("strided_copy{[3] from [1]+0 to [4]+1}(argument1"),
                          HasSubstr("strided_copy{[3] from [1]+0 to [4]+2}(argument0"),
                          HasSubstr("strided_copy{[3] from [1]+0 to [4]+3}(temporary")));
  const auto apart = compiled_main(
      "(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<6xi32>",
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%p = stablehlo.pad %a, %z, low = [1], high = [0], interior = [1] : (tensor<3xi32>, "
      "tensor<i32>) -> tensor<6xi32>\n"
      "%q = stablehlo.pad %b, %z, low = [0], high = [1], interior = [1] : (tensor<3xi32>, "
      "tensor<i32>) -> tensor<6xi32>\n"
      "%s = stablehlo.add %p, %q : tensor<6xi32>\n"
      "return %s : tensor<6xi32>");
  EXPECT_THAT(lines(apart),
              ElementsAre(HasSubstr("strided_copy{[3] from [1]+0 to [2]+0}(argument1"),
                          HasSubstr("strided_copy{[3] from [1]+0 to [2]+1}(argument0")));
}

TEST(LowerJoined, OneArrayAgainAndAgainIsCopiedOnce) {
  EXPECT_THAT(
      lines(compiled_main("(%a: tensor<4x2xf32>) -> tensor<4x6xf32>",
                          "%0 = stablehlo.concatenate %a, %a, %a, dim = 1 : (tensor<4x2xf32>, "
                          "tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>\n"
                          "return %0 : tensor<4x6xf32>")),
      ElementsAre("result0 f32[4,6] = strided_copy{[4,3,2] from [2,0,1]+0 to "
                  "[6,2,1]+0}(argument0 f32[4,2])"));
}

// The gradient of a sum of windows of 2, and windows of 3 over the same.
TEST(LowerJoined, SumsOfWindowsWithOneElementRepeatIt) {
  const auto windows = [](int size) {
    const std::string result = "tensor<" + std::to_string(10 - size) + "xi32>";
    return lines(compiled_main(
        "(%x: tensor<4xi32>) -> " + result,
        "%z = stablehlo.constant dense<0> : tensor<i32>\n"
        "%p = stablehlo.pad %x, %z, low = [1], high = [1], interior = [1] : (tensor<4xi32>, "
        "tensor<i32>) -> tensor<9xi32>\n"
        "%w = \"stablehlo.reduce_window\"(%p, %z) <{window_dimensions = array<i64: " +
            std::to_string(size) +
            ">}> ({\n^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
            "  %s = stablehlo.add %a, %b : tensor<i32>\n  stablehlo.return %s : tensor<i32>\n}) : "
            "(tensor<9xi32>, tensor<i32>) -> " +
            result + "\nreturn %w : " + result));
  };
  EXPECT_THAT(windows(2), ElementsAre("result0 i32[4,2] = strided_copy{[4,2] from [1,0]+0 to "
                                      "[2,1]+0}(argument0 i32[4])"));
  EXPECT_THAT(windows(3), Contains(HasSubstr("binary{add}")));  // slices are added
}

// Columns 1 to 3 of [a a b b]: two of b and one of a, side by side. Rows are a view of the array.
TEST(LowerJoined, SliceOfSeveralPiecesIsMadeOfThese) {
  const auto slice_of = [](int dimension, const std::string& joined, const std::string& slice) {
    return lines(
        compiled_main("(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32>",
                      "%0 = stablehlo.concatenate %a, %b, dim = " + std::to_string(dimension) +
                          " : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<" + joined +
                          "xf32>\n%1 = stablehlo.slice %0 " + slice + " : (tensor<" + joined +
                          "xf32>) -> tensor<4x4xf32>\n"
                          "%2 = stablehlo.sine %1 : tensor<4x4xf32>\nreturn %2 : tensor<4x4xf32>"));
  };
  EXPECT_THAT(slice_of(1, "4x8", "[0:4, 3:7]"),
              ElementsAre(HasSubstr("f32[4,4] = strided_copy{[4] from [4]+3 to [4]+0}(argument0"),
                          HasSubstr("f32[4,4] = strided_copy{[4,3] from [4,1]+0 to [4,1]+1}"
                                    "(argument1"),
                          HasSubstr("unary{sine}")));
  EXPECT_THAT(slice_of(0, "8x4", "[3:7, 0:4]"),
              ElementsAre(HasSubstr("(argument0"), HasSubstr("(argument1"),
                          HasSubstr("unary{sine}(temporary+48 f32[4,4])")));
}

// The shift of tokens: jnp.pad, then all columns but the last.
TEST(LowerJoined, SliceOfPaddingIsMadeOfWhatWasPadded) {
  EXPECT_THAT(
      lines(compiled_main("(%x: tensor<4x4xf32>) -> tensor<4x4xf32>",
                          "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                          "%0 = stablehlo.pad %x, %z, low = [0, 1], high = [0, 0], interior = [0, "
                          "0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x5xf32>\n"
                          "%1 = stablehlo.slice %0 [0:4, 0:4] : (tensor<4x5xf32>) -> "
                          "tensor<4x4xf32>\nreturn %1 : tensor<4x4xf32>")),
      ElementsAre(HasSubstr("f32[4,1] = fill(constant"), HasSubstr("result0 f32[4,4]"),
                  HasSubstr("result0 f32[4,4] = strided_copy{[4,3] from [4,1]+0 to [4,1]+1}"
                            "(argument0")));
}

// Row 1 of the transpose of rows that are all %c: its second element, repeated; and all columns.
TEST(LowerJoined, PartsOfBroadcastsReadWhatWasBroadcast) {
  const auto part = [](const std::string& slice, const std::string& type) {
    return lines(compiled_main(
        "(%c: tensor<3xf32>) -> " + type,
        "%0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>\n"
        "%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>\n"
        "%2 = stablehlo.slice %1 " +
            slice + " : (tensor<3x5xf32>) -> " + type + "\nreturn %2 : " + type));
  };
  EXPECT_THAT(part("[1:2, 0:5]", "tensor<1x5xf32>"),
              ElementsAre("result0 f32[1,5] = fill(argument0+4 f32[])"));
  EXPECT_THAT(part("[1:3, 0:5:2]", "tensor<2x3xf32>"),
              ElementsAre("result0 f32[2,3] = strided_copy{[2,3] from [1,0]+1 to [3,1]+0}"
                          "(argument0 f32[3])"));
}

// The update may overwrite %c, which would otherwise be read after it.
TEST(LowerJoined, PartsOfBroadcastsFromBeforeAnUpdateReadThose) {
  const auto executable = compiled_main(
      "(%c: tensor<3xf32>, %u: tensor<1xf32>, %i: tensor<i32>) -> (tensor<2x3xf32>, "
      "tensor<3xf32>)",
      "%0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>\n"
      "%y = stablehlo.dynamic_update_slice %c, %u, %i : (tensor<3xf32>, tensor<1xf32>, "
      "tensor<i32>) -> tensor<3xf32>\n"
      "%1 = stablehlo.slice %0 [0:2, 0:3] : (tensor<5x3xf32>) -> tensor<2x3xf32>\n"
      "%2 = stablehlo.negate %1 : tensor<2x3xf32>\n"
      "return %2, %y : tensor<2x3xf32>, tensor<3xf32>");
  EXPECT_THAT(lines(executable), Contains(HasSubstr("negate}(temporary+0 f32[2,3])")));
}

// As bytes, [a b] has the shape of its own, but not its elements: bytes 4 to 7 are those of a.
TEST(LowerJoined, SliceOfTheBytesOfAJoinedArrayReadsThat) {
  const auto executable = compiled_main(
      "(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi8>",
      "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> "
      "tensor<8xf32>\n"
      "%1 = stablehlo.bitcast_convert %0 : (tensor<8xf32>) -> tensor<8x4xi8>\n"
      "%2 = stablehlo.slice %1 [0:2, 0:4] : (tensor<8x4xi8>) -> tensor<2x4xi8>\n"
      "%3 = stablehlo.reshape %2 : (tensor<2x4xi8>) -> tensor<8xi8>\n"
      "%4 = stablehlo.slice %3 [4:8] : (tensor<8xi8>) -> tensor<4xi8>\n"
      "%5 = stablehlo.negate %4 : tensor<4xi8>\n"
      "return %5 : tensor<4xi8>");
  EXPECT_THAT(lines(executable).back(), HasSubstr("negate}(temporary+4 i8[4])"));
}

// A reshape in between is another array.
TEST(LowerJoined, SliceOfAReshapedJoinedArrayReadsThat) {
  const auto executable = compiled_main(
      "(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<1x4xf32>",
      "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
      "tensor<2x4xf32>\n"
      "%1 = stablehlo.reshape %0 : (tensor<2x4xf32>) -> tensor<2x1x4xf32>\n"
      "%2 = stablehlo.slice %1 [0:1, 0:1, 0:4] : (tensor<2x1x4xf32>) -> tensor<1x1x4xf32>\n"
      "%3 = stablehlo.reshape %2 : (tensor<1x1x4xf32>) -> tensor<1x4xf32>\n"
      "return %3 : tensor<1x4xf32>");
  EXPECT_THAT(lines(executable).back(), HasSubstr("(temporary+0 f32[1,4])"));
}

// As above: the update may overwrite x.
TEST(LowerJoined, SliceReadsNoPieceFromBeforeAnUpdate) {
  const auto executable = compiled_main(
      "(%x: tensor<2x3xf32>, %u: tensor<1x3xf32>, %i: tensor<i32>) -> (tensor<2x3xf32>, "
      "tensor<2x3xf32>)",
      "%0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
      "tensor<4x3xf32>\n"
      "%y = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<1x3xf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<2x3xf32>\n"
      "%1 = stablehlo.slice %0 [2:4, 0:3] : (tensor<4x3xf32>) -> tensor<2x3xf32>\n"
      "%2 = stablehlo.negate %1 : tensor<2x3xf32>\n"
      "return %2, %y : tensor<2x3xf32>, tensor<2x3xf32>");
  EXPECT_THAT(lines(executable), Contains(HasSubstr("negate}(temporary+24 f32[2,3])")));
}

// As jax.numpy writes argmax; `index` makes %i, the numbers of the elements of %a.
std::vector<std::string> argmax_with(const std::string& index, const std::string& better = "GT",
                                     const std::string& result = "%p2",
                                     const std::string& compared = "%p, %q") {
  return lines(compiled_main(
      "(%a: tensor<4x8xf32>, %n: tensor<4x8xi32>, %v: tensor<f32>, %w: tensor<i32>) -> "
      "tensor<4xi32>",
      index +
          "%0:2 = stablehlo.reduce(%a init: %v), (%i init: %w) across dimensions = [1] : "
          "(tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, "
          "tensor<4xi32>)\n"
          " reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {\n"
          "  %c = stablehlo.compare " +
          better + ", " + compared +
          " : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
          "  %d = stablehlo.compare NE, %p, %p : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
          "  %e = stablehlo.or %c, %d : tensor<i1>\n"
          "  %f = stablehlo.compare EQ, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
          "  %g = stablehlo.compare LT, %r, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "  %h = stablehlo.and %f, %g : tensor<i1>\n"
          "  %k = stablehlo.or %e, %h : tensor<i1>\n"
          "  %p2 = stablehlo.select %e, %p, %q : tensor<i1>, tensor<f32>\n"
          "  %r2 = stablehlo.select %k, %r, %s : tensor<i1>, tensor<i32>\n"
          "  stablehlo.return " +
          result + ", %r2 : tensor<f32>, tensor<i32>\n }\nreturn %0#1 : tensor<4xi32>"));
}

TEST(LowerJoined, ArgmaxAlongTheCountedDimensionIsWorkOfItsOwn) {
  const std::string counted = "%i = stablehlo.iota dim = 1 : tensor<4x8xi32>\n";
  EXPECT_THAT(argmax_with(counted),
              ElementsAre("temporary+0 f32[4], result0 i32[4] = arg_reduce{largest over 1}"
                          "(argument0 f32[4,8], argument2 f32[], argument3 i32[])"));
  EXPECT_THAT(argmax_with(counted, "LT"), ElementsAre(HasSubstr("arg_reduce{smallest over 1}")));
  const auto has_body = Contains(HasSubstr("reduce{body over [1]}"));
  EXPECT_THAT(argmax_with(counted, "GE"), has_body);
  EXPECT_THAT(argmax_with(counted, "GT", "%p"), has_body);
  EXPECT_THAT(argmax_with(counted, "GT", "%p2", "%q, %p"), has_body);
  EXPECT_THAT(argmax_with("%i = stablehlo.iota dim = 0 : tensor<4x8xi32>\n"), has_body);
  EXPECT_THAT(argmax_with("%i = stablehlo.negate %n : tensor<4x8xi32>\n"), has_body);
  // The bits of the floats 0, 1, ... are no positions.
  EXPECT_THAT(argmax_with("%j = stablehlo.iota dim = 1 : tensor<4x8xf32>\n"
                          "%i = stablehlo.bitcast_convert %j : (tensor<4x8xf32>) -> "
                          "tensor<4x8xi32>\n"),
              has_body);
}

// Two rows, joined; the body is in `steps`, from %p and %q to %r.
std::vector<std::string> stack_reduced_by(const std::string& steps) {
  return lines(compiled_main(
      "(%a: tensor<1x8xf32>, %b: tensor<1x8xf32>, %v: tensor<f32>) -> tensor<8xf32>",
      "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x8xf32>, tensor<1x8xf32>) -> "
      "tensor<2x8xf32>\n"
      "%1 = \"stablehlo.reduce\"(%0, %v) <{dimensions = array<i64: 0>}> ({\n"
      " ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n" +
          steps +
          "  stablehlo.return %r : tensor<f32>\n}) : (tensor<2x8xf32>, tensor<f32>) -> "
          "tensor<8xf32>\nreturn %1 : tensor<8xf32>"));
}

TEST(LowerJoined, StacksAreReducedByStepsOnTheirArrays) {
  EXPECT_THAT(stack_reduced_by("%r = stablehlo.add %p, %q : tensor<f32>\n"),
              ElementsAre("temporary+0 f32[8] = fill(argument2 f32[])",
                          "temporary+0 f32[8] = binary{add}(temporary+0 f32[8], argument0 f32[8])",
                          "result0 f32[8] = binary{add}(temporary+0 f32[8], argument1 f32[8])"));
}

// Sums along the stack, of arrays that were converted.
TEST(LowerJoined, CumulativeSumsOfStacksAreSums) {
  const auto sums = [](const std::string& start) {
    return lines(compiled_main(
        "(%a: tensor<8x1xi1>, %b: tensor<8x1xi1>) -> tensor<8xi32>",
        "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<8x1xi1>, tensor<8x1xi1>) -> "
        "tensor<8x2xi1>\n"
        "%1 = stablehlo.convert %0 : (tensor<8x2xi1>) -> tensor<8x2xi32>\n"
        "%v = stablehlo.constant dense<" +
            start +
            "> : tensor<i32>\n"
            "%2 = \"stablehlo.reduce_window\"(%1, %v) <{padding = dense<[[0, 0], [1, 0]]> : "
            "tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>}> ({\n"
            " ^bb0(%p: tensor<i32>, %q: tensor<i32>):\n"
            "  %r = stablehlo.add %p, %q : tensor<i32>\n"
            "  stablehlo.return %r : tensor<i32>\n}) : (tensor<8x2xi32>, tensor<i32>) -> "
            "tensor<8x2xi32>\n"
            "%3 = stablehlo.slice %2 [0:8, 1:2] : (tensor<8x2xi32>) -> tensor<8x1xi32>\n"
            "%4 = stablehlo.reshape %3 : (tensor<8x1xi32>) -> tensor<8xi32>\n"
            "return %4 : tensor<8xi32>"));
  };
  EXPECT_THAT(sums("0"), ElementsAre("temporary+0 i32[8,1] = convert(argument0 i1[8,1])",
                                     "temporary+64 i32[8,1] = convert(argument1 i1[8,1])",
                                     HasSubstr("binary{add}(temporary+0 i32[8,1], temporary+64")));
  EXPECT_THAT(sums("1"), Contains(HasSubstr("reduce_window{sum over [1,2]}")));
}

// The comparison is of integers in the same bytes.
TEST(LowerJoined, BitcastsOfScalarsAreThoseOfArrays) {
  const auto all = stack_reduced_by(
      "%i = stablehlo.bitcast_convert %p : (tensor<f32>) -> tensor<i32>\n"
      "%j = stablehlo.bitcast_convert %q : (tensor<f32>) -> tensor<i32>\n"
      "%c = stablehlo.compare GT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "%r = stablehlo.select %c, %p, %q : tensor<i1>, tensor<f32>\n");
  EXPECT_THAT(all, Contains(HasSubstr("compare{gt}(temporary+0 i32[8], argument0 i32[8])")));
  EXPECT_THAT(all, Contains(HasSubstr("f32[8], argument1 f32[8])")));
}

}  // namespace
}  // namespace understudy::program
