// SPDX-License-Identifier: Apache-2.0
// Texts that want the reader's stack or memory: they are refused in plain words, or read at the
// cost of what they really hold.
#include <gtest/gtest.h>
#include <string>

#include "program/text/print_attribute.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

// What opens one level of each rule of the grammar that contains itself.
struct Opening {
  const char* name;
  const char* before;
  const char* level;
};
constexpr Opening kOpenings[] = {
    {"arrays", "module attributes {x.a = ", "["},
    {"dictionaries", "module attributes {x.a = ", "{b = "},
    {"types of values", "func.func @f(%x: ", "tuple<"},
    {"types of attributes", "module attributes {x.a = ", "tuple<"},
    {"functions of functions", "module attributes {x.a = ", "(() -> "},
    {"arguments of functions", "module attributes {x.a = ", "("},
    {"tensors of tensors", "func.func @f(%x: ", "tensor<2x"},
    {"vectors of vectors", "func.func @f(%x: ", "vector<2x"},
    {"futures", "func.func @f(%x: ", "!stablehlo.future<"},
    {"unknown types", "func.func @f(%x: ", "!a.b<"},
    {"unknown attributes", "module attributes {x.a = ", "#a.b<"},
    {"text in angles", "module attributes {x.a = #a.b<", "<"},
    {"text in brackets", "module attributes {x.a = #a.b<", "[("},
    {"structures", "module attributes {x.a = ", "#stablehlo.dot<a = "},
    {"fields of structures", "module attributes {x.a = #stablehlo.dot<a = ", "<a = "},
    {"regions", "func.func @f() {\n", "\"test.op\"() ({\n"},
    {"short regions", "func.func @f(%i: tensor<i1>) {\n", "\"stablehlo.if\"(%i) ({\n"},
    {"manual computations", "func.func @f() {\n",
     "sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {\n"},
    {"modules", "", "module {\n"},
    {"generic modules", "", "\"builtin.module\"() ({\n"},
    {"locations", "func.func @f() {\n\"test.op\"() : () -> () loc", "(callsite("},
    {"fused locations", "func.func @f() {\n\"test.op\"() : () -> () loc(", "fused["},
    {"literals", "module attributes {x.a = dense<", "["},
    {"lists of axes", "module attributes {x.a = #sdy.sharding<@m, [", "{"},
    {"shardings", "module attributes {x.a = #sdy.sharding_per_value<", "[<@m, ["},
};

TEST(Hostile, DepthOfTenThousandIsAnErrorInEveryRule) {
  for (const Opening& opening : kOpenings) {
    const std::string error = error_of(opening.before + repeated(opening.level, 10'000));
    EXPECT_NE(error.find(": error: "), std::string::npos) << opening.name << ": " << error;
    EXPECT_LT(error.size(), 1000U) << opening.name;
  }
}

std::string aliases(const std::string& mark, const std::string& first, const std::string& before,
                    const std::string& between, const std::string& after, int count) {
  std::string text = mark + "a0 = " + first + "\n";
  for (int i = 1; i < count; ++i) {
    const std::string last = mark + "a" + std::to_string(i - 1);
    text += mark + "a" + std::to_string(i) + " = " + before + last;
    if (!between.empty()) text += between + last;
    text += after + "\n";
  }
  return text;
}

// Each line of such a file is short, but the last alias stands for all lines, or for 2^60 parts.
TEST(Hostile, AliasesOfAliasesAreCounted) {
  const auto attribute = [](const std::string& between, int count) {
    return error_of(aliases("#", "1 : i32", "[", between, "]", count) +
                    "module attributes {x.a = #a" + std::to_string(count - 1) + "} {}\n");
  };
  const auto type = [](const std::string& between, int count) {
    return error_of(aliases("!", "tensor<f32>", "tuple<", between, ">", count) +
                    "func.func @f(%x: !a" + std::to_string(count - 1) + ") { return }\n");
  };
  EXPECT_EQ(attribute("", 200), "");
  EXPECT_EQ(type("", 200), "");
  EXPECT_EQ(attribute(", ", 15), "");
  EXPECT_EQ(type(", ", 15), "");
  for (const std::string& error : {attribute("", 100'000), type("", 20'000)})
    EXPECT_NE(error.find("error: nested more than 256 levels deep"), std::string::npos) << error;
  for (const std::string& error : {attribute(", ", 60), type(", ", 60)})
    EXPECT_NE(error.find("error: the aliases of this file expand to more than 4194304 parts"),
              std::string::npos)
        << error;
}

TEST(Hostile, LongFlatTextsAreRead) {
  const std::string symbol = "@a" + repeated("::@a", 100'000);
  const auto module = parsed("module attributes {x.a = " + symbol + "} {}\n");
  EXPECT_EQ(text_of(*module->find("x.a"), ""), symbol);
  const std::string list = repeated("1, ", 100'000) + "1";
  EXPECT_EQ(error_of("module attributes {x.a = [" + list + "]} {}\n"), "");
  EXPECT_EQ(error_of("module attributes {x.a = array<i64: " + list + ">} {}\n"), "");
}

// One element may stand for more than any machine holds.
TEST(Hostile, SplatsCostOneElement) {
  const auto module = parsed(
      "func.func @f() {\n  %0 = stablehlo.constant dense<0> : tensor<1000000000000xi64>\n"
      "  return\n}\n");
  const auto& op = *module->functions[0]->block().operations[0];
  EXPECT_EQ(op.find("value")->get<DenseAttribute>()->data->size(), 8U);
  const std::string lists[] = {
      "%0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : "
      "tensor<1000000000x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>",
      "%0 = \"stablehlo.collective_permute\"(%x) {source_target_pairs = dense<0> : "
      "tensor<1000000000x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>",
      "%0 = \"stablehlo.reverse\"(%x) {dimensions = dense<0> : tensor<1000000000xi64>} : "
      "(tensor<4xf32>) -> tensor<4xf32>",
      "%0 = \"stablehlo.pad\"(%x, %s) {edge_padding_low = dense<0> : tensor<1000000000xi64>, "
      "edge_padding_high = dense<0> : tensor<1000000000xi64>, interior_padding = dense<0> : "
      "tensor<1000000000xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
      "%0 = \"stablehlo.convolution\"(%y, %y) {batch_group_count = 1 : i64, feature_group_count = "
      "1 "
      ": i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, padding = "
      "dense<1> : tensor<1000000000x2xi64>} : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> "
      "tensor<1x1x1xf32>",
  };
  for (const std::string& line : lists) {
    const std::string error =
        error_of("func.func @f(%x: tensor<4xf32>, %s: tensor<f32>, %y: tensor<1x1x1xf32>) {\n  " +
                 line + "\n  return\n}\n");
    EXPECT_NE(error.find(": error: stablehlo."), std::string::npos) << line << "\n" << error;
  }
}

TEST(Hostile, SizesThatOverflowAreErrors) {
  const std::string most = "9223372036854775807";
  const std::string lines[] = {
      "%0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<" + most + "x" + most + "xf32>",
      "%0 = stablehlo.concatenate %h, %h, dim = 0 : (tensor<" + most + "xi1>, tensor<" + most +
          "xi1>) -> tensor<1xi1>",
      "%0 = stablehlo.slice %x [0:4:" + most + "] : (tensor<4xf32>) -> tensor<2xf32>",
      "%0 = stablehlo.pad %x, %s, low = [" + most + "], high = [" + most +
          "], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>",
      "%0 = \"stablehlo.all_gather\"(%h) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, "
      "1]]> : tensor<1x2xi64>} : (tensor<" +
          most + "xi1>) -> tensor<1xi1>",
      "%0 = \"stablehlo.reduce_window\"(%x, %s) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "stablehlo.return %a : tensor<f32>\n}) {window_dimensions = array<i64: " +
          most + ">, window_dilations = array<i64: " + most +
          ">} : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>",
  };
  for (const std::string& line : lines) {
    const std::string error =
        error_of("func.func @f(%x: tensor<4xf32>, %s: tensor<f32>, %h: tensor<" + most +
                 "xi1>) {\n  " + line + "\n  return\n}\n");
    EXPECT_NE(error.find(": error: stablehlo."), std::string::npos) << line << "\n" << error;
  }
}

}  // namespace
}  // namespace understudy::program
