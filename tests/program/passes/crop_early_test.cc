// SPDX-License-Identifier: Apache-2.0
// Which element-wise work is done on the parts that are read. That results keep their bits:
// tests/worker.
#include <algorithm>
#include <fmt/format.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// %p, a padded %x of 3 x 4, and %m, twice that; `slice` makes %s of %m (5 x 6 unless it says so).
std::vector<std::string> cropped(const std::string& slice, const std::string& result = "3x4",
                                 const std::string& more = "", bool crops = true) {
  CompileOptions options = unfused();
  if (!crops) options.disabled_passes.emplace_back("crop-early");
  return lines(compiled(
      "func.func public @main(%x: tensor<3x4xf32>, %y: tensor<5x6xf32>) -> tensor<" + result +
          "xf32> {\n"
          "%z = stablehlo.constant dense<0.5> : tensor<f32>\n"
          "%c = stablehlo.constant dense<2.0> : tensor<5x6xf32>\n"
          "%p = stablehlo.pad %x, %z, low = [1, 1], high = [1, 1], interior = [0, "
          "0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<5x6xf32>\n" +
          (more.empty() ? "%m = stablehlo.multiply %c, %p : tensor<5x6xf32>\n" : more) +
          "%s = stablehlo.slice %m " + slice + " : (tensor<5x6xf32>) -> tensor<" + result +
          "xf32>\nreturn %s : tensor<" + result + "xf32>\n}\n",
      options));
}
const std::string kMiddle = "[1:4, 1:5]";
const auto kWide = Contains(HasSubstr("[5,6]"));

TEST(CropEarly, TheMiddleOfAPadIsWhatWasPadded) {
  EXPECT_THAT(cropped(kMiddle, "3x4", "", false), kWide);
  const auto code = cropped(kMiddle);
  EXPECT_THAT(code, Not(kWide));
  EXPECT_THAT(code, Not(Contains(HasSubstr("strided_copy"))));
  EXPECT_THAT(code.back(), HasSubstr("argument0 f32[3,4]"));
}

TEST(CropEarly, APartOfTheMiddleIsASlice) {
  const auto code = cropped("[2:4, 2:4]", "2x2");
  EXPECT_THAT(code, Not(kWide));
  EXPECT_THAT(code, Contains(HasSubstr("strided_copy{[2,2] from [4,1]+5 to [2,1]+0}(argument0")));
}

TEST(CropEarly, ChainsOfSeveralTypesKeepTheirOrder) {
  const auto code = cropped(kMiddle, "3x4",
                            "%0 = stablehlo.exponential %p : tensor<5x6xf32>\n"
                            "%1 = stablehlo.convert %0 : (tensor<5x6xf32>) -> tensor<5x6xf16>\n"
                            "%2 = stablehlo.negate %1 : tensor<5x6xf16>\n"
                            "%3 = stablehlo.convert %2 : (tensor<5x6xf16>) -> tensor<5x6xf32>\n"
                            "%m = stablehlo.subtract %3, %c : tensor<5x6xf32>\n");
  EXPECT_THAT(code, Not(kWide));
  ASSERT_GE(code.size(), 5U);
  EXPECT_THAT(code[0], HasSubstr("exponential"));
  EXPECT_THAT(code.back(), HasSubstr("subtract"));
}

TEST(CropEarly, WhatReachesIntoThePaddingStays) {
  for (const std::string slice : {"[0:3, 1:5]", "[1:4, 2:6]", "[2:5, 1:5]"})
    EXPECT_THAT(cropped(slice), kWide) << slice;
}

TEST(CropEarly, OtherStridesStay) { EXPECT_THAT(cropped("[1:4:2, 1:5:3]", "2x2"), kWide); }

TEST(CropEarly, EachArrayOfAStepIsCropped) {
  const auto two = cropped(kMiddle, "3x4", "%m = stablehlo.multiply %y, %p : tensor<5x6xf32>\n");
  EXPECT_THAT(two, Not(Contains(HasSubstr("= binary{multiply}(argument1 f32[5,6]"))));
  EXPECT_THAT(two.front(),
              HasSubstr("f32[3,4] = strided_copy{[3,4] from [6,1]+7 to [4,1]+0}(argument1"));
  EXPECT_THAT(two.back(), HasSubstr("argument0 f32[3,4])"));
  EXPECT_THAT(cropped(kMiddle, "3x4", "%m = stablehlo.multiply %p, %p : tensor<5x6xf32>\n"),
              ElementsAre("result0 f32[3,4] = binary{multiply}(argument0 f32[3,4], argument0 "
                          "f32[3,4])"));
}

// The results of @main with that signature and body.
std::vector<std::string> cut(const std::string& signature, const std::string& body) {
  return lines(compiled("func.func public @main" + signature + " {\n" + body + "\n}\n"));
}

TEST(CropEarly, WhatOthersReadStays) {
  const auto code =
      cut("(%x: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<3x4xf32>)",
          "%m = stablehlo.exponential %x : tensor<5x6xf32>\n"
          "%s = stablehlo.slice %m [1:4, 1:5] : (tensor<5x6xf32>) -> tensor<3x4xf32>\n"
          "return %m, %s : tensor<5x6xf32>, tensor<3x4xf32>");
  EXPECT_THAT(code, Contains(HasSubstr("exponential}(argument0 f32[5,6])")));
}

// As in the gradient of a concatenation: the first rows, which are a view, and columns.
TEST(CropEarly, PartsOfJoinedArraysAreThePieces) {
  const std::string types = " : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<";
  EXPECT_THAT(cut("(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32>",
                  "%j = stablehlo.concatenate %a, %b, dim = 0" + types +
                      "8x3xf32>\n"
                      "%m = stablehlo.exponential %j : tensor<8x3xf32>\n"
                      "%s = stablehlo.slice %m [0:4, 0:3] : (tensor<8x3xf32>) -> tensor<4x3xf32>\n"
                      "return %s : tensor<4x3xf32>"),
              ElementsAre("result0 f32[4,3] = unary{exponential}(argument0 f32[4,3])"));
  EXPECT_THAT(cut("(%a: tensor<4x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32>",
                  "%j = stablehlo.concatenate %a, %b, dim = 1" + types +
                      "4x6xf32>\n"
                      "%m = stablehlo.exponential %j : tensor<4x6xf32>\n"
                      "%s = stablehlo.slice %m [0:4, 3:6] : (tensor<4x6xf32>) -> tensor<4x3xf32>\n"
                      "return %s : tensor<4x3xf32>"),
              ElementsAre("result0 f32[4,3] = unary{exponential}(argument1 f32[4,3])"));
}

// A dynamic slice at the place of an update, and at another place.
TEST(CropEarly, TheSliceOfAnUpdateIsTheUpdate) {
  const auto at = [](const std::string& start) {
    return cut(
        "(%x: tensor<9xf32>, %u: tensor<4xf32>, %i: tensor<i32>, %k: tensor<i32>) -> tensor<4xf32>",
        "%p = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<9xf32>, tensor<4xf32>, "
        "tensor<i32>) -> tensor<9xf32>\n"
        "%m = stablehlo.exponential %p : tensor<9xf32>\n"
        "%s = stablehlo.dynamic_slice %m, " +
            start +
            ", sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>\n"
            "return %s : tensor<4xf32>");
  };
  EXPECT_THAT(at("%i"), ElementsAre("result0 f32[4] = unary{exponential}(argument1 f32[4])"));
  const auto other = at("%k");
  EXPECT_THAT(other.back(), HasSubstr("f32[4] = unary{exponential}"));
  EXPECT_THAT(other, Contains(HasSubstr("f32[4] = dynamic_slice(")));
}

// Both halves of a large array, and all of it but a column; of a small one.
TEST(CropEarly, SeveralPartsAreComputedOnTheirOwn) {
  const auto halves = [](const std::string& rows) {
    const std::string half = "tensor<" + rows + "x64xf32>", whole = "tensor<" + rows + "x128xf32>";
    return cut("(%a: " + half + ", %b: " + half + ") -> " + half,
               "%j = stablehlo.concatenate %a, %b, dim = 1 : (" + half + ", " + half + ") -> " +
                   whole + "\n%m = stablehlo.exponential %j : " + whole +
                   "\n%s = stablehlo.slice %m [0:" + rows + ", 0:64] : (" + whole + ") -> " + half +
                   "\n%t = stablehlo.slice %m [0:" + rows + ", 64:128] : (" + whole + ") -> " +
                   half + "\n%r = stablehlo.add %s, %t : " + half + "\nreturn %r : " + half);
  };
  const auto code = halves("256");
  EXPECT_THAT(code, Not(Contains(HasSubstr("[256,128]"))));
  EXPECT_THAT(code, Contains(HasSubstr("exponential}(argument0 f32[256,64])")));
  EXPECT_THAT(code, Contains(HasSubstr("exponential}(argument1 f32[256,64])")));
  EXPECT_THAT(halves("4"), Contains(HasSubstr("[4,128]")));
}

// Differences of neighbours of differences: of large rows the first ones are computed twice, where
// they take no more than two steps of arithmetic.
TEST(CropEarly, CheapPartsThatOverlapAreComputedTwice) {
  const auto differences = [](const std::string& function, int columns) {
    const auto type = [&](int fewer) { return fmt::format("tensor<16x{}xf32>", columns - fewer); };
    const auto slice = [&](const char* name, const char* from, int first, int fewer) {
      return fmt::format("%{} = stablehlo.slice %{} [0:16, {}:{}] : ({}) -> {}\n", name, from,
                         first, columns - fewer + first, type(fewer - 1), type(fewer));
    };
    return cut("(%x: " + type(0) + ") -> " + type(2),
               slice("a", "x", 1, 1) + slice("b", "x", 0, 1) + "%d = stablehlo." + function +
                   " %a, %b : " + type(1) + "\n" + slice("s", "d", 1, 2) + slice("t", "d", 0, 2) +
                   "%r = stablehlo.subtract %s, %t : " + type(2) + "\nreturn %r : " + type(2));
  };
  const auto whole = [](int columns) {
    return Contains(HasSubstr(fmt::format("f32[16,{}] = binary", columns - 1)));
  };
  EXPECT_THAT(differences("subtract", 16384), Not(whole(16384)));
  EXPECT_THAT(differences("divide", 16384), whole(16384));
  EXPECT_THAT(differences("subtract", 4096), whole(4096));  // stays in the cache
}

// One corner of each of two lists of boxes for each pair of them, and its two columns: each column
// is taken of the lists.
TEST(CropEarly, ColumnsOfBroadcastsAreTakenOfTheirOperands) {
  const auto code =
      cut("(%a: tensor<80x2xf32>, %b: tensor<120x2xf32>) -> tensor<80x120xf32>",
          "%c = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<80x2xf32>) -> "
          "tensor<80x120x2xf32>\n"
          "%d = stablehlo.broadcast_in_dim %b, dims = [1, 2] : (tensor<120x2xf32>) -> "
          "tensor<80x120x2xf32>\n"
          "%e = stablehlo.maximum %c, %d : tensor<80x120x2xf32>\n"
          "%f = stablehlo.slice %e [0:80, 0:120, 0:1] : (tensor<80x120x2xf32>) -> "
          "tensor<80x120x1xf32>\n"
          "%g = stablehlo.slice %e [0:80, 0:120, 1:2] : (tensor<80x120x2xf32>) -> "
          "tensor<80x120x1xf32>\n"
          "%h = stablehlo.multiply %f, %g : tensor<80x120x1xf32>\n"
          "%r = stablehlo.reshape %h : (tensor<80x120x1xf32>) -> tensor<80x120xf32>\n"
          "return %r : tensor<80x120xf32>");
  EXPECT_THAT(code, Not(Contains(HasSubstr("[80,120,2]"))));
  for (const char* column : {"f32[80] = strided_copy{[80] from [2]+0 to [1]+0}(argument0",
                             "f32[80] = strided_copy{[80] from [2]+1 to [1]+0}(argument0",
                             "f32[120] = strided_copy{[120] from [2]+0 to [1]+0}(argument1",
                             "f32[120] = strided_copy{[120] from [2]+1 to [1]+0}(argument1"})
    EXPECT_THAT(code, Contains(HasSubstr(column)));
}

TEST(CropEarly, ALoopCropsInItself) {
  const auto code = compiled(
      "func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>) -> "
      "(tensor<4xf32>, tensor<4xf32>) {\n" +
      loop_text("  %c = stablehlo.constant dense<2.0> : tensor<4x4xf32>\n"
                "  %f = stablehlo.constant dense<0.0> : tensor<f32>\n"
                "  %e = stablehlo.exponential %x : tensor<4xf32>\n"
                "  %q = stablehlo.reshape %e : (tensor<4xf32>) -> tensor<2x2xf32>\n"
                "  %p = stablehlo.pad %q, %f, low = [1, 1], high = [1, 1], interior = [0, 0] : "
                "(tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>\n"
                "  %m = stablehlo.multiply %c, %p : tensor<4x4xf32>\n"
                "  %s = stablehlo.slice %m [1:3, 1:3] : (tensor<4x4xf32>) -> tensor<2x2xf32>\n"
                "  %r = stablehlo.reshape %s : (tensor<2x2xf32>) -> tensor<4xf32>\n"
                "  stablehlo.return %2, %r, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n") +
      "return %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>\n}\n");
  EXPECT_THAT(list(code), Not(HasSubstr("f32[4,4]")));
}

}  // namespace
}  // namespace understudy::program
