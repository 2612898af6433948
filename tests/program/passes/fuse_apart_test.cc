// SPDX-License-Identifier: Apache-2.0
// Which results are written to places apart by fused loops. That results stay:
// tests/worker/ops/fused/fused_apart_test.cc.
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/fused.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::HasSubstr;

// jnp.stack((-x, x + y), axis=-1), with `more` instructions.
Executable stacked(std::int64_t n, const std::string& more = "") {
  const std::string line = fmt::format("tensor<{}xf32>", n),
                    column = fmt::format("tensor<{}x1xf32>", n),
                    both = fmt::format("tensor<{}x2xf32>", n);
  return fused(fmt::format("(%x: {0}, %y: {0}) -> {1}", line, both),
               fmt::format("%a = stablehlo.negate %x : {0}\n%b = stablehlo.add %x, %y : {0}\n"
                           "%c = stablehlo.reshape %a : ({0}) -> {1}\n"
                           "%d = stablehlo.reshape %b : ({0}) -> {1}\n"
                           "%j = stablehlo.concatenate %c, %d, dim = 1 : ({1}, {1}) -> {2}\n",
                           line, column, both) +
                   (more.empty() ? "return %j : " + both : fmt::format(fmt::runtime(more), both)));
}

TEST(FuseApart, StackedResultsNeedNoCopies) {
  const Executable executable = stacked(4096);
  EXPECT_EQ(kinds(executable.code), (Names{"fused"}));
  EXPECT_EQ(executable.temporary_bytes, 0U);
  const Fused& loop = loop_at(executable, 0);
  EXPECT_EQ(loop.columns, 1);
  EXPECT_EQ(kinds(loop.steps), (Names{"unary", "binary", "strided_copy", "strided_copy"}));
  EXPECT_THAT(list(loop.steps[2]),
              HasSubstr("result0 f32[4096,1] = strided_copy{[4096] from [1]+0 to [2]+0}(frame"));
  EXPECT_THAT(list(loop.steps[3]),
              HasSubstr("result0 f32[4096,1] = strided_copy{[4096] from [1]+0 to [2]+1}(frame"));
}

// Less than 32 KiB.
TEST(FuseApart, SmallOnesAreCopied) {
  EXPECT_THAT(kinds(stacked(4095).code), Contains("strided_copy"));
}

// The array is complete after the loop, whatever reads it.
TEST(FuseApart, ReadersComeAfterTheLoop) {
  const Executable executable = stacked(4096, "%r = stablehlo.sine %j : {0}\nreturn %r : {0}");
  EXPECT_EQ(kinds(executable.code), (Names{"fused", "unary"}));
}

// jnp.cross: joined along the first dimension, then transposed.
TEST(FuseApart, TransposedStacksAreJoinedAlongTheLastDimension) {
  const Executable executable = fused(
      "(%x: tensor<1x4096xf32>, %y: tensor<1x4096xf32>) -> tensor<4096x2xf32>",
      "%a = stablehlo.negate %x : tensor<1x4096xf32>\n"
      "%b = stablehlo.add %x, %y : tensor<1x4096xf32>\n"
      "%j = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1x4096xf32>, tensor<1x4096xf32>) -> "
      "tensor<2x4096xf32>\n"
      "%r = stablehlo.transpose %j, dims = [1, 0] : (tensor<2x4096xf32>) -> tensor<4096x2xf32>\n"
      "return %r : tensor<4096x2xf32>");
  EXPECT_EQ(kinds(executable.code), (Names{"fused"}));
}

// The gradient of x[::2], of a computed array and of an argument.
TEST(FuseApart, PaddingBetweenComputedElementsIsWrittenByTheLoop) {
  const auto padded = [](const std::string& of) {
    return fused("(%x: tensor<4096xf32>) -> tensor<8192xf32>",
                 "%z = stablehlo.constant dense<0.5> : tensor<f32>\n"
                 "%a = stablehlo.negate %x : tensor<4096xf32>\n"
                 "%p = stablehlo.pad " +
                     of +
                     ", %z, low = [0], high = [1], interior = [1] : (tensor<4096xf32>, "
                     "tensor<f32>) -> tensor<8192xf32>\nreturn %p : tensor<8192xf32>");
  };
  EXPECT_EQ(kinds(padded("%a").code), (Names{"fused"}));
  EXPECT_EQ(kinds(loop_at(padded("%a"), 0).steps),
            (Names{"unary", "strided_copy", "fill", "strided_copy"}));
  EXPECT_EQ(kinds(padded("%x").code), (Names{"fill", "strided_copy"}));
}

}  // namespace
}  // namespace understudy::program
