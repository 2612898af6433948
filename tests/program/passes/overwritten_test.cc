// SPDX-License-Identifier: Apache-2.0
// Fills that a loop overwrites. That results keep their bits: tests/worker/passes_test.cc.
#include <algorithm>

#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

// A loop that updates rows of zeros: from `begin` while it is below `end`, at the start that
// `start` computes as %s. `more` is other code of the body, before the update.
std::string rows_text(const std::string& begin, const std::string& end, const std::string& start,
                      const std::string& more = "") {
  return R"(
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
  %first = stablehlo.constant dense<)" +
         begin + R"(> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %w:3 = stablehlo.while(%i = %first, %y = %x, %all = %zeros)
      : tensor<i32>, tensor<1x128xf32>, tensor<8x128xf32>
  cond {
    %last = stablehlo.constant dense<)" +
         end + R"(> : tensor<i32>
    %c = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %z = stablehlo.add %y, %y : tensor<1x128xf32>
    )" + start +
         "\n" + more + R"(
    %u = stablehlo.dynamic_update_slice %all, %z, %s, %none
        : (tensor<8x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<8x128xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %z, %u : tensor<i32>, tensor<1x128xf32>, tensor<8x128xf32>
  }
  %sum = stablehlo.add %w#2, %w#2 : tensor<8x128xf32>
  return %sum : tensor<8x128xf32>)";
}

// Whether the zeros are written.
bool fills(const std::string& body) {
  const Executable executable = compiled_main("(%x: tensor<1x128xf32>) -> tensor<8x128xf32>", body);
  return std::ranges::any_of(executable.code, [](const Instruction& instruction) {
    return std::holds_alternative<Fill>(instruction.work) &&
           instruction.outputs[0].type.elements() == 8 * 128;
  });
}

constexpr const char* kForwards = "%s = stablehlo.add %i, %none : tensor<i32>";
constexpr const char* kBackwards = "%s = stablehlo.subtract %seven, %i : tensor<i32>";

TEST(RemoveOverwritten, RowsThatCoverTheArray) {
  EXPECT_FALSE(fills(rows_text("0", "8", kForwards)));
  EXPECT_FALSE(fills(rows_text("0", "8", kBackwards)));
  // As JAX writes an index: counted from the end where it is negative.
  EXPECT_FALSE(fills(rows_text("-8", "0", R"(
    %eight = stablehlo.constant dense<8> : tensor<i32>
    %p = stablehlo.compare LT, %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %q = stablehlo.add %i, %eight : tensor<i32>
    %s = stablehlo.select %p, %q, %i : tensor<i1>, tensor<i32>)")));
  // Starts beyond the end are clamped.
  EXPECT_FALSE(fills(rows_text("0", "12", kForwards)));
}

TEST(RemoveOverwritten, RowsThatLeaveSome) {
  EXPECT_TRUE(fills(rows_text("0", "7", kForwards)));
  EXPECT_TRUE(fills(rows_text("1", "8", kForwards)));
  EXPECT_TRUE(fills(rows_text("0", "4", "%s = stablehlo.add %i, %i : tensor<i32>")));
  EXPECT_TRUE(fills(rows_text("0", "0", kForwards)));  // no iteration
}

TEST(RemoveOverwritten, WhatIsReadOrUnknown) {
  EXPECT_TRUE(fills(rows_text("0", "8", kForwards, R"(
    %r = stablehlo.slice %all [7:8, 0:128] : (tensor<8x128xf32>) -> tensor<1x128xf32>
    %m = stablehlo.maximum %r, %r : tensor<1x128xf32>
    stablehlo.custom_call @check.expect_eq(%m, %m) {has_side_effect = true}
        : (tensor<1x128xf32>, tensor<1x128xf32>) -> ())")));
  EXPECT_TRUE(fills(rows_text("0", "8", R"(
    %row = stablehlo.slice %z [0:1, 0:1] : (tensor<1x128xf32>) -> tensor<1x1xf32>
    %f = stablehlo.reshape %row : (tensor<1x1xf32>) -> tensor<f32>
    %s = stablehlo.convert %f : (tensor<f32>) -> tensor<i32>)")));
  // Too long to follow.
  EXPECT_TRUE(fills(rows_text("-100000", "8", kForwards)));
}

}  // namespace
}  // namespace understudy::program
