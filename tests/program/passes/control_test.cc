// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "compiled.h"
#include "overlap.h"
#include "program/lowering/lowering.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const Code& code) {
  std::vector<std::string> all;
  for (const Instruction& instruction : code) all.push_back(list(instruction));
  return all;
}

const std::string kSignature = "(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>)";

// A loop over (i, x, y) with that body, which returns x and y.
std::string loop(const std::string& body) {
  return loop_text(body) + "return %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>";
}

Executable compiled_loop(const std::string& body) {
  return compiled_main(kSignature + " -> (tensor<4xf32>, tensor<4xf32>)", loop(body));
}

const While& loop_in(const Executable& executable) {
  const auto found = std::ranges::find_if(executable.code, [](const Instruction& it) {
    return std::holds_alternative<While>(it.work);
  });
  return std::get<While>(found->work);
}

TEST(LowerWhile, ElementwiseUpdatesHappenInPlace) {
  const auto executable = compiled_loop(
      "  %3 = stablehlo.add %x, %y : tensor<4xf32>\n"
      "  stablehlo.return %2, %3, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  EXPECT_THAT(lines_of(loop_in(executable).body),
              ElementsAre("temporary+0 i32[] = binary{add}(temporary+0 i32[], constant+64 i32[])",
                          "result0 f32[4] = binary{add}(result0 f32[4], argument1 f32[4])"));
}

TEST(LowerWhile, SwappedValuesGoAroundThroughACopy) {
  const auto executable =
      compiled_loop("  stablehlo.return %2, %y, %x : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  const auto body = lines_of(loop_in(executable).body);
  ASSERT_EQ(body.size(), 4u);  // the counter, a copy aside, two moves
  EXPECT_EQ(
      std::ranges::count_if(
          body, [](const auto& line) { return line.find("strided_copy") != std::string::npos; }),
      3);
}

TEST(LowerWhile, ShiftedValuesMoveInTheRightOrder) {
  const auto executable = compiled_loop(
      "  %3 = stablehlo.negate %y : tensor<4xf32>\n"
      "  stablehlo.return %2, %3, %x : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n");
  // The old x must reach y before x is overwritten.
  const auto body = lines_of(loop_in(executable).body);
  EXPECT_THAT(body.back(), HasSubstr("result0 f32[4] = strided_copy"));
  EXPECT_THAT(body[body.size() - 2], HasSubstr("result1 f32[4] = strided_copy"));
}

TEST(LowerWhile, ValuesFromOutsideLiveThroughTheLoop) {
  const auto executable = compiled_main(
      kSignature + " -> (tensor<4xf32>, tensor<4xf32>)",
      "%k = stablehlo.exponential %a : tensor<4xf32>\n" +
          loop("  %3 = stablehlo.add %x, %k : tensor<4xf32>\n"
               "  %4 = stablehlo.sine %3 : tensor<4xf32>\n"
               "  %5 = stablehlo.dot_general %4, %3, contracting_dims = [0] x [0] : "
               "(tensor<4xf32>, tensor<4xf32>) -> tensor<f32>\n"
               "  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
               "  stablehlo.return %2, %6, %y : tensor<i32>, tensor<4xf32>, tensor<4xf32>\n"));
  // No write inside the loop may touch the bytes of %k.
  const Operand k = executable.code.at(0).outputs.at(0);
  ASSERT_EQ(k.at.space, Space::temporary);
  for (const Instruction& instruction : loop_in(executable).body) {
    const Buffer& out = instruction.outputs.at(0).at;
    if (out.space != Space::temporary) continue;
    EXPECT_TRUE(out.offset + 16 <= k.at.offset || out.offset >= k.at.offset + 16)
        << list(instruction);
  }
}

TEST(LowerWhile, StackedUpdatesReuseTheCarriedBuffer) {
  const auto executable = compiled_main(
      "(%s: tensor<100x4xf32>, %u: tensor<1x4xf32>, %n: tensor<i32>) -> tensor<100x4xf32>",
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%0:2 = stablehlo.while(%i = %z, %x = %s) : tensor<i32>, tensor<100x4xf32>\n cond {\n"
      "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n } do {\n"
      "  %2 = stablehlo.dynamic_update_slice %x, %u, %i, %z : (tensor<100x4xf32>, "
      "tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<100x4xf32>\n"
      "  %3 = stablehlo.add %i, %one : tensor<i32>\n"
      "  stablehlo.return %3, %2 : tensor<i32>, tensor<100x4xf32>\n }\n"
      "return %0#1 : tensor<100x4xf32>");
  EXPECT_THAT(lines_of(loop_in(executable).body)[0],
              HasSubstr("result0 f32[100,4] = dynamic_update_slice(result0 f32[100,4], argument1"));
  EXPECT_LT(executable.temporary_bytes, 1600u);
}

TEST(LowerCase, BranchesWriteTheResultsThemselves) {
  const auto executable = compiled_main(
      "(%i: tensor<i32>, %a: tensor<4xf32>) -> tensor<4xf32>",
      "%0 = \"stablehlo.case\"(%i) ({\n  %1 = stablehlo.sine %a : tensor<4xf32>\n"
      "  stablehlo.return %1 : tensor<4xf32>\n}, {\n  stablehlo.return %a : tensor<4xf32>\n}) : "
      "(tensor<i32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>");
  const auto& branch = std::get<Case>(executable.code.at(0).work);
  EXPECT_THAT(lines_of(branch.branches.at(0)),
              ElementsAre("result0 f32[4] = unary{sine}(argument1 f32[4])"));
  EXPECT_THAT(lines_of(branch.branches.at(1)), ElementsAre(HasSubstr("strided_copy")));
}

TEST(LowerCase, IfTakesAPred) {
  const auto executable = compiled_main(
      "(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32>",
      "%0 = \"stablehlo.if\"(%p) ({\n  stablehlo.return %a : tensor<4xf32>\n}, {\n"
      "  %1 = stablehlo.negate %a : tensor<4xf32>\n  stablehlo.return %1 : tensor<4xf32>\n}) : "
      "(tensor<i1>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>");
  EXPECT_EQ(std::get<Case>(executable.code.at(0).work).branches.size(), 2u);
  EXPECT_TRUE(is_pred(executable.code[0].inputs[0].type.element));
}

TEST(Judge, SeesABufferThatIsOverwrittenTooEarly) {
  const auto module = module_of(
      "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
      "%0 = stablehlo.sine %a : tensor<4xf32>\n%1 = stablehlo.cosine %a : tensor<4xf32>\n"
      "%2 = stablehlo.add %0, %1 : tensor<4xf32>\nreturn %2 : tensor<4xf32>\n}");
  const Interface interface = interface_of(*module, {});
  passes::Draft draft;
  passes::Lowering(*module, interface, draft).lower_main(*module->find_function("main"));
  const std::vector<TensorType> results{interface.results[0].local};
  const Code good = laid_apart(draft);
  Code bad = good;
  bad[1].outputs[0].at = bad[0].outputs[0].at;
  bad[2].inputs[1].at = bad[0].outputs[0].at;
  EXPECT_NE(trace_of(good, results), trace_of(bad, results));
}

}  // namespace
}  // namespace understudy::program
