// SPDX-License-Identifier: Apache-2.0
// Programs with transposes around dots give the same bits with and without folding them, on the
// portable matrix unit, whose sums do not depend on the layout of operands.
#include <algorithm>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"

namespace understudy::worker {
namespace {

std::size_t copies_in(const program::Executable& executable) {
  return static_cast<std::size_t>(
      std::ranges::count_if(executable.code, [](const program::Instruction& it) {
        return std::holds_alternative<program::StridedCopy>(it.work);
      }));
}

// `text` with T for the type; `left`: copies that remain.
void expect_same_bits(std::string text, const char* type, std::size_t left) {
  for (std::size_t at = 0; (at = text.find("xT>", at)) != std::string::npos;)
    text.replace(at + 1, 1, type);
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  program::CompileOptions options;
  const program::Executable folded = compile(*module, options);
  options.disabled_passes = {"fold-transposes"};
  const program::Executable plain = compile(*module, options);
  EXPECT_EQ(copies_in(folded), left) << list(folded);
  EXPECT_GT(copies_in(plain), left);
  const std::vector<Bytes> arguments = random_arguments(plain, 5, {-60, 1.0 / 16, 2000});
  const auto& kernels = program::kernels::select("");
  EXPECT_EQ(OneChip(folded, kernels, Mxu::Make::portable).run(arguments),
            OneChip(plain, kernels, Mxu::Make::portable).run(arguments))
      << list(folded);
}

class Transposes : public testing::TestWithParam<const char*> {};

TEST_P(Transposes, OfOperandsAndResults) {
  expect_same_bits(R"(
func.func public @main(%x: tensor<9x4xT>, %y: tensor<7x9xT>) -> tensor<7x4xT> {
  %a = stablehlo.transpose %x, dims = [1, 0] : (tensor<9x4xT>) -> tensor<4x9xT>
  %b = stablehlo.transpose %y, dims = [1, 0] : (tensor<7x9xT>) -> tensor<9x7xT>
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x9xT>, tensor<9x7xT>) -> tensor<4x7xT>
  %d = stablehlo.transpose %c, dims = [1, 0] : (tensor<4x7xT>) -> tensor<7x4xT>
  return %d : tensor<7x4xT>
}
)",
                   GetParam(), 0);
}

TEST_P(Transposes, OfBatchesOfHeads) {
  expect_same_bits(R"(
func.func public @main(%q: tensor<6x3x5xT>, %k: tensor<8x3x5xT>) -> tensor<3x8x6xT> {
  %a = stablehlo.transpose %q, dims = [1, 0, 2] : (tensor<6x3x5xT>) -> tensor<3x6x5xT>
  %b = stablehlo.transpose %k, dims = [1, 2, 0] : (tensor<8x3x5xT>) -> tensor<3x5x8xT>
  %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x6x5xT>, tensor<3x5x8xT>) -> tensor<3x6x8xT>
  %d = stablehlo.transpose %c, dims = [0, 2, 1] : (tensor<3x6x8xT>) -> tensor<3x8x6xT>
  return %d : tensor<3x8x6xT>
}
)",
                   GetParam(), 0);
}

// The gradient of a product with a transposed weight: two transposes cancel.
TEST_P(Transposes, ThatCancel) {
  expect_same_bits(R"(
func.func public @main(%x: tensor<6x4xT>, %g: tensor<6x9xT>, %w: tensor<9x4xT>) -> (tensor<9x4xT>, tensor<6x4xT>) {
  %v = stablehlo.transpose %w, dims = [1, 0] : (tensor<9x4xT>) -> tensor<4x9xT>
  %c = stablehlo.dot_general %g, %x, contracting_dims = [0] x [0] : (tensor<6x9xT>, tensor<6x4xT>) -> tensor<9x4xT>
  %d = stablehlo.transpose %c, dims = [1, 0] : (tensor<9x4xT>) -> tensor<4x9xT>
  %e = stablehlo.transpose %d, dims = [1, 0] : (tensor<4x9xT>) -> tensor<9x4xT>
  %h = stablehlo.dot_general %g, %v, contracting_dims = [1] x [1] : (tensor<6x9xT>, tensor<4x9xT>) -> tensor<6x4xT>
  %s = stablehlo.add %e, %w : tensor<9x4xT>
  return %s, %h : tensor<9x4xT>, tensor<6x4xT>
}
)",
                   GetParam(), 0);
}

INSTANTIATE_TEST_SUITE_P(Types, Transposes, testing::Values("f32", "bf16", "i32", "f64", "i8"));

}  // namespace
}  // namespace understudy::worker
