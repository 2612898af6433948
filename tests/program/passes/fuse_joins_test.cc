// SPDX-License-Identifier: Apache-2.0
// Which concatenations and padding become steps of fused loops. That results stay:
// tests/ops/joined_arrays.mlir.
#include "fmt/format.h"
#include "gtest/gtest.h"

#include "tests/program/passes/fused.h"

namespace understudy::program {
namespace {

// y rolled by one element is %j.
Executable rolled_by_one(std::int64_t n, const std::string& element, const std::string& use) {
  const auto type = [&](std::int64_t size) { return fmt::format("tensor<{}x{}>", size, element); };
  return fused(fmt::format("(%y: {0}, %z: {0}) -> {0}", type(n)),
               fmt::format("%a = stablehlo.slice %y [{1}:{0}] : ({2}) -> {3}\n"
                           "%b = stablehlo.slice %y [0:{1}] : ({2}) -> {4}\n"
                           "%j = stablehlo.concatenate %a, %b, dim = 0 : ({3}, {4}) -> {2}\n",
                           n, n - 1, type(n), type(1), type(n - 1)) +
                   fmt::format(fmt::runtime(use), type(n)));
}

TEST(FuseJoins, JoinedArraysAreSteps) {
  const Executable executable =
      rolled_by_one(8192, "f32", "%r = stablehlo.add %j, %z : {0}\nreturn %r : {0}");
  EXPECT_EQ(lines(executable),
            (Names{"result0 f32[8192] = fused{8192x1}(argument0 f32[8192], argument1 "
                   "f32[8192])"}));
  EXPECT_EQ(executable.temporary_bytes, 0U);
  const Fused& loop = loop_at(executable, 0);
  EXPECT_EQ(kinds(loop.steps), (Names{"join", "binary"}));
  const std::string step = list(loop.steps[0]);
  EXPECT_EQ(step.substr(0, step.find('(')),
            "frame+0 f32[8192,1] = join{[1] from [1]+8191 to [1]+0; [8191] from [1]+0 to [1]+1}");
}

// Less than 32 KiB; a sort as the reader.
TEST(FuseJoins, SmallJoinedArraysStayOutside) {
  const std::string add = "%r = stablehlo.add %j, %z : {0}\nreturn %r : {0}";
  const Names apart{"strided_copy", "strided_copy", "binary"};
  EXPECT_EQ(kinds(rolled_by_one(8191, "f32", add).code), apart);
  EXPECT_EQ(kinds(rolled_by_one((32 << 10) - 1, "i8", add).code), apart);
  EXPECT_EQ(kinds(rolled_by_one(32 << 10, "i8", add).code), (Names{"fused"}));
  const std::string sort =
      "%r = \"stablehlo.sort\"(%j) <{{dimension = 0 : i64}}> ({{\n ^bb0(%p: tensor<f32>, %q: "
      "tensor<f32>):\n  %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\n  stablehlo.return %c : tensor<i1>\n}}) : ({0}) -> {0}\nreturn %r : {0}";
  EXPECT_EQ(kinds(rolled_by_one(9000, "f32", sort).code),
            (Names{"strided_copy", "strided_copy", "sort"}));
}

// Two columns of a half of rows of that many elements, side by side, plus %z.
Names halves_joined(std::int64_t columns, const std::string& element) {
  const auto type = [&](std::int64_t n) { return fmt::format("tensor<4096x{}x{}>", n, element); };
  return kinds(
      fused(fmt::format("(%x: {0}, %y: {0}, %z: {1}) -> {1}", type(columns / 2), type(columns)),
            fmt::format("%j = stablehlo.concatenate %x, %y, dim = 1 : ({0}, {0}) -> {1}\n"
                        "%r = stablehlo.add %j, %z : {1}\nreturn %r : {1}",
                        type(columns / 2), type(columns)))
          .code);
}

// Runs of less than 128 bytes, or than 512 of small elements.
TEST(FuseJoins, JoinedArraysOfShortRunsStayOutside) {
  const Names apart{"strided_copy", "strided_copy", "binary"};
  EXPECT_EQ(halves_joined(62, "f32"), apart);
  EXPECT_EQ(halves_joined(64, "f32"), (Names{"fused"}));
  EXPECT_EQ(halves_joined(510, "bf16"), (Names{"strided_copy", "strided_copy", "fused"}));
  EXPECT_EQ(halves_joined(512, "bf16"), (Names{"fused"}));
}

// The ends of a large temporary, which would be kept for them.
TEST(FuseJoins, JoinedPartsOfLargerArraysStayOutside) {
  const auto ends_of = [](const std::string& source) {
    return kinds(fused("(%x: tensor<200x200xf32>, %z: tensor<8192xf32>) -> tensor<8192xf32>",
                       source + "%a = stablehlo.slice %v [0:4096] : (tensor<40000xf32>) -> "
                                "tensor<4096xf32>\n"
                                "%b = stablehlo.slice %v [35904:40000] : (tensor<40000xf32>) -> "
                                "tensor<4096xf32>\n"
                                "%j = stablehlo.concatenate %b, %a, dim = 0 : (tensor<4096xf32>, "
                                "tensor<4096xf32>) -> tensor<8192xf32>\n"
                                "%r = stablehlo.add %j, %z : tensor<8192xf32>\n"
                                "return %r : tensor<8192xf32>")
                     .code);
  };
  const std::string flat = " : (tensor<200x200xf32>) -> tensor<40000xf32>\n",
                    turn =
                        "%t = stablehlo.transpose %x, dims = [1, 0] : (tensor<200x200xf32>) -> "
                        "tensor<200x200xf32>\n";
  EXPECT_EQ(ends_of("%v = stablehlo.reshape %x" + flat), (Names{"fused"}));
  EXPECT_EQ(ends_of(turn + "%v = stablehlo.reshape %t" + flat),
            (Names{"strided_copy", "strided_copy", "strided_copy", "binary"}));
}

}  // namespace
}  // namespace understudy::program
