// SPDX-License-Identifier: Apache-2.0
// Reductions of broadcasts that are unrolled keep their bits, with and without fused loops: random
// trees of element-wise work on numbers of rows and columns, with NaN and zeros of both signs.
#include <fmt/format.h>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/read.h"
#include "tests/program/kernels/samples.h"
#include "tests/worker/one_chip.h"

namespace understudy::worker {
namespace {

class Unrolled : public testing::TestWithParam<const char*> {
 protected:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string array() const { return fmt::format("tensor<{}x{}x{}>", rows_, columns_, GetParam()); }

  // An element-wise value; leaves are broadcasts of rows, of columns and of one number.
  std::string value(int depth) {
    const std::string name = fmt::format("%v{}", number_++);
    if (depth == 0 || below(4) == 0) {
      const char* const leaves[][3] = {{"%x", "0", "{0}x"}, {"%y", "1", "{1}x"}, {"%s", "", ""}};
      const auto& leaf = leaves[below(3)];
      body_ +=
          fmt::format("  {} = stablehlo.broadcast_in_dim {}, dims = [{}] : (tensor<{}{}>) -> {}\n",
                      name, leaf[0], leaf[1], fmt::format(fmt::runtime(leaf[2]), rows_, columns_),
                      GetParam(), array());
      return name;
    }
    const char* const ops[] = {"add", "subtract", "multiply", "maximum", "minimum"};
    const std::string a = value(depth - 1), b = value(depth - 1);
    if (below(4) == 0) {
      body_ += fmt::format(
          "  {0}p = stablehlo.compare LT, {1}, {2} : ({3}, {3}) -> tensor<{4}x{5}xi1>\n"
          "  {0} = stablehlo.select {0}p, {6}, {1} : tensor<{4}x{5}xi1>, {3}\n",
          name, a, b, array(), rows_, columns_, value(0));
    } else {
      body_ += fmt::format("  {} = stablehlo.{} {}, {} : {}\n", name, ops[below(5)], a, b, array());
    }
    return name;
  }

  std::string text(unsigned seed) {
    random_.seed(seed);
    rows_ = 1024 + static_cast<int>(below(700));
    columns_ = 2 + static_cast<int>(below(9));
    number_ = 0;
    body_.clear();
    const bool is_float = std::string(GetParam()).ends_with("f16") || GetParam()[0] == 'f';
    const char* const ops[] = {"maximum", "minimum", is_float ? "maximum" : "add",
                               is_float ? "minimum" : "multiply"};
    const std::string x = value(2), op = ops[below(4)];
    return fmt::format(
        "func.func public @main(%x: tensor<{0}x{2}>, %y: tensor<{1}x{2}>, %s: tensor<{2}>) -> "
        "tensor<{0}x{2}> {{\n{3}  %r = stablehlo.reduce({4} init: %s) applies stablehlo.{5} across "
        "dimensions = [1] : ({6}, tensor<{2}>) -> tensor<{0}x{2}>\n  return %r : "
        "tensor<{0}x{2}>\n}}\n",
        rows_, columns_, GetParam(), body_, x, op, array());
  }

  std::mt19937 random_;
  int rows_ = 0, columns_ = 0, number_ = 0;
  std::string body_;
};

TEST_P(Unrolled, KeepTheirBits) {
  std::size_t unrolled = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
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
  EXPECT_GT(unrolled, 12U);
}

INSTANTIATE_TEST_SUITE_P(Types, Unrolled, testing::Values("f32", "i32", "bf16", "ui8"));

}  // namespace
}  // namespace understudy::worker
