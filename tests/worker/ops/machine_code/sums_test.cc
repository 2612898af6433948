// SPDX-License-Identifier: Apache-2.0
// Reductions and products of few elements in a loop of machine code have the bits of their kernels.
#include <fmt/format.h>
#include <random>

#include "tests/worker/ops/machine_code/machine_run.h"

namespace understudy::worker {
namespace {

constexpr std::size_t kRounds = 64;

// A loop that takes a row of `columns` of %a in each round, and carries `carried` elements, of
// which `body` makes %z from %x (the row) and %y.
std::string loop_of(const std::string& type, std::size_t columns, const std::string& row,
                    const std::string& carried, const std::string& body) {
  return fmt::format(R"(
func.func public @main(%a: tensor<{0}x{1}x{2}>, %s: tensor<{4}>) -> tensor<{4}> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<{0}> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %s) : tensor<i32>, tensor<{4}>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.dynamic_slice %a, %i, %zero, sizes = [1, {1}] : (tensor<{0}x{1}x{2}>, tensor<i32>, tensor<i32>) -> tensor<1x{1}x{2}>
    %x = stablehlo.reshape %2 : (tensor<1x{1}x{2}>) -> tensor<{3}>
    {5}
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %z : tensor<i32>, tensor<{4}>
  }}
  return %0#1 : tensor<{4}>
}}
)",
                     kRounds, columns, type, row, carried, body);
}

// Numbers of both signs, in which now and then one is at an edge of the type.
Bytes numbers(program::ElementType type, std::size_t count, unsigned seed, bool has_edges) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  const std::vector<std::uint64_t> edges = special_patterns(type);
  std::vector<std::uint64_t> patterns;
  for (std::size_t i = 0; i < count; ++i) {
    const auto drawn = static_cast<std::uint32_t>(random());
    const bool is_float = type == program::ElementType::f32;
    const std::uint64_t number =
        is_float ? std::uint64_t{std::bit_cast<std::uint32_t>(normal(random))} : drawn;
    patterns.push_back(has_edges && drawn % 16 == 0 ? edges[drawn / 16 % edges.size()] : number);
  }
  return patterns_argument(type, patterns);
}

void expect_bits(const std::string& text, program::ElementType type, std::size_t columns,
                 std::size_t carried, std::optional<std::size_t> loops = 1) {
  const program::Executable executable = compiled_program(text);
  for (const bool has_edges : {false, true}) {
    const Bytes start = numbers(type, carried, 7, has_edges);
    const Bytes rows = numbers(type, kRounds * columns, 3, has_edges);
    expect_same_bits(executable, {rows, start}, loops);
  }
}

TEST(MachineSums, HaveTheBitsOfTheirKernels) {
  for (const char* const op : {"add", "maximum", "minimum", "multiply"})
    for (const std::size_t columns : {1, 2, 3, 4, 5, 7, 8, 12, 16}) {
      for (const std::string type : {"f32", "i32"}) {
        const std::string sum = fmt::format(
            "%w = stablehlo.reduce(%x init: %y) applies stablehlo.{0} across dimensions = [0] : "
            "(tensor<{1}x{2}>, tensor<{2}>) -> tensor<{2}>\n"
            "%z = stablehlo.negate %w : tensor<{2}>",
            op, columns, type);
        SCOPED_TRACE(sum);
        expect_bits(loop_of(type, columns, fmt::format("{}x{}", columns, type), type, sum),
                    *program::element_type_of_mlir(type), columns, 1);
      }
    }
}

TEST(MachineSums, OfRowsHaveTheBitsOfTheirKernels) {
  for (const std::size_t columns : {1, 3, 4, 5, 8}) {
    const std::string sum = fmt::format(
        "%c = stablehlo.constant dense<-0.0> : tensor<f32>\n"
        "%w = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : "
        "(tensor<2x{0}xf32>, tensor<f32>) -> tensor<2xf32>\n"
        "%z = stablehlo.subtract %w, %y : tensor<2xf32>",
        columns);
    SCOPED_TRACE(sum);
    expect_bits(loop_of("f32", 2 * columns, fmt::format("2x{}xf32", columns), "2xf32", sum),
                program::ElementType::f32, 2 * columns, 2);
  }
}

// Dimensions of one element stand where they will.
TEST(MachineSums, OfAnyDimensionsHaveTheBitsOfTheirKernels) {
  struct Reduced {
    const char *row, *dimensions, *carried;
    std::size_t columns, count;
  };
  const Reduced all[] = {
      {"1x2x2", "0, 1", "2", 4, 2},      {"1x3x5", "0, 1", "5", 15, 5},
      {"1x2x2x1", "0, 1, 3", "2", 4, 2}, {"1x1x2x2", "0, 2", "1x2", 4, 2},
      {"2x1x2", "0, 1", "2", 4, 2},      {"1x2x2", "0, 2", "2", 4, 2},
      {"2x1x3", "1, 2", "2", 6, 2},      {"1x3x1", "0, 1", "1", 3, 1},
      {"2x3x1", "1", "2x1", 6, 2},       {"2x2x2", "0", "2x2", 8, 4},
      {"2x2x2", "1, 2", "2", 8, 2},
  };
  for (const Reduced& one : all) {
    const std::string sum = fmt::format(
        "%c = stablehlo.constant dense<-0.0> : tensor<f32>\n"
        "%w = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [{0}] : "
        "(tensor<{1}xf32>, tensor<f32>) -> tensor<{2}xf32>\n"
        "%z = stablehlo.subtract %w, %y : tensor<{2}xf32>",
        one.dimensions, one.row, one.carried);
    SCOPED_TRACE(sum);
    expect_bits(loop_of("f32", one.columns, fmt::format("{}xf32", one.row),
                        fmt::format("{}xf32", one.carried), sum),
                program::ElementType::f32, one.columns, one.count, std::nullopt);
  }
}

struct Shapes {
  const char* row;  // of the matrix, which is of the loop's rows
  const char* carried;
  const char* dimensions;
  std::size_t columns, count;
};

// Products by the matrix of each round, at both precisions.
TEST(MachineProducts, HaveTheBitsOfTheUnit) {
  const Shapes all[] = {
      {"2x2", "2", "contracting_dims = [1] x [0]", 4, 2},
      {"2x2", "2", "contracting_dims = [0] x [0]", 4, 2},
      {"3x3", "3", "contracting_dims = [1] x [0]", 9, 3},
      {"4x4", "4", "contracting_dims = [1] x [0]", 16, 4},
      {"2x2", "2x2", "contracting_dims = [1] x [0]", 4, 4},
      {"2x2", "2x2", "contracting_dims = [0] x [1]", 4, 4},
      {"3x3", "3x4", "contracting_dims = [1] x [0]", 9, 12},
      {"2x2x2", "2x2x1", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", 8, 4},
  };
  for (const Shapes& shapes : all)
    for (const char* const precision : {"DEFAULT", "HIGHEST"}) {
      const std::string body = fmt::format(
          "%w = stablehlo.dot_general %x, %y, {0}, precision = [{1}, {1}] : (tensor<{2}xf32>, "
          "tensor<{3}xf32>) -> tensor<{3}xf32>\n"
          "%h = stablehlo.constant dense<0.7> : tensor<{3}xf32>\n"
          "%z = stablehlo.multiply %w, %h : tensor<{3}xf32>",
          shapes.dimensions, precision, shapes.row, shapes.carried);
      SCOPED_TRACE(body);
      expect_bits(loop_of("f32", shapes.columns, fmt::format("{}xf32", shapes.row),
                          fmt::format("{}xf32", shapes.carried), body),
                  program::ElementType::f32, shapes.columns, shapes.count);
    }
}

// The matrix is rounded to bf16 before the loop.
TEST(MachineProducts, OfAnUnchangedMatrixHaveTheBitsOfTheUnit) {
  const std::string text = fmt::format(R"(
func.func public @main(%a: tensor<2x2xf32>, %s: tensor<2xf32>) -> tensor<2xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<{}> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %s) : tensor<i32>, tensor<2xf32>
  cond {{
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %w = stablehlo.dot_general %a, %y, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %z = stablehlo.tanh %w : tensor<2xf32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %z : tensor<i32>, tensor<2xf32>
  }}
  return %0#1 : tensor<2xf32>
}}
)",
                                       kRounds);
  const program::Executable executable = compiled_program(text);
  for (const unsigned seed : {1U, 2U, 3U}) {
    const std::vector<Bytes> arguments{numbers(program::ElementType::f32, 4, seed, seed == 3),
                                       numbers(program::ElementType::f32, 2, seed + 10, false)};
    expect_same_bits(executable, arguments, 1);
  }
}

}  // namespace
}  // namespace understudy::worker
