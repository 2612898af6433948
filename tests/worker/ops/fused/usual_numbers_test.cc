// SPDX-License-Identifier: Apache-2.0
// Machine code of chains has a body for usual numbers, which leaves iterations with others to a
// second body: wherever such numbers are, results have the bits of the kernels.
#include <fmt/format.h>
#include <limits>
#include <random>

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"
#include "worker/ops/chain_code/chain_code.h"

namespace understudy::worker {
namespace {

constexpr std::size_t kRows = 24, kColumns = 256, kCount = kRows * kColumns;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Two functions with a border, the second behind a result that is stored, and one that is a kernel;
// a value of rows and one of columns.
std::string text_of(const std::string& type) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}> {{tf.aliasing_output = 0 : i32}}, %r: tensor<{0}x{2}>, %c: tensor<{1}x{2}>)
    -> (tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>) {{
  %rows = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %columns = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<{1}x{2}>) -> tensor<{0}x{1}x{2}>
  %s = stablehlo.multiply %x, %columns : tensor<{0}x{1}x{2}>
  %e = stablehlo.exponential %s : tensor<{0}x{1}x{2}>
  %y = stablehlo.add %e, %rows : tensor<{0}x{1}x{2}>
  %l = stablehlo.logistic %x : tensor<{0}x{1}x{2}>
  %w = stablehlo.cosine %x : tensor<{0}x{1}x{2}>
  %v = stablehlo.multiply %l, %y : tensor<{0}x{1}x{2}>
  %z = stablehlo.add %v, %w : tensor<{0}x{1}x{2}>
  return %y, %z : tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>
}})",
      kRows, kColumns, type);
}

Bytes argument_of(const std::string& type, const std::vector<float>& x) {
  Bytes bytes;
  if (type == "f32") {
    bytes = program::kernels::bytes_of(x);
  } else {
    bytes.resize(2 * x.size());
    program::kernels::select("").convert(program::ElementType::f32, program::ElementType::f16)(
        x.data(), bytes.data(), x.size());
  }
  bytes.resize(bytes.size() + kSlack);
  return bytes;
}

class UsualNumbers : public testing::TestWithParam<const char*> {};

TEST_P(UsualNumbers, MayHaveOthersAmongThem) {
  const std::string type = GetParam();
  const program::Executable executable = compile(
      *program::parse(std::make_shared<const program::Source>("test.mlir", text_of(type))), {});
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  const auto numbers = [&](std::size_t n) {
    std::vector<float> made(n);
    for (float& x : made) x = normal(random);
    return made;
  };
  const Bytes rows = argument_of(type, numbers(kRows)),
              columns = argument_of(type, std::vector<float>(kColumns, 1.0F));
  const float others[] = {std::numeric_limits<float>::quiet_NaN(),
                          kInfinity,
                          -kInfinity,
                          88.5F,
                          90.0F,
                          -95.0F,
                          -104.5F,
                          -1e30F};
  std::size_t next = 0;
  for (const std::size_t step : {1U, 2U, 31U, 333U, 1021U, 4000U, 100000U})
    for (const std::size_t first : {std::size_t{0}, std::size_t{63}, kCount - 1}) {
      std::vector<float> x = numbers(kCount);
      for (std::size_t i = first; i < kCount; i += step) x[i] = others[next++ % std::size(others)];
      const std::vector<Bytes> arguments{argument_of(type, x), rows, columns};
      OneChip portable(executable, program::kernels::select("portable"), Mxu::Make::portable);
      const std::vector<Bytes> wanted = portable.run(arguments);
      for (const auto* kernels : program::kernels::available()) {
        OneChip chip(executable, *kernels, Mxu::Make::portable);
        chip.execution.chains.hot_elements = 0;
        chip.execution.chains.links_per_call = 0;
        EXPECT_TRUE(chip.run(arguments) == wanted)
            << kernels->isa << ", every " << step << " from " << first;
        EXPECT_EQ(chip.execution.chains.compiled > 0, ops::has_machine_code(*kernels))
            << kernels->isa;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Types, UsualNumbers, testing::Values("f32", "f16"));

// Each function that has a border: machine code calls no kernel for usual numbers.
class BorderFunctions : public testing::TestWithParam<const char*> {};

TEST_P(BorderFunctions, HaveTheBitsOfKernels) {
  constexpr std::size_t kElements = 5000;
  const std::string text = fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %y: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %a = stablehlo.multiply %x, %y : tensor<{0}xf32>
  %f = {1} %a : {2}
  %z = stablehlo.add %f, %y : tensor<{0}xf32>
  return %z : tensor<{0}xf32>
}})",
      kElements, GetParam(),
      std::string_view(GetParam()).starts_with("chlo")
          ? fmt::format("tensor<{0}xf32> -> tensor<{0}xf32>", kElements)
          : fmt::format("tensor<{0}xf32>", kElements));
  const program::Executable executable = compiled(text, true);
  std::mt19937 random(4);
  std::lognormal_distribution<float> positive(0.0F, 2.0F);
  const float others[] = {std::numeric_limits<float>::quiet_NaN(),
                          kInfinity,
                          -kInfinity,
                          0.0F,
                          -0.0F,
                          -1.0F,
                          1.0F,
                          1e-40F,
                          1.17549435e-38F,
                          99999.99F,
                          1e5F,
                          -2e9F,
                          1.3e30F};
  for (const std::size_t step : {1U, 7U, 400U, 100000U}) {
    std::vector<float> x(kElements), ones(kElements, 1.0F);
    for (float& one : x) one = positive(random);
    for (std::size_t i = step / 2; i < kElements; i += step)
      x[i] = others[random() % std::size(others)];
    const std::vector<Bytes> arguments{argument_of("f32", x), argument_of("f32", ones)};
    OneChip portable(executable, program::kernels::select("portable"), Mxu::Make::portable);
    const std::vector<Bytes> wanted = portable.run(arguments);
    for (const auto* kernels : program::kernels::available()) {
      OneChip chip(executable, *kernels, Mxu::Make::portable);
      chip.execution.chains.hot_elements = 0;
      EXPECT_TRUE(chip.run(arguments) == wanted) << kernels->isa << ", every " << step;
      EXPECT_EQ(chip.execution.chains.compiled, ops::has_machine_code(*kernels) ? 1U : 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, BorderFunctions,
                         testing::Values("stablehlo.exponential", "stablehlo.logistic",
                                         "stablehlo.log", "stablehlo.log_plus_one",
                                         "stablehlo.sine", "stablehlo.cosine", "stablehlo.tan",
                                         "chlo.asinh", "chlo.acosh", "chlo.atanh"));

}  // namespace
}  // namespace understudy::worker
