// SPDX-License-Identifier: Apache-2.0
// Names by path, and tolerances where nobody gave any.
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "launcher/run/default_tolerance.h"
#include "launcher/run/parameter_names.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

TEST(PathName, PutsKeysInDots) {
  EXPECT_EQ(path_name("params['layers'][0]['w']"), "params.layers[0].w");
  EXPECT_EQ(path_name("['loss']"), "loss");
  EXPECT_EQ(path_name(".opt.mu"), "opt.mu");
  EXPECT_EQ(path_name("x['two words']"), "x['two words']");
  EXPECT_EQ(path_name("[0]"), "[0]");
  EXPECT_EQ(path_name("x['"), "x['");
  EXPECT_EQ(label_of("argument", 3, "params.w"), "argument 3 (params.w)");
  EXPECT_EQ(label_of("result", 0, ""), "result 0");
}

program::Array array_of(const std::vector<float>& values) {
  program::Array array{{program::ElementType::f32, {static_cast<std::int64_t>(values.size())}},
                       std::vector<std::byte>(values.size() * sizeof(float))};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

TEST(DefaultTolerance, GrowsWithTheRootOfTheProducts) {
  const program::Array want = array_of({2, -2, 2, -2});
  EXPECT_DOUBLE_EQ(default_tolerance(0, want).rtol, Tolerance().rtol);
  const Tolerance one = default_tolerance(1, want), four = default_tolerance(4, want);
  EXPECT_DOUBLE_EQ(four.atol, 2 * one.atol);
  EXPECT_DOUBLE_EQ(one.rtol, 0x1p-8);
  // A mean without its division by two or more chips, or a reduction left out, is far beyond it.
  EXPECT_LT(four.atol + four.rtol * 2, 0.1 * 2);
}

TEST(RoundedProducts, AreThoseBehindAResult) {
  const std::string text =
      "func.func public @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, "
      "tensor<4x4xf32>, tensor<4x4xf32>) {\n"
      "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, "
      "tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, "
      "tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, "
      "HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
      "  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>\n}\n";
  const auto module =
      program::read_program(std::make_shared<const program::Source>("p.mlir", text));
  EXPECT_EQ(rounded_products(*module, {}, program::interface_of(*module, {})),
            (std::vector<std::int64_t>{1, 2, 0}));
}

}  // namespace
}  // namespace understudy::launcher
