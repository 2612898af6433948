// SPDX-License-Identifier: Apache-2.0
// Operations on types that no kernel knows are refused before anything runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

const std::string kTanhOfIntegers =
    "func.func public @main(%a: tensor<4xi32>) -> tensor<4xi32> {\n"
    "  %0 = stablehlo.tanh %a : tensor<4xi32>\n"
    "  %1 = stablehlo.add %0, %a : tensor<4xi32>\n"
    "  %2 = stablehlo.atan2 %1, %a : tensor<4xi32>\n"
    "  return %2 : tensor<4xi32>\n}\n";

TEST(KernelCheck, RefusesAnOperationItsTypeHasNoKernelFor) {
  const std::string why = error_of([] { compiled(kTanhOfIntegers); });
  EXPECT_THAT(why, HasSubstr("test.mlir:2:"));
  EXPECT_THAT(why, HasSubstr("stablehlo.tanh of tensor<4xi32>: no kernel for this type"));
}

TEST(KernelCheck, RefusesItInARegionToo) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32>",
                  "%0 = \"stablehlo.reduce\"(%a, %i) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                  "%s = stablehlo.xor %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) "
                  "{dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
                  "return %0 : tensor<f32>");
  });
  EXPECT_THAT(why, HasSubstr("stablehlo.xor of tensor<f32>: no kernel for this type"));
}

TEST(KernelCheck, AllOfThemAreListed) {
  const auto listed = unsupported_operations(*module_of(kTanhOfIntegers));
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].what, "stablehlo.tanh of tensor<4xi32>: no kernel for this type");
  EXPECT_EQ(listed[1].what, "stablehlo.atan2 of tensor<4xi32>: no kernel for this type");
}

TEST(KernelCheck, FftOfHalfPrecisionIsRefused) {
  const std::string why = error_of([] {
    compiled_main("(%a: tensor<4xf16>) -> tensor<3xcomplex<f32>>",
                  "%0 = \"stablehlo.fft\"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = "
                  "array<i64: 4>} : (tensor<4xf16>) -> tensor<3xcomplex<f32>>\n"
                  "return %0 : tensor<3xcomplex<f32>>");
  });
  EXPECT_THAT(why, HasSubstr("stablehlo.fft of tensor<4xf16>: no kernel for this type"));
}

}  // namespace
}  // namespace understudy::program
