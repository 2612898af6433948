// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(LowerElementwise, ChainsReuseTheirBuffer) {
  const auto executable = compiled_main(
      "(%a: tensor<64xf32>) -> tensor<f32>",
      "%0 = stablehlo.tanh %a : tensor<64xf32>\n"
      "%1 = stablehlo.add %0, %a : tensor<64xf32>\n"
      "%2 = stablehlo.negate %1 : tensor<64xf32>\n"
      "%c = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [0] : "
      "(tensor<64xf32>, tensor<f32>) -> tensor<f32>\nreturn %3 : tensor<f32>");
  EXPECT_THAT(
      lines(executable),
      ElementsAre("temporary+0 f32[64] = unary{tanh}(argument0 f32[64])",
                  "temporary+0 f32[64] = binary{add}(temporary+0 f32[64], argument0 f32[64])",
                  "temporary+0 f32[64] = unary{negate}(temporary+0 f32[64])",
                  "result0 f32[] = reduce{sum over [0]}(temporary+0 f32[64], constant+0 f32[])"));
  EXPECT_EQ(executable.temporary_bytes, 256u);
}

TEST(LowerElementwise, CompareSelectClampConvert) {
  const auto executable = compiled_main(
      "(%a: tensor<4xf32>, %b: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xbf16>",
      "%0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> "
      "tensor<4xi1>\n"
      "%1 = stablehlo.select %0, %a, %b : tensor<4xi1>, tensor<4xf32>\n"
      "%2 = stablehlo.clamp %s, %1, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> "
      "tensor<4xf32>\n"
      "%3 = stablehlo.convert %2 : tensor<4xf32>\n"
      "%4 = stablehlo.convert %3 : (tensor<4xf32>) -> tensor<4xbf16>\nreturn %4 : tensor<4xbf16>");
  const auto all = lines(executable);
  ASSERT_EQ(all.size(), 4u);  // the conversion to the same type is none
  EXPECT_THAT(all[0], HasSubstr("i1[4] = compare{lt total}(argument0"));
  EXPECT_THAT(all[1], HasSubstr("select("));
  EXPECT_THAT(all[2], HasSubstr("clamp(argument2 f32[], temporary"));
  EXPECT_THAT(all[3], HasSubstr("result0 bf16[4] = convert("));
}

TEST(LowerElementwise, DeadCodeGoes) {
  const auto executable = compiled_main(
      "(%a: tensor<4xf32>) -> tensor<4xf32>",
      "%0 = stablehlo.exponential %a : tensor<4xf32>\n%1 = stablehlo.add %0, %0 : tensor<4xf32>\n"
      "%2 = stablehlo.sqrt %a : tensor<4xf32>\nreturn %2 : tensor<4xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[4] = unary{sqrt}(argument0 f32[4])"));
}

TEST(LowerDot, TakesDimensionNumbersAndPrecision) {
  const auto executable = compiled_main(
      "(%a: tensor<5x2x3xf32>, %b: tensor<5x3x4xf32>) -> tensor<5x2x4xf32>",
      "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], "
      "precision = [HIGHEST, HIGHEST] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> "
      "tensor<5x2x4xf32>\nreturn %0 : tensor<5x2x4xf32>");
  EXPECT_THAT(lines(executable),
              ElementsAre("result0 f32[5,2,4] = dot{batch [0]x[0] contracting [2]x[1] highest}"
                          "(argument0 f32[5,2,3], argument1 f32[5,3,4])"));
}

TEST(LowerReduce, ArgmaxKeepsItsBodyLaneByLane) {
  const auto executable = compiled_main(
      "(%a: tensor<8xf32>, %i: tensor<8xi32>, %z: tensor<f32>, %n: tensor<i32>) -> tensor<i32>",
      "%0:2 = stablehlo.reduce(%a init: %z), (%i init: %n) across dimensions = [0] : "
      "(tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n"
      " reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {\n"
      "  %1 = stablehlo.compare GT, %p, %q, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "  %2 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<f32>\n"
      "  %3 = stablehlo.select %1, %r, %s : tensor<i1>, tensor<i32>\n"
      "  stablehlo.return %2, %3 : tensor<f32>, tensor<i32>\n }\nreturn %0#1 : tensor<i32>");
  ASSERT_EQ(executable.code.size(), 1u);
  const auto& reduce = std::get<Reduce>(executable.code[0].work);
  EXPECT_EQ(reduce.reduction, Reduction::none);
  EXPECT_TRUE(reduce.body.lanewise);
  // Arguments of a region: accumulators first, then elements.
  ASSERT_EQ(reduce.body.parameters.size(), 4u);
  EXPECT_EQ(reduce.body.parameters[1].type.element, ElementType::i32);
  EXPECT_EQ(reduce.body.parameters[2].type.element, ElementType::f32);
  EXPECT_EQ(reduce.body.frame_bytes, 7u * 16u);
  EXPECT_EQ(reduce.body.code.size(), 3u);
}

std::string reduced_with(const std::string& op, const std::string& element) {
  const auto executable = compiled_main(
      "(%a: tensor<8x" + element + ">, %z: tensor<" + element + ">) -> tensor<" + element + ">",
      "%0 = stablehlo.reduce(%a init: %z) applies stablehlo." + op +
          " across dimensions = [0] : (tensor<8x" + element + ">, tensor<" + element +
          ">) -> tensor<" + element + ">\nreturn %0 : tensor<" + element + ">");
  return lines(executable).at(0);
}

TEST(LowerReduce, RecognisesTheFastReducers) {
  EXPECT_THAT(reduced_with("add", "f32"), HasSubstr("reduce{sum over"));
  EXPECT_THAT(reduced_with("multiply", "bf16"), HasSubstr("reduce{product over"));
  EXPECT_THAT(reduced_with("minimum", "i32"), HasSubstr("reduce{minimum over"));
  EXPECT_THAT(reduced_with("maximum", "f64"), HasSubstr("reduce{maximum over"));
  EXPECT_THAT(reduced_with("and", "ui8"), HasSubstr("reduce{and over"));
  EXPECT_THAT(reduced_with("or", "i1"), HasSubstr("reduce{or over"));
  EXPECT_THAT(reduced_with("add", "i1"), HasSubstr("reduce{or over"));
  EXPECT_THAT(reduced_with("minimum", "i1"), HasSubstr("reduce{and over"));
  EXPECT_THAT(reduced_with("subtract", "f32"), HasSubstr("reduce{body over"));
  EXPECT_THAT(reduced_with("xor", "i32"), HasSubstr("reduce{xor over"));
  EXPECT_THAT(reduced_with("xor", "i1"), HasSubstr("reduce{xor over"));
}

TEST(LowerReduce, CapturedScalarsEnterTheLanesByFill) {
  const auto executable = compiled_main(
      "(%a: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32>",
      "%k = stablehlo.constant dense<3.0> : tensor<f32>\n"
      "%0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) "
      "-> tensor<f32>\n reducer(%p: tensor<f32>, %q: tensor<f32>) {\n"
      "  %1 = stablehlo.multiply %q, %k : tensor<f32>\n"
      "  %2 = stablehlo.multiply %1, %k : tensor<f32>\n"
      "  %3 = stablehlo.subtract %p, %2 : tensor<f32>\n  stablehlo.return %3 : tensor<f32>\n }\n"
      "return %0 : tensor<f32>");
  const Body& body = std::get<Reduce>(executable.code.at(0).work).body;
  EXPECT_TRUE(body.lanewise);
  ASSERT_EQ(body.code.size(), 4u);  // one fill for both uses
  EXPECT_EQ(list(body.code[0]), "frame+32 f32[] = fill(constant+0 f32[])");
  EXPECT_EQ(list(body.code[1]),
            "frame+48 f32[] = binary{multiply}(frame+16 f32[], frame+32 f32[])");
}

TEST(LowerScatter, TellsAddAndOverwrite) {
  const auto scattered = [](const std::string& returned) {
    const auto executable = compiled_main(
        "(%x: tensor<8xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<8xf32>",
        "%0 = \"stablehlo.scatter\"(%x, %i, %u) <{indices_are_sorted = false, "
        "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({\n"
        "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n %1 = stablehlo.add %p, %q : tensor<f32>\n"
        " stablehlo.return " +
            returned +
            " : tensor<f32>\n}) : (tensor<8xf32>, tensor<2x1xi32>, tensor<2xf32>) -> "
            "tensor<8xf32>\nreturn %0 : tensor<8xf32>");
    return lines(executable).at(0);
  };
  EXPECT_THAT(scattered("%1"), HasSubstr("scatter{sum}"));
  EXPECT_THAT(scattered("%q"), HasSubstr("scatter{overwrite}"));
}

// A loop whose body scatters a row of that many elements into what it carries.
std::vector<std::string> scattering_loop(int columns) {
  const std::string row = std::to_string(columns);
  const Executable executable = compiled(
      "func.func public @main(%a: tensor<8x" + row + "xf32>, %u: tensor<" + row +
          "xf32>) -> tensor<8x" + row + R"(xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<9> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<8x)" +
          row + R"(xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %4 = "stablehlo.scatter"(%x, %3, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %5 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<8x)" +
          row + "xf32>, tensor<1xi32>, tensor<" + row + "xf32>) -> tensor<8x" + row + R"(xf32>
    stablehlo.return %2, %4 : tensor<i32>, tensor<8x)" +
          row + "xf32>\n  }\n  return %0#1 : tensor<8x" + row + "xf32>\n}\n",
      unfused());
  std::vector<std::string> body;
  for (const Instruction& instruction : executable.code)
    if (const auto* loop = std::get_if<While>(&instruction.work))
      for (const Instruction& inner : loop->body) body.push_back(list(inner));
  return body;
}

// Small windows become updates of slices; of none is the operand copied in each round.
TEST(LowerScatter, InLoopsIsInPlace) {
  const auto small = scattering_loop(16), large = scattering_loop(512);
  EXPECT_THAT(small,
              Contains(HasSubstr("result0 f32[8,16] = dynamic_update_slice(result0 f32[8,16]")));
  EXPECT_THAT(large, Contains(HasSubstr("result0 f32[8,512] = scatter{sum}(result0 f32[8,512]")));
  for (const auto& body : {small, large})
    EXPECT_THAT(body, Not(Contains(AllOf(HasSubstr("strided_copy"), HasSubstr("f32")))));
}

TEST(LowerSort, TopKSortsDownwardsAndCuts) {
  const auto executable = compiled_main(
      "(%x: tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)",
      "%v, %i = chlo.top_k(%x, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)\n"
      "return %v, %i : tensor<2x3xf32>, tensor<2x3xi32>");
  const auto all = lines(executable);
  // The sort keeps three elements of each line and writes the results.
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(all[0], HasSubstr("i32[2,8] = iota{1}()"));
  EXPECT_THAT(all[1], HasSubstr("sort{1}("));
  EXPECT_THAT(all[1], HasSubstr("result0 f32[2,3]"));
  EXPECT_THAT(all[1], HasSubstr("result1 i32[2,3]"));
  const auto& sort = std::get<Sort>(executable.code[1].work);
  EXPECT_EQ(list(sort.comparator.code.at(0)),
            "frame+64 i1[] = compare{gt total}(frame+0 f32[], frame+16 f32[])");
}

TEST(LowerStructure, CallsAreInlinedEachTime) {
  const auto executable = compiled(
      "func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
      "func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>\n  return %1 : tensor<4xf32>\n}");
  EXPECT_EQ(executable.code.size(), 2u);
  EXPECT_EQ(executable.op_names.at(executable.code[1].op), "stablehlo.add");
}

TEST(LowerStructure, RecursionIsRefused) {
  EXPECT_THAT(error_of([] {
                compiled(
                    "func.func public @main(%a: tensor<f32>) -> tensor<f32> {\n"
                    "  %0 = call @main(%a) : (tensor<f32>) -> tensor<f32>\n"
                    "  return %0 : tensor<f32>\n}");
              }),
              HasSubstr("@main calls itself: recursion is not supported"));
}

TEST(LowerStructure, TuplesAndTokensHaveNoBuffersOfTheirOwn) {
  const auto executable = compiled_main(
      "(%a: tensor<2xf32>, %b: tensor<3xi32>) -> tensor<3xi32>",
      "%t = stablehlo.create_token : !stablehlo.token\n"
      "%0 = stablehlo.tuple %a, %b : tuple<tensor<2xf32>, tensor<3xi32>>\n"
      "%1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<2xf32>, tensor<3xi32>>) -> "
      "tensor<3xi32>\n"
      "%2 = stablehlo.negate %1 : tensor<3xi32>\nreturn %2 : tensor<3xi32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 i32[3] = unary{negate}(argument1 i32[3])"));
}

TEST(LowerStructure, UnknownCustomCallsAreRefusedByName) {
  EXPECT_THAT(error_of([] {
                compiled_main("(%a: tensor<2xf32>) -> tensor<2xf32>",
                              "%0 = stablehlo.custom_call @my_kernel(%a) : (tensor<2xf32>) -> "
                              "tensor<2xf32>\nreturn %0 : tensor<2xf32>");
              }),
              HasSubstr("test.mlir:2:6: error: stablehlo.custom_call: unsupported "
                        "target @my_kernel"));
}

TEST(LowerStructure, MhloErfIsErf) {
  const auto executable =
      compiled_main("(%a: tensor<2xf32>) -> tensor<2xf32>",
                    "%0 = stablehlo.custom_call @mhlo.erf(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
                    "return %0 : tensor<2xf32>");
  EXPECT_THAT(lines(executable), ElementsAre("result0 f32[2] = unary{erf}(argument0 f32[2])"));
}

}  // namespace
}  // namespace understudy::program
