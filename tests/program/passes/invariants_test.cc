// SPDX-License-Identifier: Apache-2.0
// What leaves loops. That results keep their bits: tests/worker/passes_test.cc.
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/loops.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// h w in a loop that changes h; `precision`: of both operands.
Executable recurrence(const std::string& precision, Numerics numerics) {
  CompileOptions options = unfused();
  options.numerics = numerics;
  return compiled(
      R"(func.func public @main(%h: tensor<2x8xf32>, %w: tensor<8x8xf32>, %i: tensor<i32>) -> tensor<2x8xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%x = %h, %k = %i) : tensor<2x8xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [)" +
          precision + ", " + precision +
          R"(] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %b = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0], precision = [)" +
          precision + ", " + precision +
          R"(] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %j = stablehlo.add %k, %n : tensor<i32>
    stablehlo.return %b, %j : tensor<2x8xf32>, tensor<i32>
  }
  return %r#0 : tensor<2x8xf32>
})",
      options);
}

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

TEST(RoundInvariants, WeightsOfALoopAreRoundedOnceBeforeIt) {
  const Executable after = recurrence("DEFAULT", Numerics::tpu);
  const std::string text = list(after);
  EXPECT_EQ(occurrences(text, "convert"), 1U) << text;
  EXPECT_EQ(occurrences(text, "bf16[8,8])  //"), 2U) << text;  // the dots' right operands
  EXPECT_THAT(kinds_in(loop_in(after).body), testing::Not(testing::Contains("convert")));
}

// Out of both loops, and what the loops have computed from arguments before.
TEST(RoundInvariants, OfWhatIsHoisted) {
  const Executable after = compiled_main(
      "(%h: tensor<2x8xf32>, %w: tensor<8x8xf32>, %i: tensor<i32>) -> tensor<2x8xf32>", R"(
  %n = stablehlo.constant dense<3> : tensor<i32>
  %s:2 = stablehlo.while(%y = %h, %l = %i) : tensor<2x8xf32>, tensor<i32>
  cond {
    %q = stablehlo.compare LT, %l, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %r:2 = stablehlo.while(%x = %y, %k = %i) : tensor<2x8xf32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v = stablehlo.multiply %w, %w : tensor<8x8xf32>
      %a = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
      %j = stablehlo.add %k, %n : tensor<i32>
      stablehlo.return %a, %j : tensor<2x8xf32>, tensor<i32>
    }
    %m = stablehlo.add %l, %n : tensor<i32>
    stablehlo.return %r#0, %m : tensor<2x8xf32>, tensor<i32>
  }
  return %s#0 : tensor<2x8xf32>)");
  EXPECT_THAT(kinds_in(after.code), testing::Contains("convert")) << list(after);
  EXPECT_EQ(occurrences(list(after), "convert"), 1U) << list(after);
}

TEST(RoundInvariants, OnlyWhereTheDotWouldRound) {
  for (const Executable& after :
       {recurrence("HIGHEST", Numerics::tpu), recurrence("DEFAULT", Numerics::ieee)})
    EXPECT_EQ(occurrences(list(after), "bf16"), 0U) << list(after);
}

TEST(HoistInvariants, ChainsLeaveTheLoop) {
  const Executable after = loop_with(
      "  %3 = stablehlo.sine %y : tensor<4xf32>\n"
      "  %4 = stablehlo.multiply %3, %b : tensor<4xf32>\n"
      "  %5 = stablehlo.add %x, %4 : tensor<4xf32>\n"
      "  stablehlo.return %2, %5, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_THAT(kinds_in(loop_in(after).body), ElementsAre("binary", "binary")) << list(after);
  EXPECT_THAT(list(after), HasSubstr("unary{sine}(argument1"));
}

// Of 4 KiB at most; a fill is a register of the loop.
TEST(HoistInvariants, SmallArraysThatAreLargerThanTheirSource) {
  const auto loop = [](std::int64_t n) {
    const std::string array = "tensor<4x" + std::to_string(n) + "xf32>";
    return kinds_in(
        loop_in(compiled_main(
                    "(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32>",
                    "%f = stablehlo.constant dense<0.0> : tensor<f32>\n" +
                        loop_text("  %w = stablehlo.broadcast_in_dim %a, dims = [0] : "
                                  "(tensor<4xf32>) -> " +
                                  array +
                                  "\n  %v = stablehlo.broadcast_in_dim %x, dims = [0] : "
                                  "(tensor<4xf32>) -> " +
                                  array + "\n  %3 = stablehlo.multiply %w, %v : " + array +
                                  "\n  %4 = stablehlo.reduce(%3 init: %f) applies stablehlo.add "
                                  "across dimensions = [1] : (" +
                                  array +
                                  ", tensor<f32>) -> tensor<4xf32>\n  stablehlo.return %2, %4, %y "
                                  ": tensor<i32>, tensor<4xf32>, tensor<4xf32>\n") +
                        "return %0#1 : tensor<4xf32>"))
            .body);
  };
  EXPECT_THAT(loop(256), ElementsAre("binary", "strided_copy", "binary", "reduce"));
  EXPECT_THAT(loop(257), ElementsAre("binary", "strided_copy", "strided_copy", "binary", "reduce"));
}

// Also with a value that is larger than what it is made of, which alone would stay.
TEST(HoistInvariants, AScaledArgumentLeavesTheLoop) {
  const std::string scaled =
      "  %c = stablehlo.constant dense<0.5> : tensor<4xf32>\n"
      "  %3 = stablehlo.multiply %c, %b : tensor<4xf32>\n"
      "  %4 = stablehlo.add %x, %3 : tensor<4xf32>\n";
  const Executable after = loop_with(
      scaled + "  stablehlo.return %2, %4, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_THAT(kinds_in(loop_in(after).body), ElementsAre("binary", "binary")) << list(after);
  EXPECT_THAT(kinds_in(after.code), testing::IsSupersetOf({"fill", "binary"})) << list(after);
  // The other reader still makes the larger value in the loop.
  const Executable both =
      loop_with(scaled +
                "  %5 = stablehlo.multiply %c, %4 : tensor<4xf32>\n"
                "  stablehlo.return %2, %5, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_THAT(kinds_in(loop_in(both).body),
              testing::UnorderedElementsAre("binary", "binary", "binary", "fill"))
      << list(both);
  EXPECT_THAT(kinds_in(both.code), testing::IsSupersetOf({"fill", "binary"})) << list(both);
}

TEST(HoistInvariants, WhatDependsOnTheIterationStays) {
  const Executable after = loop_with(
      "  %3 = stablehlo.sine %x : tensor<4xf32>\n"
      "  %4 = stablehlo.cosine %3 : tensor<4xf32>\n"
      "  stablehlo.return %2, %4, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_EQ(loop_in(after).body.size(), 3U) << list(after);
}

// It ends the run where its sizes do not fit, and the loop may never run.
TEST(HoistInvariants, PaddingOfSizesThatARunFindsStays) {
  const Executable after = compiled_main(
      "(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>, %l: tensor<1xi32>) -> tensor<4xf32>",
      "%f = stablehlo.constant dense<0.0> : tensor<f32>\n%k = stablehlo.constant dense<0> : "
      "tensor<1xi32>\n" +
          loop_text(
              "  %3 = stablehlo.dynamic_pad %b, %f, %l, %l, %k : (tensor<4xf32>, tensor<f32>, "
              "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<8xf32>\n"
              "  %4 = stablehlo.slice %3 [2:6] : (tensor<8xf32>) -> tensor<4xf32>\n"
              "  %5 = stablehlo.add %x, %4 : tensor<4xf32>\n"
              "  stablehlo.return %2, %5, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n") +
          "return %0#1 : tensor<4xf32>");
  EXPECT_THAT(kinds_in(loop_in(after).body), testing::Contains("dynamic_pad"));
}

// It would run although its branch is never taken.
TEST(HoistInvariants, BranchesKeepTheirCode) {
  const Executable after = loop_with(
      "  %3 = \"stablehlo.case\"(%i) ({\n"
      "    %4 = stablehlo.sine %y : tensor<4xf32>\n"
      "    stablehlo.return %4 : tensor<4xf32>\n }, {\n"
      "    stablehlo.return %x : tensor<4xf32>\n }) : (tensor<i32>) -> tensor<4xf32>\n"
      "  stablehlo.return %2, %3, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_THAT(kinds_in(loop_in(after).body), testing::Contains("case"));
  EXPECT_THAT(kinds_in(after.code), testing::Not(testing::Contains("unary")));
}

}  // namespace
}  // namespace understudy::program
