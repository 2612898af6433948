// SPDX-License-Identifier: Apache-2.0
// Which pieces of concatenations are computed where they lie. That results stay:
// tests/ops/pieces.mlir.
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Listed = std::vector<std::string>;

// `results`: the signature of what @main returns; %x, %y: 1024 elements, 4 KiB each.
Listed with_pieces(const std::string& body, const std::string& results, bool places = true) {
  CompileOptions options = unfused();
  if (!places) options.disabled_passes.emplace_back("place-pieces");
  return lines(
      compiled("func.func public @main(%x: tensor<1024xf32>, %y: tensor<1024xf32>, %n: "
               "tensor<i32>) -> " +
                   results + " {\n" + body + "\n}\n",
               options));
}
const std::string kJoined =
    "%j = stablehlo.concatenate %a, %b, dim = 0 : (tensor<1024xf32>, tensor<1024xf32>) -> "
    "tensor<2048xf32>\n";
const std::string kWaves =
    "%a = stablehlo.sine %x : tensor<1024xf32>\n%b = stablehlo.cosine %y : tensor<1024xf32>\n";

TEST(PlacePieces, ComputedPiecesNeedNoCopy) {
  const std::string body = kWaves + kJoined + "return %j : tensor<2048xf32>";
  EXPECT_THAT(with_pieces(body, "tensor<2048xf32>"),
              ElementsAre(HasSubstr("result0 f32[1024] = unary{sine}"),
                          HasSubstr("result0+4096 f32[1024] = unary{cosine}")));
  EXPECT_EQ(with_pieces(body, "tensor<2048xf32>", false).size(), 4U);
}

TEST(PlacePieces, OtherReadersFollow) {
  const Listed code =
      with_pieces(kWaves + "%c = stablehlo.exponential %b : tensor<1024xf32>\n" + kJoined +
                      "%d = stablehlo.tanh %b : tensor<1024xf32>\n"
                      "return %j, %c, %d : tensor<2048xf32>, tensor<1024xf32>, "
                      "tensor<1024xf32>",
                  "(tensor<2048xf32>, tensor<1024xf32>, tensor<1024xf32>)");
  EXPECT_THAT(code, Contains(HasSubstr("result1 f32[1024] = unary{exponential}(result0+4096")));
  EXPECT_THAT(code, Contains(HasSubstr("result2 f32[1024] = unary{tanh}(result0+4096")));
  EXPECT_THAT(code, Not(Contains(HasSubstr("strided_copy"))));
}

TEST(PlacePieces, PiecesOfPiecesGoToTheLastArray) {
  EXPECT_THAT(
      with_pieces(kWaves + kJoined +
                      "%k = stablehlo.concatenate %y, %j, dim = 0 : (tensor<1024xf32>, "
                      "tensor<2048xf32>) -> tensor<3072xf32>\nreturn %k : tensor<3072xf32>",
                  "tensor<3072xf32>"),
      ElementsAre(HasSubstr("result0+4096 f32[1024] = unary{sine}"),
                  HasSubstr("result0+8192 f32[1024] = unary{cosine}"),
                  HasSubstr("result0 f32[3072] = strided_copy{[1024] from [1]+0 to [1]+0}")));
}

// A piece twice: the second place is a copy, and the first one keeps the value.
TEST(PlacePieces, OnePieceInTwoPlaces) {
  const Listed code = with_pieces(
      "%a = stablehlo.sine %x : tensor<1024xf32>\n"
      "%j = stablehlo.concatenate %a, %a, dim = 0 : (tensor<1024xf32>, tensor<1024xf32>) -> "
      "tensor<2048xf32>\nreturn %j : tensor<2048xf32>",
      "tensor<2048xf32>");
  ASSERT_EQ(code.size(), 2U);
  EXPECT_THAT(code[0], HasSubstr("result0+4096 f32[1024] = unary{sine}"));
  EXPECT_THAT(code[1], HasSubstr("strided_copy{[1024] from [1]+0 to [1]+0}(result0+4096"));
}

// Arguments, columns, and what is written over after it was computed.
TEST(PlacePieces, OthersAreCopied) {
  EXPECT_THAT(with_pieces("%a = stablehlo.sine %x : tensor<1024xf32>\n"
                          "%b = stablehlo.reshape %y : (tensor<1024xf32>) -> tensor<1024xf32>\n" +
                              kJoined + "return %j : tensor<2048xf32>",
                          "tensor<2048xf32>"),
              ElementsAre(HasSubstr("result0 f32[1024] = unary{sine}"),
                          HasSubstr("strided_copy{[1024] from [1]+0 to [1]+1024}(argument1")));
  EXPECT_THAT(with_pieces("%a = stablehlo.sine %x : tensor<1024xf32>\n"
                          "%b = stablehlo.reshape %a : (tensor<1024xf32>) -> tensor<32x32xf32>\n"
                          "%j = stablehlo.concatenate %b, %b, dim = 1 : (tensor<32x32xf32>, "
                          "tensor<32x32xf32>) -> tensor<32x64xf32>\nreturn %j : tensor<32x64xf32>",
                          "tensor<32x64xf32>"),
              ElementsAre(HasSubstr("temporary+0 f32[1024] = unary{sine}"),
                          HasSubstr("strided_copy{[32,2,32] from [32,0,1]+0 to [64,32,1]+0}")));
  EXPECT_THAT(with_pieces("%a = stablehlo.sine %x : tensor<1024xf32>\n"
                          "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                          "%j = stablehlo.pad %a, %z, low = [1024], high = [0], interior = [0] : "
                          "(tensor<1024xf32>, tensor<f32>) -> tensor<2048xf32>\n"
                          "return %j : tensor<2048xf32>",
                          "tensor<2048xf32>"),
              Contains(HasSubstr("strided_copy")));
}

TEST(PlacePieces, SmallOnesAreCopied) {
  const auto joined = [](std::int64_t n) {
    const auto type = [](std::int64_t size) { return "tensor<" + std::to_string(size) + "xi8>"; };
    return lines(compiled("func.func public @main(%x: " + type(n) + ") -> " + type(2 * n) +
                          " {\n%a = stablehlo.not %x : " + type(n) +
                          "\n%j = stablehlo.concatenate %a, %x, dim = 0 : (" + type(n) + ", " +
                          type(n) + ") -> " + type(2 * n) + "\nreturn %j : " + type(2 * n) +
                          "\n}\n"))
        .size();
  };
  EXPECT_EQ(joined(4096), 2U);
  EXPECT_EQ(joined(4095), 3U);
}

// A small piece is made first, then much that is not alive at the end: the array would be, too.
TEST(PlacePieces, PiecesThatWouldNeedMoreMemoryAreCopied) {
  const std::string large = "tensor<65536xf32>", all = "tensor<66560xf32>";
  const auto temporaries = [&](bool places) {
    CompileOptions options = unfused();
    if (!places) options.disabled_passes.emplace_back("place-pieces");
    return compiled("func.func public @main(%x: tensor<1024xf32>, %y: " + large + ") -> " + all +
                        " {\n%a = stablehlo.sine %x : tensor<1024xf32>\n"
                        "%0 = stablehlo.sine %y : " +
                        large + "\n%1 = stablehlo.cosine %y : " + large +
                        "\n%2 = stablehlo.tanh %y : " + large + "\n%3 = stablehlo.add %0, %1 : " +
                        large + "\n%4 = stablehlo.add %3, %2 : " + large +
                        "\n%j = stablehlo.concatenate %a, %4, dim = 0 : (tensor<1024xf32>, " +
                        large + ") -> " + all + "\n%r = stablehlo.negate %j : " + all +
                        "\n%s = stablehlo.reverse %r, dims = [0] : " + all +
                        "\nreturn %s : " + all + "\n}\n",
                    options)
        .temporary_bytes;
  };
  EXPECT_EQ(temporaries(true), temporaries(false));
}

// The result continues in the argument, which is read until its last piece is made.
TEST(PlacePieces, DonatedArgumentsKeepTheirResults) {
  const auto code = [](const std::string& attribute) {
    return lines(compiled(
        "func.func public @main(%x: tensor<2048xf32>" + attribute +
        ") -> tensor<2048xf32> {\n"
        "%a = stablehlo.slice %x [0:1024] : (tensor<2048xf32>) -> tensor<1024xf32>\n"
        "%b = stablehlo.slice %x [1024:2048] : (tensor<2048xf32>) -> tensor<1024xf32>\n"
        "%c = stablehlo.sine %b : tensor<1024xf32>\n%d = stablehlo.sine %a : tensor<1024xf32>\n"
        "%j = stablehlo.concatenate %c, %d, dim = 0 : (tensor<1024xf32>, tensor<1024xf32>) -> "
        "tensor<2048xf32>\nreturn %j : tensor<2048xf32>\n}\n"));
  };
  EXPECT_EQ(code("").size(), 2U);
  EXPECT_EQ(code(" {tf.aliasing_output = 0 : i32}").size(), 4U);
}

// Loops and their carried values stay as they are.
TEST(PlacePieces, WhatALoopMakesIsCopied) {
  const Listed code = with_pieces(
      "%z = stablehlo.constant dense<0> : tensor<i32>\n"
      "%one = stablehlo.constant dense<1> : tensor<i32>\n"
      "%0:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, tensor<1024xf32>\n cond {\n"
      "  %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n } do {\n"
      "  %2 = stablehlo.add %i, %one : tensor<i32>\n"
      "  %3 = stablehlo.sine %a : tensor<1024xf32>\n"
      "  stablehlo.return %2, %3 : tensor<i32>, tensor<1024xf32>\n }\n"
      "%j = stablehlo.concatenate %0#1, %y, dim = 0 : (tensor<1024xf32>, tensor<1024xf32>) -> "
      "tensor<2048xf32>\nreturn %j : tensor<2048xf32>",
      "tensor<2048xf32>");
  EXPECT_THAT(code, Contains(HasSubstr("strided_copy{[1024] from [1]+0 to [1]+0}(temporary")));
}

}  // namespace
}  // namespace understudy::program
