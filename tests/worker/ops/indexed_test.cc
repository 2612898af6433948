// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters of dense runs against the general form: the same operation with its index
// vectors along the first dimension is computed window by window.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <random>

#include "gtest/gtest.h"

#include "program/executable/listing.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

Bytes random_bytes(std::size_t bytes, std::uint32_t seed) {
  std::mt19937 random(seed);
  Bytes values(bytes);
  for (std::byte& value : values) value = static_cast<std::byte>(random());
  return values;
}

std::size_t bytes_of_type(const std::string& type) {
  if (type == "f64" || type == "i64" || type == "ui64") return 8;
  if (type == "f32" || type == "i32" || type == "ui32") return 4;
  if (type == "complex<f64>") return 16;
  if (type == "complex<f32>") return 8;
  return type == "bf16" || type == "f16" ? 2 : 1;
}

// Index vectors of two numbers, some of them outside; `first`: along the first dimension.
std::vector<std::int32_t> indices(std::size_t n, bool first) {
  std::mt19937 random(9);
  std::vector<std::int32_t> values(2 * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t v = 0; v < 2; ++v)
      values[first ? v * n + i : 2 * i + v] = static_cast<std::int32_t>(random() % 9) - 1;
  return values;
}

constexpr std::size_t kWindows = 1500;  // more than one part of offsets

// Scatter of elements (run 1) or rows of 5 into 7 x 6 x 5.
std::string scatter_text(const std::string& type, const std::string& op, bool rows, bool first) {
  const std::string updates = rows ? fmt::format("{}x5", kWindows) : fmt::format("{}", kWindows);
  const std::string operand = rows ? "7x6x5" : "7x6";
  const std::string kind = first ? fmt::format("2x{}", kWindows) : fmt::format("{}x2", kWindows);
  return fmt::format(
      R"(func.func @main(%x: tensor<{0}x{2}>, %i: tensor<{3}xi32>, %u: tensor<{1}x{2}>) -> tensor<{0}x{2}> {{
  %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{4}
    inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = {5}>}}> ({{
  ^bb0(%a: tensor<{2}>, %b: tensor<{2}>):
    {6}
  }}) : (tensor<{0}x{2}>, tensor<{3}xi32>, tensor<{1}x{2}>) -> tensor<{0}x{2}>
  return %r : tensor<{0}x{2}>
}})",
      operand, updates, type, kind, rows ? "update_window_dims = [1]," : "", first ? 0 : 1,
      op.empty() ? fmt::format("stablehlo.return %b : tensor<{}>", type)
                 : fmt::format("%c = stablehlo.{0} %a, %b : tensor<{1}>\n    stablehlo.return %c : "
                               "tensor<{1}>",
                               op, type));
}

TEST(Indexed, ScatterOfRunsEqualsTheGeneralForm) {
  for (const std::string type : {"f32", "f64", "bf16", "f16", "i8", "i32", "ui32", "i64", "ui64"})
    for (const std::string op : {"", "add", "maximum", "minimum", "multiply"})
      for (const bool rows : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} rows {}", type, op, rows));
        const std::size_t size = bytes_of_type(type), run = rows ? 5 : 1;
        const Bytes x = random_bytes(42 * run * size, 1),
                    u = random_bytes(kWindows * run * size, 2);
        EXPECT_TRUE(run_program(scatter_text(type, op, rows, false),
                                {x, bytes_of(indices(kWindows, false)), u}) ==
                    run_program(scatter_text(type, op, rows, true),
                                {x, bytes_of(indices(kWindows, true)), u}));
      }
}

TEST(Indexed, ScatterOfComplexNumbersEqualsTheGeneralForm) {
  for (const std::string op : {"", "add", "multiply"})
    for (const bool rows : {false, true}) {
      SCOPED_TRACE(fmt::format("{} rows {}", op, rows));
      const std::size_t run = rows ? 5 : 1;
      const Bytes x = random_bytes(42 * run * 8, 1), u = random_bytes(kWindows * run * 8, 2);
      EXPECT_TRUE(run_program(scatter_text("complex<f32>", op, rows, false),
                              {x, bytes_of(indices(kWindows, false)), u}) ==
                  run_program(scatter_text("complex<f32>", op, rows, true),
                              {x, bytes_of(indices(kWindows, true)), u}));
    }
}

// Zeros of both signs, infinities and NaN of both signs meet in every order.
TEST(Indexed, ScatterOfSpecialNumbersEqualsTheGeneralForm) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float specials[] = {0.0F,      -0.0F,      1.0F,           -1.0F,
                            kInfinity, -kInfinity, std::nanf("1"), -std::nanf("2")};
  std::mt19937 random(6);
  const auto some = [&](std::size_t n, std::size_t kinds) {
    std::vector<float> values(n);
    for (float& value : values) value = specials[random() % kinds];
    return bytes_of(values);
  };
  for (const std::string op : {"add", "maximum", "minimum", "multiply"})
    for (const std::size_t kinds : {2U, 4U, 6U, 8U}) {
      const Bytes x = some(42, kinds), u = some(kWindows, kinds);
      EXPECT_TRUE(run_program(scatter_text("f32", op, false, false),
                              {x, bytes_of(indices(kWindows, false)), u}) ==
                  run_program(scatter_text("f32", op, false, true),
                              {x, bytes_of(indices(kWindows, true)), u}))
          << op << " " << kinds;
    }
}

std::string gather_text(const std::string& type, bool rows, bool first) {
  const std::string result = rows ? fmt::format("{}x5", kWindows) : fmt::format("{}", kWindows);
  const std::string kind = first ? fmt::format("2x{}", kWindows) : fmt::format("{}x2", kWindows);
  return fmt::format(
      R"(func.func @main(%x: tensor<{0}x{2}>, %i: tensor<{3}xi32>) -> tensor<{1}x{2}> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{4}
    collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = {5}>,
    slice_sizes = array<i64: 1, 1{6}>}}> : (tensor<{0}x{2}>, tensor<{3}xi32>) -> tensor<{1}x{2}>
  return %r : tensor<{1}x{2}>
}})",
      rows ? "7x6x5" : "7x6", result, type, kind, rows ? "offset_dims = [1]," : "", first ? 0 : 1,
      rows ? ", 5" : "");
}

TEST(Indexed, GatherOfRunsEqualsTheGeneralForm) {
  for (const std::string type : {"i8", "bf16", "f32", "f64", "complex<f64>"})
    for (const bool rows : {false, true}) {
      const Bytes x = random_bytes(42 * (rows ? 5 : 1) * bytes_of_type(type), 1);
      EXPECT_TRUE(
          run_program(gather_text(type, rows, false), {x, bytes_of(indices(kWindows, false))}) ==
          run_program(gather_text(type, rows, true), {x, bytes_of(indices(kWindows, true))}));
    }
}

// Tables whose numbers have a type that does not reach beyond their end.
TEST(Indexed, TablesOfEveryWidthOfElements) {
  static constexpr std::size_t kCount = 1003;
  const auto check = [](const std::string& type, auto number, const std::string& index) {
    using Number = decltype(number);
    const std::size_t bytes = bytes_of_type(type), size = std::size_t{1} << 8 * sizeof(Number);
    const Bytes table = random_bytes(size * bytes, 1),
                at = random_bytes(kCount * sizeof(Number), 2);
    Bytes wanted;
    for (std::size_t i = 0; i < kCount; ++i) {
      std::memcpy(&number, at.data() + i * sizeof(Number), sizeof(Number));
      const auto first = table.begin() + static_cast<std::ptrdiff_t>(number * bytes);
      wanted.insert(wanted.end(), first, first + static_cast<std::ptrdiff_t>(bytes));
    }
    const std::string text = fmt::format(
        R"(func.func @main(%x: tensor<{0}x{1}>, %i: tensor<{2}x1x{3}>) -> tensor<{2}x{1}> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (tensor<{0}x{1}>, tensor<{2}x1x{3}>) -> tensor<{2}x{1}>
  return %r : tensor<{2}x{1}>
}})",
        size, type, kCount, index);
    EXPECT_TRUE(run_program(text, {table, at})[0] == wanted) << type << " by " << index;
  };
  for (const std::string type : {"i8", "bf16", "f32", "f64", "complex<f64>"}) {
    check(type, std::uint8_t{}, "ui8");
    check(type, std::uint16_t{}, "ui16");
  }
}

// Along each dimension in turn, against the definition; indices are clamped.
TEST(Indexed, GatherAlongADimension) {
  const std::int64_t shape[] = {4, 5, 6};
  std::vector<std::int32_t> x(120);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i);
  const std::vector<std::int32_t> at = {3, 0, -1, 99, 2, 2, 1};
  for (std::int64_t d = 0; d < 3; ++d) {
    std::string sizes[3], result[3], offsets;
    for (std::int64_t i = 0; i < 3; ++i) {
      sizes[i] = std::to_string(i == d ? 1 : shape[i]);
      result[i] = i == d ? "7" : std::to_string(shape[i]);
      if (i != d) offsets += (offsets.empty() ? "" : ", ") + std::to_string(i);
    }
    const std::string out = fmt::format("tensor<{}x{}x{}xi32>", result[0], result[1], result[2]);
    const std::string text = fmt::format(
        R"(func.func @main(%x: tensor<4x5x6xi32>, %i: tensor<7x1xi32>) -> {0} {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{1}],
    collapsed_slice_dims = [{2}], start_index_map = [{2}], index_vector_dim = 1>,
    slice_sizes = array<i64: {3}, {4}, {5}>}}> : (tensor<4x5x6xi32>, tensor<7x1xi32>) -> {0}
  return %r : {0}
}})",
        out, offsets, d, sizes[0], sizes[1], sizes[2]);
    std::vector<std::int32_t> want;
    for (std::int64_t a = 0; a < (d == 0 ? 7 : 4); ++a)
      for (std::int64_t b = 0; b < (d == 1 ? 7 : 5); ++b)
        for (std::int64_t c = 0; c < (d == 2 ? 7 : 6); ++c) {
          std::int64_t index[] = {a, b, c};
          index[d] =
              std::clamp<std::int64_t>(at[static_cast<std::size_t>(index[d])], 0, shape[d] - 1);
          want.push_back(static_cast<std::int32_t>((index[0] * 5 + index[1]) * 6 + index[2]));
        }
    EXPECT_EQ(values_of<std::int32_t>(run_program(text, {bytes_of(x), bytes_of(at)})[0]), want)
        << d;
  }
}

// Transpositions of whole and partial blocks, reversals and strided slices.
TEST(Indexed, MovementsInBlocks) {
  for (const auto& [rows, columns] : {std::pair{32, 32}, {33, 70}, {64, 31}, {1, 40}}) {
    std::vector<std::int32_t> x(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i);
    const std::string text = fmt::format(
        R"(func.func @main(%x: tensor<{0}x{1}xi32>)
    -> (tensor<{1}x{0}xi32>, tensor<{0}x{1}xi32>, tensor<{0}x{2}xi32>) {{
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<{0}x{1}xi32>) -> tensor<{1}x{0}xi32>
  %r = stablehlo.reverse %x, dims = [1] : tensor<{0}x{1}xi32>
  %s = stablehlo.slice %x [0:{0}, 0:{1}:2] : (tensor<{0}x{1}xi32>) -> tensor<{0}x{2}xi32>
  return %t, %r, %s : tensor<{1}x{0}xi32>, tensor<{0}x{1}xi32>, tensor<{0}x{2}xi32>
}})",
        rows, columns, (columns + 1) / 2);
    const auto got = run_program(text, {bytes_of(x)});
    std::vector<std::int32_t> transposed, reversed, strided;
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r) transposed.push_back(r * columns + c);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        reversed.push_back(r * columns + columns - 1 - c);
        if (c % 2 == 0) strided.push_back(r * columns + c);
      }
    EXPECT_EQ(values_of<std::int32_t>(got[0]), transposed);
    EXPECT_EQ(values_of<std::int32_t>(got[1]), reversed);
    EXPECT_EQ(values_of<std::int32_t>(got[2]), strided);
  }
}

// Every row has its own indices: batching dimensions, as jnp.take_along_axis writes them.
TEST(Indexed, BatchingDimensions) {
  const std::string gather =
      R"(func.func @main(%x: tensor<3x8xi32>, %i: tensor<3x4x1xi32>) -> tensor<3x4xi32> {
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
    operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<3x8xi32>, tensor<3x4x1xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
})";
  std::vector<std::int32_t> x(24);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i);
  const std::vector<std::int32_t> at = {0, 7, -3, 9, 1, 1, 2, 3, 6, 5, 4, 100};
  EXPECT_EQ(values_of<std::int32_t>(run_program(gather, {bytes_of(x), bytes_of(at)})[0]),
            (std::vector<std::int32_t>{0, 7, 0, 7, 9, 9, 10, 11, 22, 21, 20, 23}));
  const std::string scatter =
      R"(func.func @main(%x: tensor<3x8xi32>, %i: tensor<3x4x1xi32>, %u: tensor<3x4xi32>) -> tensor<3x8xi32> {
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
    input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<3x8xi32>, tensor<3x4x1xi32>, tensor<3x4xi32>) -> tensor<3x8xi32>
  return %r : tensor<3x8xi32>
})";
  const std::vector<std::int32_t> ones(12, 1);
  EXPECT_EQ(values_of<std::int32_t>(run_program(scatter, {bytes_of(std::vector<std::int32_t>(24)),
                                                          bytes_of(at), bytes_of(ones)})[0]),
            (std::vector<std::int32_t>{1, 0, 0, 0, 0, 0, 0, 1, 0, 2, 1, 1,
                                       0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0}));
}

// Elements gathered from the lines of an operand, and the operand with updates joined in.
struct Moved {
  std::vector<float> gathered, scattered;
};
constexpr std::int64_t kLines = 3, kLineSize = 11,
                       kLineIndices = 40;  // of the operand; indices of a line

// The definition: one element after the other, clamped or left out where it is not inside.
template <class Index>
Moved moved_singly(const std::vector<Index>& at, const std::vector<float>& x,
                   const std::vector<float>& u) {
  Moved out{{}, x};
  for (std::int64_t line = 0; line < kLines; ++line)
    for (std::int64_t i = 0; i < kLineIndices; ++i) {
      const auto n = static_cast<std::size_t>(line * kLineIndices + i);
      // -1 of an unsigned type is large.
      const bool is_below = std::is_signed_v<Index> && at[n] < Index(0);
      const bool is_above = !is_below && static_cast<std::uint64_t>(at[n]) >= kLineSize;
      const std::int64_t inside = is_below ? 0 : is_above ? kLineSize - 1 : std::int64_t(at[n]);
      out.gathered.push_back(x[static_cast<std::size_t>(line * kLineSize + inside)]);
      if (is_below || is_above) continue;
      float& to = out.scattered[static_cast<std::size_t>(line * kLineSize + inside)];
      if (to != to || u[n] != u[n]) {
        to = std::nanf("");
      } else if (u[n] < to || (u[n] == to && std::signbit(u[n]))) {
        to = u[n];
      }
    }
  return out;
}

// Index vectors of one number, of every kind of index, along one line and along lines of a batching
// dimension, against the definition. Indices lie before, inside and behind the operand.
template <class Index>
void check_single_numbers(const std::string& type) {
  std::mt19937 random(5);
  std::vector<Index> at(kLines * kLineIndices);
  for (Index& index : at) index = static_cast<Index>(random() % 14) - static_cast<Index>(1);
  std::vector<float> x(kLines * kLineSize), u(kLines * kLineIndices);
  for (float& value : x) value = static_cast<float>(random() % 7) - 3.0F;
  for (float& value : u)
    value = random() % 9 == 0 ? -0.0F : static_cast<float>(random() % 7) - 3.0F;
  x[4] = u[7] = std::nanf("");
  const std::string text = fmt::format(
      R"(func.func @main(%x: tensor<3x11xf32>, %i: tensor<3x40x1x{0}>, %u: tensor<3x40xf32>)
    -> (tensor<3x40xf32>, tensor<3x11xf32>) {{
  %g = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
    operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}}> : (tensor<3x11xf32>, tensor<3x40x1x{0}>) -> tensor<3x40xf32>
  %s = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
    input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.minimum %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }}) : (tensor<3x11xf32>, tensor<3x40x1x{0}>, tensor<3x40xf32>) -> tensor<3x11xf32>
  return %g, %s : tensor<3x40xf32>, tensor<3x11xf32>
}})",
      type);
  const Moved wanted = moved_singly(at, x, u);
  const auto got = run_program(text, {bytes_of(x), bytes_of(at), bytes_of(u)});
  EXPECT_TRUE(got[0] == bytes_of(wanted.gathered)) << type;
  EXPECT_TRUE(got[1] == bytes_of(wanted.scattered)) << type;
}

TEST(Indexed, SingleNumbersOfEveryIndexType) {
  check_single_numbers<std::int8_t>("i8");
  check_single_numbers<std::uint8_t>("ui8");
  check_single_numbers<std::int16_t>("i16");
  check_single_numbers<std::int32_t>("i32");
  check_single_numbers<std::uint32_t>("ui32");
  check_single_numbers<std::int64_t>("i64");
  check_single_numbers<std::uint64_t>("ui64");
}

// Windows of 3 x 1 x 5 (or of 1 x 1 x 5, without their dimensions) into 7 x 6 x 5.
std::string windows_text(int count, bool dropped, const std::string& type, const std::string& index,
                         const std::string& op) {
  return fmt::format(
      R"(func.func @main(%x: tensor<7x6x5x{1}>, %i: tensor<{0}x2x{2}>, %u: tensor<{3}x{1}>) -> tensor<7x6x5x{1}> {{
  %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{4}
    scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
  ^bb0(%a: tensor<{1}>, %b: tensor<{1}>):
    {5}
  }}) : (tensor<7x6x5x{1}>, tensor<{0}x2x{2}>, tensor<{3}x{1}>) -> tensor<7x6x5x{1}>
  return %r : tensor<7x6x5x{1}>
}})",
      count, type, index, dropped ? fmt::format("{}x5", count) : fmt::format("{}x3x1x5", count),
      dropped ? "update_window_dims = [1], inserted_window_dims = [0, 1],"
              : "update_window_dims = [1, 2, 3],",
      op.empty() ? fmt::format("stablehlo.return %b : tensor<{}>", type)
                 : fmt::format("%c = stablehlo.{0} %a, %b : tensor<{1}>\n    stablehlo.return %c : "
                               "tensor<{1}>",
                               op, type));
}

template <class Index>
void expect_one_window_as_two(bool dropped, const std::string& type, const std::string& index,
                              const std::string& op) {
  const std::size_t bytes = bytes_of_type(type), window = (dropped ? 5 : 15) * bytes;
  const Bytes x = random_bytes(7 * 6 * 5 * bytes, 3), update = random_bytes(window, 4);
  Bytes twice = update;
  twice.insert(twice.end(), update.begin(), update.end());
  const std::string one = windows_text(1, dropped, type, index, op),
                    two = windows_text(2, dropped, type, index, op);
  // The general form takes two windows; the second one is outside.
  EXPECT_NE(list(compiled(two)).find("= scatter{"), std::string::npos);
  EXPECT_EQ(list(compiled(one)).find("= scatter{"), std::string::npos);
  for (const auto& [i, j] :
       {std::pair{0, 0}, {4, 5}, {5, 2}, {6, 5}, {7, 0}, {0, 6}, {-1, 2}, {2, -1}}) {
    const auto a = static_cast<Index>(i), b = static_cast<Index>(j);
    EXPECT_EQ(run_program(one, {x, bytes_of<Index>({a, b}), update}),
              run_program(two, {x, bytes_of<Index>({a, b, 100, 100}), twice}))
        << i << " " << j;
  }
}

TEST(Indexed, ScatterOfOneWindowIsAnUpdateOfASlice) {
  for (const std::string type : {"f32", "bf16", "i8", "i64"})
    for (const std::string op : {"", "add", "maximum", "multiply"})
      for (const bool dropped : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} dropped {}", type, op, dropped));
        expect_one_window_as_two<std::int32_t>(dropped, type, "i32", op);
        expect_one_window_as_two<std::int64_t>(dropped, type, "i64", op);
        expect_one_window_as_two<std::uint32_t>(dropped, type, "ui32", op);
      }
}

}  // namespace
}  // namespace understudy::worker
