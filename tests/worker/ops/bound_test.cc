// SPDX-License-Identifier: Apache-2.0
// Bound code gives the bytes and the instruction counts of the same code run instruction by
// instruction: loops of scalars of every type, branches in loops, constants of tiles. (Single
// instructions: tests/worker/ops/ops_fixture.h compares both for each of its tests.)
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"
#include "worker/chip/executor.h"

namespace understudy::worker {
namespace {

using program::ElementType;

struct Outcome {
  std::vector<Bytes> results;
  std::uint64_t instructions = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome run_plainly(const program::Executable& executable, const std::vector<Bytes>& arguments) {
  OneChip chip(executable);
  configs::StatusCell status;
  chip.execution.status = &status;
  Outcome outcome;
  outcome.results = chip.run_plainly(arguments);
  outcome.instructions = status.instructions;
  return outcome;
}

Outcome run_bound(const program::Executable& executable, const std::vector<Bytes>& arguments) {
  OneChip chip(executable);
  configs::StatusCell status;
  chip.execution.status = &status;
  Outcome outcome;
  outcome.results = chip.run(arguments);
  outcome.instructions = status.instructions;
  return outcome;
}

Bytes numbers(ElementType type, const std::vector<double>& values) {
  Bytes bytes(values.size() * program::byte_size(type) + kSlack);
  program::kernels::select("").convert(ElementType::f64, type)(values.data(), bytes.data(),
                                                               values.size());
  return bytes;
}

void expect_same(const std::string& text, const std::vector<Bytes>& arguments,
                 std::uint64_t instructions = 20) {
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  for (const bool fuses : {true, false}) {
    program::CompileOptions options;
    if (!fuses) options.disabled_passes = {"fuse-elementwise"};
    const program::Executable executable = compile(*module, options);
    const Outcome plain = run_plainly(executable, arguments);
    EXPECT_EQ(run_bound(executable, arguments), plain) << list(executable);
    EXPECT_GT(plain.instructions, instructions);
  }
}

class Scalars : public testing::TestWithParam<const char*> {};

// Five iterations of sums, differences, products, comparisons and selections of scalars.
TEST_P(Scalars, OfLoopsKeepTheirBits) {
  const std::string type = GetParam();
  const std::string order = type[0] == 'f' ? "FLOAT" : type[0] == 'u' ? "UNSIGNED" : "SIGNED";
  const std::string text = fmt::format(R"(
func.func public @main(%a: tensor<{0}>, %b: tensor<{0}>, %t: tensor<9x{0}>) -> (tensor<{0}>, tensor<9x{0}>) {{
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %0:3 = stablehlo.while(%i = %z, %x = %a, %y = %t) : tensor<i32>, tensor<{0}>, tensor<9x{0}>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.multiply %x, %b : tensor<{0}>
    %4 = stablehlo.subtract %3, %a : tensor<{0}>
    %5 = stablehlo.compare GT, %4, %x, {1} : (tensor<{0}>, tensor<{0}>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %x, {1} : (tensor<{0}>, tensor<{0}>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.select %7, %4, %3 : tensor<i1>, tensor<{0}>
    %9 = stablehlo.dynamic_slice %y, %2, sizes = [1] : (tensor<9x{0}>, tensor<i32>) -> tensor<1x{0}>
    %10 = stablehlo.reshape %9 : (tensor<1x{0}>) -> tensor<{0}>
    %11 = stablehlo.add %8, %10 : tensor<{0}>
    %12 = stablehlo.reshape %11 : (tensor<{0}>) -> tensor<1x{0}>
    %13 = stablehlo.dynamic_update_slice %y, %12, %i : (tensor<9x{0}>, tensor<1x{0}>, tensor<i32>) -> tensor<9x{0}>
    stablehlo.return %2, %11, %13 : tensor<i32>, tensor<{0}>, tensor<9x{0}>
  }}
  return %0#1, %0#2 : tensor<{0}>, tensor<9x{0}>
}}
)",
                                       type, order);
  const ElementType element = *program::element_type_of_mlir(type);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> table{1, 2, -3, 4, 100, 0.5, -0.0, 7, 8};
  for (const auto& [a, b] : std::vector<std::pair<double, double>>{
           {3, 2}, {-1, 5}, {0, 0}, {nan, 1}, {infinity, -1}, {1e30, 1e30}})
    expect_same(text, {numbers(element, {a}), numbers(element, {b}), numbers(element, table)});
}
INSTANTIATE_TEST_SUITE_P(Types, Scalars,
                         testing::Values("f32", "f64", "bf16", "f16", "i32", "ui32", "i64", "ui64",
                                         "i8", "ui16"));

TEST(Bound, BranchesAndConstantsInLoopsKeepTheirBits) {
  expect_same(R"(
func.func public @main(%a: tensor<7x3xf32>) -> (tensor<7x3xf32>, tensor<7xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<6> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %half = stablehlo.constant dense<0.5> : tensor<7x3xf32>
  %low = stablehlo.constant dense<0.0> : tensor<7xf32>
  %0:3 = stablehlo.while(%i = %z, %x = %a, %r = %low) : tensor<i32>, tensor<7x3xf32>, tensor<7xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.iota dim = 1 : tensor<7x3xf32>
    %4 = stablehlo.multiply %x, %half : tensor<7x3xf32>
    %5 = stablehlo.add %4, %3 : tensor<7x3xf32>
    %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<7xf32>) -> tensor<7x3xf32>
    %8 = "stablehlo.case"(%i) ({
      %9 = stablehlo.sine %7 : tensor<7x3xf32>
      stablehlo.return %9 : tensor<7x3xf32>
    }, {
      %10 = stablehlo.negate %5 : tensor<7x3xf32>
      stablehlo.return %10 : tensor<7x3xf32>
    }, {
      stablehlo.return %x : tensor<7x3xf32>
    }) : (tensor<i32>) -> tensor<7x3xf32>
    stablehlo.return %2, %8, %6 : tensor<i32>, tensor<7x3xf32>, tensor<7xf32>
  }
  return %0#1, %0#2 : tensor<7x3xf32>, tensor<7xf32>
}
)",
              {numbers(ElementType::f32, {1,  2,  3,  4,   5,  6,  7,  -8, 9,  10, 11,
                                          12, 13, 14, -15, 16, 17, 18, 19, 20, 21})});
}

// Reductions to one number, of every kind of accumulator, in a loop.
class Sums : public testing::TestWithParam<const char*> {};
TEST_P(Sums, OfAllElementsInLoopsKeepTheirBits) {
  const std::string type = GetParam();
  const ElementType element = *program::element_type_of_mlir(type);
  std::vector<double> values;
  for (int i = 0; i < 55; ++i) values.push_back(i % 7 == 0 ? 0.25 * i - 9 : i % 5);
  expect_same(fmt::format(R"(
func.func public @main(%a: tensor<5x11x{0}>, %s: tensor<{0}>) -> (tensor<{0}>, tensor<{0}>) {{
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %0:3 = stablehlo.while(%i = %z, %x = %s, %y = %s) : tensor<i32>, tensor<{0}>, tensor<{0}>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.reduce(%a init: %x) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x11x{0}>, tensor<{0}>) -> tensor<{0}>
    %4 = stablehlo.reduce(%a init: %3) applies stablehlo.maximum across dimensions = [1, 0] : (tensor<5x11x{0}>, tensor<{0}>) -> tensor<{0}>
    stablehlo.return %2, %3, %4 : tensor<i32>, tensor<{0}>, tensor<{0}>
  }}
  return %0#1, %0#2 : tensor<{0}>, tensor<{0}>
}}
)",
                          type),
              {numbers(element, values), numbers(element, {1})}, 9);
}
INSTANTIATE_TEST_SUITE_P(Types, Sums,
                         testing::Values("f32", "f64", "bf16", "f16", "f8E5M2", "i32", "ui8",
                                         "i64"));

// One pred for an array, limits of as many elements, and bits of a type of another size too.
TEST(Bound, ChoicesInLoopsKeepTheirBits) {
  expect_same(
      R"(
func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x2xi16>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<9> : tensor<i32>
  %start = stablehlo.constant dense<7> : tensor<4x2xi16>
  %0:3 = stablehlo.while(%i = %z, %x = %a, %y = %start) : tensor<i32>, tensor<4xf32>, tensor<4x2xi16>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.remainder %i, %n : tensor<i32>
    %4 = stablehlo.and %3, %one : tensor<i32>
    %5 = stablehlo.compare EQ, %4, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.negate %x : tensor<4xf32>
    %7 = stablehlo.select %5, %6, %b : tensor<i1>, tensor<4xf32>
    %8 = stablehlo.clamp %b, %7, %a : tensor<4xf32>
    %9 = stablehlo.bitcast_convert %8 : (tensor<4xf32>) -> tensor<4xi32>
    %10 = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %11 = stablehlo.xor %9, %10 : tensor<4xi32>
    %12 = stablehlo.bitcast_convert %11 : (tensor<4xi32>) -> tensor<4xf32>
    %13 = stablehlo.bitcast_convert %11 : (tensor<4xi32>) -> tensor<4x2xi16>
    stablehlo.return %2, %12, %13 : tensor<i32>, tensor<4xf32>, tensor<4x2xi16>
  }
  return %0#1, %0#2 : tensor<4xf32>, tensor<4x2xi16>
}
)",
      {numbers(ElementType::f32, {1, 2.5, -3, 1e30}), numbers(ElementType::f32, {-1, 3, -8, 0})});
}

// Loops of scalars, whose status counts some iterations at once: none, fewer, whole lots, and more;
// with a branch by a pred and one by a number that leaves the range at both ends.
TEST(Bound, LongLoopsOfScalarsKeepTheirBitsAndCounts) {
  for (const int iterations : {0, 1, 63, 64, 65, 200}) {
    SCOPED_TRACE(iterations);
    expect_same(fmt::format(R"(
func.func public @main(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>) {{
  %z = stablehlo.constant dense<-3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<{}> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<i32>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = "stablehlo.case"(%i) ({{
      %4 = stablehlo.add %x, %i : tensor<i32>
      stablehlo.return %4 : tensor<i32>
    }}, {{
      %4 = stablehlo.multiply %x, %x : tensor<i32>
      %5 = stablehlo.subtract %4, %i : tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }}, {{
      stablehlo.return %x : tensor<i32>
    }}) : (tensor<i32>) -> tensor<i32>
    %6 = stablehlo.compare GT, %3, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "stablehlo.if"(%6) ({{
      %8 = stablehlo.subtract %3, %one : tensor<i32>
      stablehlo.return %8 : tensor<i32>
    }}, {{
      %8 = stablehlo.multiply %3, %i : tensor<i32>
      %9 = stablehlo.add %8, %2 : tensor<i32>
      stablehlo.return %9 : tensor<i32>
    }}) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %2, %7 : tensor<i32>, tensor<i32>
  }}
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}}
)",
                            iterations - 3),
                {numbers(ElementType::i32, {7})}, 0);
  }
}

}  // namespace
}  // namespace understudy::worker
