// SPDX-License-Identifier: Apache-2.0
// Fused loops whose chains run row by row, because an operand is a value of each row or one row for
// all, and reductions that read bf16 and f16 as they are: the bits of the plain program on every
// instruction set.
#include <fmt/format.h>

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// Values of rows and columns, twice: the second mean reads what the first wrote. `%k` makes an
// infinity and NaN of some elements.
std::string layer_norm(int rows, int columns, const char* type, const char* factor = "1.0") {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}>, %scale: tensor<{1}x{2}>, %bias: tensor<{1}x{2}>, %shift: tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}> {{
  %zero = stablehlo.constant dense<0.0> : tensor<{2}>
  %n = stablehlo.constant dense<{1}.0> : tensor<{0}x{2}>
  %k = stablehlo.constant dense<{3}> : tensor<{0}x{1}x{2}>
  %big = stablehlo.multiply %x, %k : tensor<{0}x{1}x{2}>
  %sum = stablehlo.reduce(%big init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  %mean = stablehlo.divide %sum, %n : tensor<{0}x{2}>
  %means = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %c = stablehlo.subtract %big, %means : tensor<{0}x{1}x{2}>
  %square = stablehlo.multiply %c, %c : tensor<{0}x{1}x{2}>
  %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  %variance = stablehlo.divide %total, %n : tensor<{0}x{2}>
  %root = stablehlo.rsqrt %variance : tensor<{0}x{2}>
  %roots = stablehlo.broadcast_in_dim %root, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %y = stablehlo.multiply %c, %roots : tensor<{0}x{1}x{2}>
  %scales = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<{1}x{2}>) -> tensor<{0}x{1}x{2}>
  %z = stablehlo.multiply %y, %scales : tensor<{0}x{1}x{2}>
  %biases = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<{1}x{2}>) -> tensor<{0}x{1}x{2}>
  %w = stablehlo.add %z, %biases : tensor<{0}x{1}x{2}>
  %shifts = stablehlo.broadcast_in_dim %shift, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %v = stablehlo.subtract %shifts, %w : tensor<{0}x{1}x{2}>
  %again = stablehlo.multiply %v, %means : tensor<{0}x{1}x{2}>
  return %again : tensor<{0}x{1}x{2}>
}})",
      rows, columns, type, factor);
}

TEST(FusedRows, ValuesOfRowsAndColumnsKeepTheirBits) {
  for (const int columns :
       {2, 8, 16, 27, 32, 64, 65, 100, 128, 150, 192, 300, 450, 1000, 1024, 1500, 4096})
    for (const int rows : {1, 2, 3, 9, 40}) expect_same_bits(layer_norm(rows, columns, "f32"));
  expect_same_bits(layer_norm(2, 16384, "f32"));
  expect_same_bits(layer_norm(5, 128, "bf16"));
  expect_same_bits(layer_norm(5, 1000, "bf16"));
  expect_same_bits(layer_norm(5, 128, "f16"));
  expect_same_bits(layer_norm(5, 1000, "f16"));
  expect_same_bits(layer_norm(5, 128, "f64"));
}

// Enough rows of few columns for iterations of one, two and four vectors, of which the last one of
// a row may overlap the one before it.
TEST(FusedRows, ManyNarrowRowsKeepTheirBits) {
  for (const int columns : {8, 16, 17, 20, 33, 40, 48, 64, 77, 88, 96, 100, 130, 150, 197, 254}) {
    const int rows = 8192 / columns + 5;
    expect_same_bits(layer_norm(rows, columns, "f32"));
    expect_same_bits(layer_norm(rows, columns, "bf16"));
    expect_same_bits(layer_norm(rows, columns, "f16"));
  }
}

TEST(FusedRows, NaNAndInfinitiesKeepTheirBits) {
  for (const char* factor : {"3.0e38", "-0.0", "1.0e-40"})
    for (const int columns : {256, 500}) expect_same_bits(layer_norm(7, columns, "f32", factor));
}

// Each element along its short row, and the end of the last one, in each size of elements.
TEST(FusedRows, ElementsAreRepeatedAlongShortRows) {
  for (const char* type : {"ui8", "i16", "f32", "f64"})
    for (const int columns : {2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 40})
      for (const int rows : {1, 2, 3, 700})
        expect_same_bits(fmt::format(
            R"(func.func public @main(%x: tensor<{0}x{2}>, %y: tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}x{2}> {{
  %xs = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %z = stablehlo.multiply %xs, %y : tensor<{0}x{1}x{2}>
  %w = stablehlo.add %z, %xs : tensor<{0}x{1}x{2}>
  return %w : tensor<{0}x{1}x{2}>
}})",
            rows, columns, type));
}

// A value of rows that another step than those of a chain reads, as well.
TEST(FusedRows, OtherReadersOfAValueOfRowsSeeIt) {
  for (const int columns : {64, 100, 1000, 1024})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<6x{0}xf32>, %w: tensor<{0}xf32>) -> (tensor<6x{0}xf32>, tensor<6x{0}xf32>, tensor<6x{0}xf32>) {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<6x{0}xf32>, tensor<f32>) -> tensor<6xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<6xf32>) -> tensor<6x{0}xf32>
  %ws = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<{0}xf32>) -> tensor<6x{0}xf32>
  %a = stablehlo.subtract %x, %ms : tensor<6x{0}xf32>
  %b = stablehlo.multiply %a, %ws : tensor<6x{0}xf32>
  %c = stablehlo.tanh %ms : tensor<6x{0}xf32>
  %d = stablehlo.exponential %ws : tensor<6x{0}xf32>
  %p = stablehlo.compare GT, %b, %ms : (tensor<6x{0}xf32>, tensor<6x{0}xf32>) -> tensor<6x{0}xi1>
  %e = stablehlo.select %p, %ws, %ms : tensor<6x{0}xi1>, tensor<6x{0}xf32>
  %f = stablehlo.add %e, %c : tensor<6x{0}xf32>
  %g = stablehlo.add %f, %b : tensor<6x{0}xf32>
  return %g, %d, %ms : tensor<6x{0}xf32>, tensor<6x{0}xf32>, tensor<6x{0}xf32>
}})",
        columns));
}

// The loop carries %m and %b, whose next values are written where the present ones are, before the
// last readers of their values in rows and columns.
TEST(FusedRows, AValueThatIsOverwrittenInPlaceIsReadBefore) {
  for (const int columns : {64, 100, 1000, 1024})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<6x{0}xf32>, %m0: tensor<6xf32>, %b0: tensor<{0}xf32>) -> (tensor<6x{0}xf32>, tensor<6xf32>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %y = %x, %m = %m0, %b = %b0) : tensor<i32>, tensor<6x{0}xf32>, tensor<6xf32>, tensor<{0}xf32>
  cond {{
    %go = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %ms = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<6xf32>) -> tensor<6x{0}xf32>
    %bs = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<{0}xf32>) -> tensor<6x{0}xf32>
    %m2 = stablehlo.multiply %m, %m : tensor<6xf32>
    %b2 = stablehlo.tanh %b : tensor<{0}xf32>
    %c = stablehlo.subtract %y, %ms : tensor<6x{0}xf32>
    %d = stablehlo.multiply %c, %bs : tensor<6x{0}xf32>
    %e = stablehlo.add %d, %ms : tensor<6x{0}xf32>
    stablehlo.return %next, %e, %m2, %b2 : tensor<i32>, tensor<6x{0}xf32>, tensor<6xf32>, tensor<{0}xf32>
  }}
  return %r#1, %r#2, %r#3 : tensor<6x{0}xf32>, tensor<6xf32>, tensor<{0}xf32>
}})",
        columns));
}

// Tiles that are parts of rows, and a value of rows that is an argument.
TEST(FusedRows, TilesOfLongRowsReadTheirPart) {
  for (const int columns : {8192, 8200})
    expect_same_bits(fmt::format(
        R"(func.func public @main(%x: tensor<3x{0}xf32>, %w: tensor<{0}xf32>, %r: tensor<3xi32>) -> tensor<3x{0}xf32> {{
  %ws = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<{0}xf32>) -> tensor<3x{0}xf32>
  %rs = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<3xi32>) -> tensor<3x{0}xi32>
  %f = stablehlo.convert %rs : (tensor<3x{0}xi32>) -> tensor<3x{0}xf32>
  %a = stablehlo.add %x, %ws : tensor<3x{0}xf32>
  %b = stablehlo.multiply %a, %f : tensor<3x{0}xf32>
  return %b : tensor<3x{0}xf32>
}})",
        columns));
}

// Sums of a narrow type in f32, as JAX lowers them.
std::string widened(int rows, int columns, const char* type, const char* operation, int dimension) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}>, %start: tensor<f32>) -> (tensor<{4}xf32>, tensor<{4}x{2}>) {{
  %y = stablehlo.convert %x : (tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.{3} across dimensions = [{5}] : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{4}xf32>
  %m = stablehlo.negate %s : tensor<{4}xf32>
  %n = stablehlo.convert %m : (tensor<{4}xf32>) -> tensor<{4}x{2}>
  return %s, %n : tensor<{4}xf32>, tensor<{4}x{2}>
}})",
      rows, columns, type, operation, dimension == 1 ? rows : columns, dimension);
}

// x * r + c three times, with a value of each row and one of each column: what the loop carries is
// overwritten in place. Of one run the machine code takes many rows at once, and the last lanes of
// each as a whole piece.
std::string scaled_and_shifted(int rows, int columns, const std::string& type, bool in_place) {
  const std::string matrix = fmt::format("tensor<{}x{}x{}>", rows, columns, type);
  const std::string steps = fmt::format(
      "%p = stablehlo.multiply %v, %rs : {0}\n%q = stablehlo.add %p, %cs : {0}\n", matrix);
  const std::string repeated = fmt::format(
      "%rs = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<{0}x{2}>) -> {3}\n"
      "%cs = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<{1}x{2}>) -> {3}\n",
      rows, columns, type, matrix);
  const std::string head = fmt::format(
      "func.func public @main(%{3}: {0}, %r: tensor<{1}x{4}>, %c: tensor<{2}x{4}>) -> {0} {{\n",
      matrix, rows, columns, in_place ? "x" : "v", type);
  if (!in_place) return head + repeated + steps + fmt::format("return %q : {}\n}}", matrix);
  return head + fmt::format(R"(%zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  {1}%i:2 = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, {0}
    cond {{
      %d = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %d : tensor<i1>
    }} do {{
      {2}%n = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %n, %q : tensor<i32>, {0}
    }}
  return %i#1 : {0}
}})",
                            matrix, repeated, steps);
}

TEST(FusedRows, OfManyTilesKeepTheirBits) {
  for (const char* type : {"f32", "bf16", "i32"})
    for (const auto& [rows, columns] : {std::pair{61, 1203},
                                        {5, 2048},
                                        {9, 5000},
                                        {33, 1100},
                                        {3, 40001},
                                        {70, 1025},
                                        {300, 100},
                                        {1024, 33},
                                        {400, 65},
                                        {300, 127}})
      for (const bool in_place : {false, true})
        expect_same_bits(scaled_and_shifted(rows, columns, type, in_place));
}

TEST(FusedRows, ReductionsReadNarrowFloatsWithTheBitsOfWideOnes) {
  for (const char* type : {"bf16", "f16"})
    for (const char* operation : {"add", "multiply", "maximum", "minimum"})
      for (const int dimension : {0, 1})
        for (const auto& [rows, columns] : {std::pair{1, 300}, {33, 7}, {19, 64}, {40, 1001}}) {
          const std::string text = widened(rows, columns, type, operation, dimension);
          expect_same_bits(text, 0);
          expect_same_bits(text, 0, {"widen-in-reductions"});
          expect_same_bits(text, 0, {"widen-in-reductions", "fuse-elementwise"});
        }
}

std::size_t conversions_to_matrices(const std::string& text) {
  const auto module = program::parse(std::make_shared<const program::Source>("test.mlir", text));
  program::CompileOptions options;
  options.disabled_passes = {"fuse-elementwise"};
  const program::Executable executable = compile(*module, options);
  std::size_t count = 0;
  for (const program::Instruction& it : executable.code)
    if (std::holds_alternative<program::Convert>(it.work) && it.outputs[0].type.shape.size() == 2)
      ++count;
  return count;
}

TEST(FusedRows, OnlyConversionsThatReductionsAloneReadAreTakenIn) {
  EXPECT_EQ(conversions_to_matrices(widened(40, 1001, "bf16", "add", 0)), 0U);
  EXPECT_EQ(conversions_to_matrices(R"(
func.func public @main(%x: tensor<8x9xbf16>, %start: tensor<f32>) -> (tensor<9xf32>, tensor<8x9xf32>) {
  %y = stablehlo.convert %x : (tensor<8x9xbf16>) -> tensor<8x9xf32>
  %s = stablehlo.reduce(%y init: %start) applies stablehlo.add across dimensions = [0] : (tensor<8x9xf32>, tensor<f32>) -> tensor<9xf32>
  %m = stablehlo.negate %y : tensor<8x9xf32>
  return %s, %m : tensor<9xf32>, tensor<8x9xf32>
})"),
            1U);
}

}  // namespace
}  // namespace understudy::worker
