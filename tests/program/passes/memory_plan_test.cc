// SPDX-License-Identifier: Apache-2.0
#include "program/executable/memory_plan.h"

#include <gmock/gmock.h>

#include "compiled.h"

namespace understudy::program {
namespace {

TEST(MemoryPlan, SumsWhatALaunchNeeds) {
  const Executable executable = compiled_main(
      "(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32>",
      "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
      "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
      "%1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
      "tensor<8x8xf32>) -> tensor<8x8xf32>\nreturn %1 : tensor<8x8xf32>");
  const MemoryPlan plan = memory_plan(executable);
  EXPECT_EQ(plan.arguments, 512U);
  EXPECT_EQ(plan.results, 256U);
  EXPECT_EQ(plan.temporaries, 256U);
  EXPECT_EQ(plan.conditional, 0U);
  EXPECT_EQ(plan.regions, 5U);
  EXPECT_GT(plan.instructions, 2U * 3 * sizeof(Buffer));
  EXPECT_EQ(plan.hbm(), 1024 + plan.code());
  EXPECT_EQ(image_of(executable).size(), plan.code());
}

}  // namespace
}  // namespace understudy::program
