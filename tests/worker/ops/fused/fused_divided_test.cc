// SPDX-License-Identifier: Apache-2.0
// A loop whose whole rows would not fit into a tile is divided, with the bits of its instructions.
#include <algorithm>

#include "fmt/format.h"

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// As many values of a row as `count` are kept until the last one is made: each is a product of its
// own, and then all are added up.
std::string text_of(std::int64_t columns, int count) {
  const std::string row = fmt::format("tensor<2x{}xf32>", columns);
  std::string text = fmt::format(
      "func.func public @main(%x: {0}) -> ({0}, tensor<2xf32>) {{\n"
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : ({0}, "
      "tensor<f32>) -> tensor<2xf32>\n"
      "%b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<2xf32>) -> {0}\n",
      row);
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "%c{0} = stablehlo.constant dense<{0}.25> : {1}\n"
        "%m{0} = stablehlo.multiply %x, %c{0} : {1}\n"
        "%p{0} = stablehlo.add %m{0}, %b : {1}\n",
        i, row);
  for (int i = 1; i < count; ++i)
    text += fmt::format("%a{0} = stablehlo.add %{1}, %p{0} : {2}\n", i,
                        i == 1 ? "p0" : fmt::format("a{}", i - 1), row);
  return text + fmt::format(
                    "%r = stablehlo.reduce(%a{0} init: %z) applies stablehlo.add across dimensions "
                    "= [1] : ({1}, tensor<f32>) -> tensor<2xf32>\nreturn %a{0}, %r : {1}, "
                    "tensor<2xf32>\n}}\n",
                    count - 1, row);
}

std::ptrdiff_t loops_in(const program::Executable& executable) {
  return std::ranges::count_if(executable.code, [](const program::Instruction& one) {
    return std::holds_alternative<program::Fused>(one.work);
  });
}

TEST(FusedDivided, LargeTilesAreSeveralLoops) {
  const std::string text = text_of(65536, 24);
  const program::Executable fused = compiled(text, true), plain = compiled(text, false);
  EXPECT_GT(loops_in(fused), 1) << list(fused);
  // Nothing is left alone.
  EXPECT_EQ(loops_in(fused), static_cast<std::ptrdiff_t>(fused.code.size())) << list(fused);
  const auto& kernels = program::kernels::select("");
  EXPECT_EQ(run_on(fused, kernels), run_on(plain, kernels));
}

TEST(FusedDivided, SmallTilesAreOneLoop) {
  EXPECT_EQ(compiled(text_of(4096, 24), true).code.size(), 1U);
}

}  // namespace
}  // namespace understudy::worker
