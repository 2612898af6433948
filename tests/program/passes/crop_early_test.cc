// SPDX-License-Identifier: Apache-2.0
// Which padding is cut off before it is computed with. That results keep their bits: tests/worker.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
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

TEST(CropEarly, WhatOthersReadOrTwoArraysMakeStays) {
  EXPECT_THAT(cropped(kMiddle, "3x4", "%m = stablehlo.multiply %y, %p : tensor<5x6xf32>\n"), kWide);
  EXPECT_THAT(cropped(kMiddle, "3x4", "%m = stablehlo.multiply %p, %p : tensor<5x6xf32>\n"), kWide);
  EXPECT_THAT(cropped(kMiddle, "3x4", "%m = stablehlo.multiply %y, %c : tensor<5x6xf32>\n"), kWide);
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
