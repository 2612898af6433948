// SPDX-License-Identifier: Apache-2.0
// Small all_reduces that do not wait for each other become one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "two_chips.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

// How many operands each all_reduce of the outermost code has, in their order.
std::vector<std::size_t> counts_in(const Code& code) {
  std::vector<std::size_t> counts;
  for (const Instruction& instruction : code)
    if (std::holds_alternative<Collective>(instruction.work))
      counts.push_back(instruction.inputs.size());
  return counts;
}

using Counts = std::vector<std::size_t>;
constexpr const char* kTwoOfTwo =
    "(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)";
constexpr const char* kReturn = "return %0, %1 : tensor<4xf32>, tensor<4xf32>\n";

TEST(CombineTest, IndependentOnesBecomeOneThatKnowsItsOperations) {
  const Executable executable =
      two_chips(kTwoOfTwo, all_reduce("%0", "%a") + all_reduce("%1", "%b") + kReturn);
  ASSERT_EQ(counts_in(executable.code), Counts{2});
  const auto& work = std::get<Collective>(executable.code[0].work);
  ASSERT_EQ(work.ops.size(), 2U);
  EXPECT_EQ(executable.op_names.at(work.ops[0]), "stablehlo.all_reduce");
  EXPECT_EQ(executable.op_names.at(work.ops[1]), "stablehlo.all_reduce");
  EXPECT_LT(work.ops[0], work.ops[1]);
  EXPECT_THAT(lines(executable).at(0), HasSubstr("sum of 2 combined"));
}

TEST(CombineTest, WorkInBetweenThatNeedsNeitherDoesNotMatter) {
  EXPECT_EQ(counts_in(two_chips(kTwoOfTwo, all_reduce("%0", "%a") +
                                               "%m = stablehlo.multiply %b, %b : tensor<4xf32>\n" +
                                               all_reduce("%1", "%m") + kReturn)
                          .code),
            Counts{2});
}

TEST(CombineTest, OneThatNeedsTheOtherStaysBehindIt) {
  EXPECT_EQ(
      counts_in(
          two_chips(kTwoOfTwo, all_reduce("%0", "%a") + all_reduce("%1", "%0") + kReturn).code),
      (Counts{1, 1}));
  EXPECT_EQ(counts_in(two_chips(kTwoOfTwo, all_reduce("%0", "%a") +
                                               "%m = stablehlo.multiply %b, %0 : tensor<4xf32>\n" +
                                               all_reduce("%1", "%m") + kReturn)
                          .code),
            (Counts{1, 1}));
}

// As gradients that are applied one after the other: what needs the first moves behind both.
TEST(CombineTest, WorkInBetweenThatNeedsTheFirstMovesBehindBoth) {
  const Executable executable = two_chips(
      kTwoOfTwo, all_reduce("%x", "%a") + "%0 = stablehlo.subtract %a, %x : tensor<4xf32>\n" +
                     "%m = stablehlo.multiply %b, %b : tensor<4xf32>\n" + all_reduce("%1", "%m") +
                     kReturn);
  EXPECT_EQ(counts_in(executable.code), Counts{2});
  const std::vector<std::string> code = lines(executable);
  ASSERT_EQ(code.size(), 3U);
  EXPECT_THAT(code[0], HasSubstr("multiply"));
  EXPECT_THAT(code[1], HasSubstr("sum of 2 combined"));
  EXPECT_THAT(code[2], HasSubstr("subtract"));
}

// An all_reduce that needs the first one by way of a delayed instruction stays behind it, and a
// fourth that needs none joins.
TEST(CombineTest, OneThatNeedsADelayedInstructionIsDelayedItself) {
  const std::string code = all_reduce("%x", "%a") +
                           "%m = stablehlo.multiply %b, %x : tensor<4xf32>\n" +
                           all_reduce("%0", "%m") + all_reduce("%1", "%b") + kReturn;
  EXPECT_EQ(counts_in(two_chips(kTwoOfTwo, code).code), (Counts{1, 2}));
}

TEST(CombineTest, AThirdThatNeedsTheFirstStaysApart) {
  EXPECT_EQ(
      counts_in(two_chips(kTwoOfTwo, all_reduce("%x", "%a") +
                                         "%m = stablehlo.multiply %x, %x : tensor<4xf32>\n" +
                                         all_reduce("%0", "%b") + all_reduce("%1", "%m") + kReturn)
                    .code),
      (Counts{2, 1}));
}

TEST(CombineTest, OtherGroupsReducersAndLargeOperandsAreApart) {
  EXPECT_EQ(
      counts_in(two_chips(kTwoOfTwo, all_reduce("%0", "%a") +
                                         all_reduce("%1", "%b", "4xf32", "[[0], [1]]") + kReturn)
                    .code),
      (Counts{1, 1}));
  EXPECT_EQ(
      counts_in(two_chips(kTwoOfTwo, all_reduce("%0", "%a") +
                                         all_reduce("%1", "%b", "4xf32", "[[0, 1]]", "maximum") +
                                         kReturn)
                    .code),
      (Counts{1, 1}));
  EXPECT_EQ(counts_in(two_chips("(%a: tensor<4xf32>, %b: tensor<4097xf32>) -> (tensor<4xf32>, "
                                "tensor<4097xf32>)",
                                all_reduce("%0", "%a") + all_reduce("%1", "%b", "4097xf32") +
                                    "return %0, %1 : tensor<4xf32>, tensor<4097xf32>\n")
                          .code),
            (Counts{1, 1}));
}

// The inner loop reads what the outer one carries; a result of the combined all_reduces overwrites
// it.
TEST(CombineTest, ResultsAreNotWrittenBeforeALoopHasReadTheirPlace) {
  const std::string loop_end =
      "cond {\n  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %c : tensor<i1>\n} do {\n";
  const Executable executable =
      two_chips(kTwoOfTwo,
                "%z = stablehlo.constant dense<0> : tensor<i32>\n"
                "%n = stablehlo.constant dense<3> : tensor<i32>\n"
                "%one = stablehlo.constant dense<1> : tensor<i32>\n"
                "%w:3 = stablehlo.while(%i = %z, %u = %a, %v = %b) : tensor<i32>, tensor<4xf32>, "
                "tensor<4xf32>\n" +
                    loop_end + all_reduce("%t", "%v") +
                    "  %deep:2 = stablehlo.while(%k = %z, %y = %v) : tensor<i32>, tensor<4xf32>\n"
                    "  cond {\n  %d = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> "
                    "tensor<i1>\n  stablehlo.return %d : tensor<i1>\n} do {\n"
                    "  %l = stablehlo.add %k, %one : tensor<i32>\n"
                    "  %m = stablehlo.multiply %y, %u : tensor<4xf32>\n"
                    "  stablehlo.return %l, %m : tensor<i32>, tensor<4xf32>\n}\n" +
                    all_reduce("%s", "%v") +
                    "  %x = stablehlo.add %t, %deep#1 : tensor<4xf32>\n"
                    "  %j = stablehlo.add %i, %one : tensor<i32>\n"
                    "  stablehlo.return %j, %s, %x : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n}\n"
                    "return %w#1, %w#2 : tensor<4xf32>, tensor<4xf32>\n");
  const auto is_loop = [](const Instruction& one) {
    return one.work.index() == Work(While{}).index();
  };
  const auto outer = std::ranges::find_if(executable.code, is_loop);
  ASSERT_NE(outer, executable.code.end());
  const Code& body = std::get<While>(outer->work).body;
  const auto inner = std::ranges::find_if(body, is_loop);
  ASSERT_NE(inner, body.end());
  const auto writes_carried = [&](const Instruction& one) {
    return std::ranges::any_of(one.outputs,
                               [&](const Operand& out) { return out.at == outer->outputs[1].at; });
  };
  const auto writer = std::ranges::find_if(body, writes_carried);
  ASSERT_NE(writer, body.end());
  EXPECT_GT(writer, inner) << list(executable);
}

TEST(CombineTest, OnesInALoopStayInIt) {
  const Executable executable = two_chips(
      kTwoOfTwo,
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%n = stablehlo.constant dense<3> : tensor<i32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n" +
          all_reduce("%x", "%a") +
          "%w:3 = stablehlo.while(%i = %z, %u = %x, %v = %b) : tensor<i32>, tensor<4xf32>, "
          "tensor<4xf32>\n"
          "cond {\n  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> "
          "tensor<i1>\n  stablehlo.return %c : tensor<i1>\n} do {\n" +
          all_reduce("%s", "%u") + all_reduce("%t", "%v") +
          "  %j = stablehlo.add %i, %one : tensor<i32>\n"
          "  stablehlo.return %j, %s, %t : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n}\n"
          "return %w#1, %w#2 : tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_EQ(counts_in(executable.code), Counts{1});
  Counts inside;
  for (const Instruction& instruction : executable.code)
    if (const auto* loop = std::get_if<While>(&instruction.work)) inside = counts_in(loop->body);
  EXPECT_EQ(inside, Counts{2});
}

}  // namespace
}  // namespace understudy::program
