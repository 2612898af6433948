// SPDX-License-Identifier: Apache-2.0
// Reductions of broadcasts that are unrolled keep their bits, with and without fused loops: random
// trees of element-wise work on numbers of rows and columns, on arrays that are repeated along some
// dimensions, and on the columns of whole arrays and slices, with NaN and zeros of both signs.
#include <fmt/format.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/read.h"
#include "tests/program/kernels/samples.h"
#include "tests/worker/one_chip.h"
#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

class Unrolled : public testing::TestWithParam<const char*> {
 protected:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string array() const {
    return fmt::format("tensor<{}x{}x{}x{}>", outer_, inner_, columns_, GetParam());
  }
  std::string type_of(const std::string& dimensions) const {
    std::string type;
    for (const char d : dimensions)
      type += fmt::format("{}x", d == '0'   ? outer_
                                 : d == '1' ? inner_
                                 : d == '2' ? columns_
                                            : columns_ + 1);
    return fmt::format("tensor<{}{}>", type, GetParam());
  }

  // An element-wise value, maybe one that there is already; leaves are broadcasts.
  std::string value(int depth) {
    if (!values_.empty() && below(6) == 0) return values_[below(values_.size())];
    const std::string name = fmt::format("%v{}", number_++);
    if (depth == 0 || below(4) == 0) {
      const auto& [argument, dimensions] = kLeaves[below(std::size(kLeaves))];
      if (std::string_view(dimensions) == "013") {
        body_ += fmt::format("  {} = stablehlo.slice {} [0:{}, 0:{}, 1:{}] : ({}) -> {}\n", name,
                             argument, outer_, inner_, columns_ + 1, type_of(dimensions), array());
      } else {
        body_ += fmt::format("  {} = stablehlo.broadcast_in_dim {}, dims = [{}] : ({}) -> {}\n",
                             name, argument, fmt::join(std::string(dimensions), ", "),
                             type_of(dimensions), array());
      }
    } else {
      const char* const ops[] = {"add", "subtract", "multiply", "maximum", "minimum"};
      const std::string a = value(depth - 1), b = value(depth - 1);
      if (below(4) == 0) {
        body_ += fmt::format(
            "  {0}p = stablehlo.compare LT, {1}, {2} : ({3}, {3}) -> tensor<{4}x{5}x{6}xi1>\n",
            name, a, b, array(), outer_, inner_, columns_);
        const std::string c = value(0);
        body_ +=
            fmt::format("  {0} = stablehlo.select {0}p, {1}, {2} : tensor<{3}x{4}x{5}xi1>, {6}\n",
                        name, c, a, outer_, inner_, columns_, array());
      } else {
        body_ +=
            fmt::format("  {} = stablehlo.{} {}, {} : {}\n", name, ops[below(5)], a, b, array());
      }
    }
    values_.push_back(name);
    return name;
  }

  std::string text(unsigned seed) {
    random_.seed(seed);
    outer_ = below(3) == 0 ? 1 : 20 + static_cast<int>(below(40));
    inner_ = (1024 + static_cast<int>(below(700))) / outer_ + 1;
    columns_ = 2 + static_cast<int>(below(below(2) == 0 ? 3 : 17));
    number_ = 0;
    body_.clear();
    values_.clear();
    const char* const ops[] = {"maximum", "minimum", "add", "multiply"};
    const std::string x = value(2), op = ops[below(4)];
    std::string arguments;
    for (const auto& [argument, dimensions] : kLeaves)
      arguments +=
          fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", argument, type_of(dimensions));
    return fmt::format(
        "func.func public @main({0}) -> {1} {{\n{2}  %r = stablehlo.reduce({3} init: %s) applies "
        "stablehlo.{4} across dimensions = [2] : ({5}, {6}) -> {1}\n  return %r : {1}\n}}\n",
        arguments, type_of("01"), body_, x, op, array(), type_of(""));
  }

  struct Leaf {
    const char *argument, *dimensions;
  };
  static constexpr Leaf kLeaves[] = {{"%x", "01"}, {"%y", "2"},   {"%s", ""},
                                     {"%a", "02"}, {"%b", "12"},  {"%c", "0"},
                                     {"%d", "1"},  {"%e", "012"}, {"%f", "013"}};
  std::mt19937 random_;
  int outer_ = 0, inner_ = 0, columns_ = 0, number_ = 0;
  std::string body_;
  std::vector<std::string> values_;
};

TEST_P(Unrolled, KeepTheirBits) {
  std::size_t unrolled = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    const std::string program = text(seed);
    SCOPED_TRACE(program);
    const auto compiled = [&](const std::vector<std::string>& disabled) {
      program::CompileOptions options;
      options.disabled_passes = disabled;
      return compile(*program::parse(std::make_shared<const program::Source>("test.mlir", program)),
                     options);
    };
    const program::Executable plain = compiled({"unroll-reductions", "fuse-elementwise"});
    const program::Executable steps = compiled({"fuse-elementwise"}), fused = compiled({});
    unrolled += list(steps).find("reduce{") == std::string::npos ? 1 : 0;
    std::vector<Bytes> arguments;
    for (const program::TensorType& type : plain.arguments) {
      arguments.push_back(program::kernels::sample(
          type.element, static_cast<std::size_t>(type.elements()), seed + 7));
      arguments.back().resize(arguments.back().size() + kSlack);
    }
    const auto run = [&](const program::Executable& executable) {
      OneChip chip(executable, program::kernels::select(""), Mxu::Make::portable);
      chip.execution.chains.hot_elements = 0;
      return chip.run(arguments);
    };
    const std::vector<Bytes> wanted = run(plain);
    EXPECT_TRUE(run(steps) == wanted) << list(steps);
    EXPECT_TRUE(run(fused) == wanted) << list(fused);
  }
  // Whole arrays of bf16 have no columns that chains load.
  EXPECT_GT(unrolled, GetParam() == std::string_view("bf16") ? 4U : 12U);
}

INSTANTIATE_TEST_SUITE_P(Types, Unrolled, testing::Values("f32", "i32", "bf16", "ui8", "i8"));

// An array whose columns are read as two types.
TEST(UnrolledViews, BitsOfOtherTypesKeepTheirBits) {
  for (const char* const made :
       {"%a = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2048xf32>) "
        "-> tensor<2048x3xf32>",
        "%a = stablehlo.reshape %x : (tensor<3x2048xf32>) -> "
        "tensor<2048x3xf32>"})
    expect_same_bits(
        fmt::format("func.func public @main(%x: tensor<3x2048xf32>, %y: tensor<2048x3xf32>) -> "
                    "tensor<2048xf32> {{\n{}\n"
                    "%b = stablehlo.bitcast_convert %a : (tensor<2048x3xf32>) -> "
                    "tensor<2048x3xi32>\n"
                    "%c = stablehlo.convert %b : (tensor<2048x3xi32>) -> tensor<2048x3xf32>\n"
                    "%d = stablehlo.multiply %a, %c : tensor<2048x3xf32>\n"
                    "%e = stablehlo.add %d, %y : tensor<2048x3xf32>\n"
                    "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                    "%r = stablehlo.reduce(%e init: %z) applies stablehlo.maximum across "
                    "dimensions = [1] : (tensor<2048x3xf32>, tensor<f32>) -> tensor<2048xf32>\n"
                    "return %r : tensor<2048xf32>\n}}\n",
                    made),
        1, {"unroll-reductions"});
}

}  // namespace
}  // namespace understudy::worker
