// SPDX-License-Identifier: Apache-2.0
// Which copies are replaced by their source. That results keep their bits: tests/worker.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

// A loop over %i below %n that carries %x and %y; `body` returns %2 (the next %i) and both.
Executable looped(const std::string& body, const std::string& after = "return %0#1, %0#2",
                  bool forwards = true) {
  CompileOptions options = unfused();
  if (!forwards) options.disabled_passes.emplace_back("forward-copies");
  return compiled(
      "func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>) -> "
      "(tensor<4xf32>, tensor<4xf32>) {\n"
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%k = stablehlo.exponential %b : tensor<4xf32>\n"
      "%0:3 = stablehlo.while(%i = %z, %x = %a, %y = %k) : tensor<i32>, tensor<4xf32>, "
      "tensor<4xf32>\n cond {\n"
      "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n } do {\n"
      "  %2 = stablehlo.add %i, %one : tensor<i32>\n" +
          body + "}\n" + after + " : tensor<4xf32>, tensor<4xf32>\n}\n",
      options);
}

const Instruction& loop_instruction_in(const Executable& executable) {
  return *std::ranges::find_if(executable.code, [](const Instruction& it) {
    return std::holds_alternative<While>(it.work);
  });
}

const std::string kUnchanged =
    "  %3 = stablehlo.add %x, %y : tensor<4xf32>\n"
    "  stablehlo.return %2, %3, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n";

TEST(ForwardCopies, ALoopReadsAnUnchangedValueWhereItIs) {
  const Executable before = looped(kUnchanged, "return %0#1, %a", false);
  const Executable after = looped(kUnchanged, "return %0#1, %a");
  EXPECT_EQ(loop_instruction_in(before).outputs.size(), 3U);
  EXPECT_EQ(loop_instruction_in(after).outputs.size(), 2U) << list(after);
  EXPECT_LE(after.temporary_bytes, before.temporary_bytes);
}

TEST(ForwardCopies, ItsUsersAfterTheLoopReadTheSourceToo) {
  const Executable after = looped(kUnchanged,
                                  "%s = stablehlo.sine %0#2 : tensor<4xf32>\n"
                                  "return %0#1, %s");
  const Operand k = after.code.at(0).outputs.at(0);
  EXPECT_EQ(after.code.back().inputs.at(0).at, k.at) << list(after);
}

TEST(ForwardCopies, AChangedValueKeepsItsPlace) {
  const Executable after = looped(
      "  %3 = stablehlo.add %x, %y : tensor<4xf32>\n"
      "  %4 = stablehlo.sine %y : tensor<4xf32>\n"
      "  stablehlo.return %2, %3, %4 : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_EQ(loop_instruction_in(after).outputs.size(), 3U) << list(after);
}

// It ends at once or never: without it a program that never ends would end.
TEST(ForwardCopies, ALoopThatChangesNothingStays) {
  const Executable after = compiled(
      "func.func public @main(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {\n"
      "%0 = stablehlo.while(%x = %a) : tensor<4xf32>\n cond {\n"
      "  stablehlo.return %p : tensor<i1>\n } do {\n"
      "  stablehlo.return %x : tensor<4xf32>\n }\n"
      "return %0 : tensor<4xf32>\n}\n",
      unfused());
  EXPECT_TRUE(std::ranges::any_of(after.code, [](const Instruction& it) {
    return std::holds_alternative<While>(it.work);
  })) << list(after);
}

TEST(ForwardCopies, SwappedValuesKeepTheirPlaces) {
  const Executable after =
      looped("  stablehlo.return %2, %y, %x : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_EQ(loop_instruction_in(after).outputs.size(), 3U) << list(after);
}

// The inner loop carries %x of the outer one, which changes after it: its copy of %y goes, its own
// value stays.
TEST(ForwardCopies, LoopsInLoopsStopCarryingAsWell) {
  const Executable after = looped(
      "  %5:3 = stablehlo.while(%j = %z, %u = %x, %v = %y) : tensor<i32>, tensor<4xf32>, "
      "tensor<4xf32>\n cond {\n"
      "    %6 = stablehlo.compare LT, %j, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %6 : tensor<i1>\n } do {\n"
      "    %7 = stablehlo.add %j, %one : tensor<i32>\n"
      "    %8 = stablehlo.multiply %u, %v : tensor<4xf32>\n"
      "    stablehlo.return %7, %8, %v : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n }\n"
      "  stablehlo.return %2, %5#1, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n",
      "return %0#1, %a");
  EXPECT_EQ(loop_instruction_in(after).outputs.size(), 2U) << list(after);
  const Code& body = std::get<While>(loop_instruction_in(after).work).body;
  const auto inner = std::ranges::find_if(
      body, [](const Instruction& it) { return std::holds_alternative<While>(it.work); });
  ASSERT_NE(inner, body.end());
  EXPECT_EQ(inner->outputs.size(), 2U) << list(after);
  EXPECT_THAT(list(after), HasSubstr("binary{multiply}"));
}

}  // namespace
}  // namespace understudy::program
