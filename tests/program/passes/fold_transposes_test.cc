// SPDX-License-Identifier: Apache-2.0
// Which transposes become part of a dot. That results keep their bits: tests/worker.
#include <algorithm>

#include "gtest/gtest.h"

#include "program/passes/draft.h"
#include "program/passes/permuted_view.h"
#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using Names = std::vector<std::string>;

TEST(FoldTransposes, OfOperands) {
  EXPECT_EQ(lines(compiled_main("(%x: tensor<3x2xf32>, %y: tensor<5x3xf32>) -> tensor<2x5xf32>", R"(
  %a = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %b = stablehlo.transpose %y, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return %c : tensor<2x5xf32>)")),
            (Names{"result0 f32[2,5] = dot{batch []x[] contracting [0]x[1] standard}(argument0 "
                   "f32[3,2], argument1 f32[5,3])"}));
}

TEST(FoldTransposes, OfAResult) {
  EXPECT_EQ(
      lines(compiled_main("(%x: tensor<7x2x3xf32>, %y: tensor<7x3x5xf32>) -> tensor<7x5x2xf32>", R"(
  %c = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<7x2x3xf32>, tensor<7x3x5xf32>) -> tensor<7x2x5xf32>
  %d = stablehlo.transpose %c, dims = [0, 2, 1] : (tensor<7x2x5xf32>) -> tensor<7x5x2xf32>
  return %d : tensor<7x5x2xf32>)")),
      (Names{"result0 f32[7,5,2] = dot{batch [0]x[0] contracting [1]x[2] standard}(argument1 "
             "f32[7,3,5], argument0 f32[7,2,3])"}));
}

TEST(FoldTransposes, OfTransposes) {
  EXPECT_EQ(
      lines(compiled_main("(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4x2x3xf32>)", R"(
  %a = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %b = stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<4x3x2xf32>) -> tensor<2x3x4xf32>
  %c = stablehlo.transpose %a, dims = [0, 2, 1] : (tensor<4x3x2xf32>) -> tensor<4x2x3xf32>
  return %b, %c : tensor<2x3x4xf32>, tensor<4x2x3xf32>)")),
      (Names{"result1 f32[4,2,3] = strided_copy{[4,2,3] from [1,12,4]+0 to "
             "[6,3,1]+0}(argument0 f32[2,3,4])",
             "result0 f32[2,3,4] = strided_copy{[24] from [1]+0 to [1]+0}(argument0 "
             "f32[2,3,4])"}));
}

TEST(FoldTransposes, OfBroadcastsAndSlices) {
  EXPECT_EQ(lines(compiled_main("(%x: tensor<3xf32>) -> tensor<3x50x4xf32>", R"(
  %a = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<3xf32>) -> tensor<50x4x3xf32>
  %b = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<50x4x3xf32>) -> tensor<3x50x4xf32>
  return %b : tensor<3x50x4xf32>)")),
            (Names{"result0 f32[3,50,4] = strided_copy{[3,200] from [1,0]+0 to "
                   "[200,1]+0}(argument0 f32[3])"}));
  EXPECT_EQ(lines(compiled_main("(%x: tensor<9x5xf32>) -> tensor<3x9xf32>", R"(
  %a = stablehlo.slice %x [0:9, 0:3] : (tensor<9x5xf32>) -> tensor<9x3xf32>
  %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<9x3xf32>) -> tensor<3x9xf32>
  return %b : tensor<3x9xf32>)")),
            (Names{"result0 f32[3,9] = strided_copy{[3,9] from [1,5]+0 to [9,1]+0}(argument0 "
                   "f32[9,5])"}));
}

// The beginning of an array is one itself.
TEST(FoldTransposes, OfTheFirstRows) {
  EXPECT_EQ(lines(compiled_main("(%x: tensor<8x4xf32>, %y: tensor<3x5xf32>) -> tensor<4x5xf32>", R"(
  %a = stablehlo.slice %x [0:3, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
  %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %c = stablehlo.dot_general %b, %y, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %c : tensor<4x5xf32>)")),
            (Names{"result0 f32[4,5] = dot{batch []x[] contracting [0]x[0] standard}(argument0 "
                   "f32[3,4], argument1 f32[3,5])"}));
}

// The other user still needs the transpose, and a result with two users keeps its layout.
TEST(FoldTransposes, OtherUsersKeepTheirTransposes) {
  const auto code = lines(compiled_main(
      "(%x: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>)", R"(
  %a = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %c = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %d = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %c, %d, %a : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>)"));
  EXPECT_EQ(std::ranges::count_if(code,
                                  [](const std::string& line) {
                                    return line.find("strided_copy") != std::string::npos;
                                  }),
            2);
  EXPECT_EQ(std::ranges::count_if(code,
                                  [](const std::string& line) {
                                    return line.find("contracting [0]x[0]") != std::string::npos;
                                  }),
            1);
}

// The result would have its free dimensions in another order.
TEST(FoldTransposes, FreeDimensionsKeepTheirOrder) {
  const auto code =
      lines(compiled_main("(%x: tensor<2x3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x2x5xf32>", R"(
  %a = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %c = stablehlo.dot_general %a, %y, contracting_dims = [2] x [0] : (tensor<3x2x4xf32>, tensor<4x5xf32>) -> tensor<3x2x5xf32>
  return %c : tensor<3x2x5xf32>)"));
  ASSERT_EQ(code.size(), 2U);
  EXPECT_NE(code[0].find("strided_copy"), std::string::npos);
}

// Sums over two dimensions go through the lhs' dimensions in order.
TEST(FoldTransposes, TheOrderOfASumStays) {
  const auto code =
      lines(compiled_main("(%x: tensor<3x4xf32>, %y: tensor<4x3xf32>) -> tensor<f32>", R"(
  %a = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %c = stablehlo.dot_general %a, %y, contracting_dims = [0, 1] x [0, 1] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<f32>
  return %c : tensor<f32>)"));
  EXPECT_EQ(code.size(), 2U);
}

// Rows of the first product's result would be read by columns, one for each batch.
TEST(FoldTransposes, AProductWritesBatchesOneAfterTheOther) {
  const std::string signature = "(%w: tensor<3x4xf32>, %x: tensor<7x4xf32>, %y: tensor<7x3xf32>)";
  const std::string product =
      "%a = stablehlo.dot_general %w, %x, contracting_dims = [1] x [1], precision = [HIGHEST, "
      "DEFAULT] : (tensor<3x4xf32>, tensor<7x4xf32>) -> tensor<3x7xf32>\n";
  EXPECT_EQ(lines(compiled_main(signature + " -> tensor<7xf32>", product + R"(
  %c = stablehlo.dot_general %a, %y, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<3x7xf32>, tensor<7x3xf32>) -> tensor<7xf32>
  return %c : tensor<7xf32>)")),
            (Names{"temporary+0 f32[7,3] = dot{batch []x[] contracting [1]x[1] standard}(argument1 "
                   "f32[7,4], argument0 f32[3,4])",
                   "result0 f32[7] = dot{batch [0]x[0] contracting [1]x[1] "
                   "standard}(temporary+0 f32[7,3], argument2 f32[7,3])"}));
  // Another reader still needs the rows.
  const auto code =
      lines(compiled_main(signature + " -> (tensor<7xf32>, tensor<3x7xf32>)", product + R"(
  %c = stablehlo.dot_general %a, %y, batching_dims = [1] x [0], contracting_dims = [0] x [1] : (tensor<3x7xf32>, tensor<7x3xf32>) -> tensor<7xf32>
  return %c, %a : tensor<7xf32>, tensor<3x7xf32>)"));
  EXPECT_NE(code.at(1).find("batch [1]x[0] contracting [0]x[1]"), std::string::npos) << code.at(1);
}

// A loop writes what it carries at the end of its body.
TEST(FoldTransposes, OfWhatALoopCarries) {
  const std::string code =
      list(compiled_main("(%x: tensor<2x2xf32>, %i: tensor<i32>) -> tensor<2x2xf32>", R"(
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%y = %x, %k = %i) : tensor<2x2xf32>, tensor<i32>
  cond {
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %a = stablehlo.dot_general %t, %y, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %j = stablehlo.add %k, %n : tensor<i32>
    stablehlo.return %a, %j : tensor<2x2xf32>, tensor<i32>
  }
  return %r#0 : tensor<2x2xf32>)"));
  EXPECT_NE(code.find("contracting [0]x[0]"), std::string::npos) << code;
}

// Temporary 0 is written, transposed and read by a dot; `second`: where it is written again.
Dot dot_after_two_writes(std::ptrdiff_t second) {
  const TensorType type{ElementType::f32, {2, 2}};
  const auto temporary = [&](std::uint32_t i) { return Operand{{Space::temporary, i, 0}, type}; };
  const Operand argument{{Space::argument, 0, 0}, type}, result{{Space::result, 0, 0}, type};
  const auto write = [&](UnaryOp op) {
    return Instruction{Unary{op}, {argument}, {temporary(0)}, 0};
  };
  passes::Draft draft;
  draft.bytes.assign(2, 16);
  draft.code.push_back(write(UnaryOp::sine));
  draft.code.push_back(
      {StridedCopy{{2, 2}, {1, 2}, {2, 1}, 0, 0}, {temporary(0)}, {temporary(1)}, 0});
  draft.code.push_back({Dot{{}, {}, {1}, {0}}, {temporary(1), argument}, {result}, 0});
  draft.code.insert(draft.code.begin() + second, write(UnaryOp::tanh));
  passes::fold_transposes(draft);
  return std::get<Dot>(std::ranges::find_if(draft.code, [](const Instruction& one) {
                         return std::holds_alternative<Dot>(one.work);
                       })->work);
}

TEST(FoldTransposes, OnlyOfWhatIsUnchangedSince) {
  EXPECT_EQ(dot_after_two_writes(1).lhs_contracting, (Shape{0}));
  EXPECT_EQ(dot_after_two_writes(2).lhs_contracting, (Shape{1}));
  EXPECT_EQ(dot_after_two_writes(3).lhs_contracting, (Shape{0}));
}

TEST(PermutedView, MergedAxesAreDivided) {
  using passes::exchanges;
  using passes::permuted_view;
  using passes::strides_through;
  // [128, 12, 64] -> [12, 64, 128], as two axes.
  const StridedCopy copy{{768, 128}, {1, 768}, {128, 1}, 0, 0};
  EXPECT_EQ(strides_through(copy, {12, 64, 128}), (Shape{64, 1, 768}));
  EXPECT_EQ(strides_through(copy, {768, 1, 128}), (Shape{1, 0, 768}));
  // A dimension that spans both axes has no single stride.
  EXPECT_EQ(strides_through(copy, {12, 64 * 128}), std::nullopt);
  const auto view = permuted_view(copy, {12, 64, 128});
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->shape, (Shape{128, 12, 64}));
  EXPECT_EQ(view->position, (Shape{1, 2, 0}));
  EXPECT_TRUE(exchanges(copy, 1, 128, 768));
  EXPECT_FALSE(exchanges(copy, 12, 64, 128));
}

}  // namespace
}  // namespace understudy::program
