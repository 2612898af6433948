// SPDX-License-Identifier: Apache-2.0
// Gathers of single elements by one or two signed or unsigned numbers, against the definition: more
// offsets than are made at once, and no whole register of them at the end.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <random>

#include "gtest/gtest.h"

#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

constexpr std::int64_t kVectors = 1043, kOperandRows = 37, kOperandColumns = 29;

struct GatherCase {
  std::string type;
  std::size_t bytes;
  bool is_signed;
  std::int64_t length;  // of an index vector
};

std::string gather_of_elements(const GatherCase& c) {
  const bool one = c.length == 1;
  return fmt::format(
      R"(func.func @main(%x: tensor<{0}x{1}>, %i: tensor<{2}x{3}x{4}>) -> tensor<{2}x{1}> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<
    collapsed_slice_dims = [{5}], start_index_map = [{5}], index_vector_dim = 1>,
    slice_sizes = array<i64: {6}>}}> : (tensor<{0}x{1}>, tensor<{2}x{3}x{4}>) -> tensor<{2}x{1}>
  return %r : tensor<{2}x{1}>
}})",
      one ? fmt::format("{}", kOperandRows * kOperandColumns)
          : fmt::format("{}x{}", kOperandRows, kOperandColumns),
      c.type, kVectors, c.length, c.is_signed ? "i32" : "ui32", one ? "0" : "0, 1",
      one ? "1" : "1, 1");
}

// The element of index vector `i`, each number clamped.
std::size_t wanted_element(const GatherCase& c, const std::vector<std::int32_t>& at,
                           std::int64_t i) {
  const std::int64_t sizes[] = {c.length == 1 ? kOperandRows * kOperandColumns : kOperandRows,
                                kOperandColumns};
  std::int64_t offset = 0;
  for (std::int64_t d = 0; d < c.length; ++d) {
    const std::int32_t number = at[static_cast<std::size_t>(i * c.length + d)];
    const std::int64_t value =
        c.is_signed ? std::int64_t{number} : std::int64_t{static_cast<std::uint32_t>(number)};
    offset = offset * kOperandColumns + std::clamp<std::int64_t>(value, 0, sizes[d] - 1);
  }
  return static_cast<std::size_t>(offset);
}

void check_gather(const GatherCase& c) {
  SCOPED_TRACE(fmt::format("{} {} {}", c.type, c.is_signed, c.length));
  std::mt19937 random(4);
  std::vector<std::int32_t> at;
  for (std::int64_t i = 0; i < kVectors * c.length; ++i)
    at.push_back(static_cast<std::int32_t>(random() % 50) - (random() % 9 == 0 ? 60 : 3));
  Bytes x(kOperandRows * kOperandColumns * c.bytes);
  for (std::byte& byte : x) byte = static_cast<std::byte>(random());
  const Bytes found = run_program(gather_of_elements(c), {x, bytes_of(at)}).at(0);
  for (std::int64_t i = 0; i < kVectors; ++i)
    ASSERT_EQ(0, std::memcmp(x.data() + wanted_element(c, at, i) * c.bytes,
                             found.data() + static_cast<std::size_t>(i) * c.bytes, c.bytes))
        << i;
}

TEST(Gather, OfSingleElements) {
  const std::pair<std::string, std::size_t> types[] = {
      {"i8", 1}, {"bf16", 2}, {"f32", 4}, {"i64", 8}, {"complex<f64>", 16}};
  for (const auto& [type, bytes] : types)
    for (const bool is_signed : {true, false})
      for (const std::int64_t length : {1, 2}) check_gather({type, bytes, is_signed, length});
}

// Tables of more than 2 MiB, which are read by single loads.
TEST(Gather, OfElementsOfLargeTables) {
  constexpr std::int64_t kSize = 700001;
  std::mt19937 random(6);
  std::vector<std::int32_t> at;
  for (std::int64_t i = 0; i < kVectors; ++i)
    at.push_back(static_cast<std::int32_t>(random() % (kSize + 2000)) - 1000);
  for (const auto& [type, bytes] : {std::pair<std::string, std::size_t>{"f32", 4}, {"i64", 8}}) {
    const std::string text = fmt::format(
        R"(func.func @main(%x: tensor<{0}x{1}>, %i: tensor<{2}x1xi32>) -> tensor<{2}x{1}> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}}> : (tensor<{0}x{1}>, tensor<{2}x1xi32>) -> tensor<{2}x{1}>
  return %r : tensor<{2}x{1}>
}})",
        kSize, type, kVectors);
    Bytes x(kSize * bytes);
    for (std::byte& byte : x) byte = static_cast<std::byte>(random());
    const Bytes found = run_program(text, {x, bytes_of(at)}).at(0);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const auto element = static_cast<std::size_t>(std::clamp<std::int64_t>(at[i], 0, kSize - 1));
      ASSERT_EQ(0, std::memcmp(x.data() + element * bytes, found.data() + i * bytes, bytes)) << i;
    }
  }
}

// Along each of three dimensions, the others being batching dimensions. A line of results has 5,
// 1100 (more than one part of offsets) or 40 times as many elements.
template <class Element>
void check_other_dimensions(const std::string& type, const std::string& index_type,
                            std::int64_t last) {
  const std::int64_t kSizes[] = {6, 7, last}, kMany = 40;
  std::mt19937 random(6);
  std::vector<Element> x(static_cast<std::size_t>(6 * 7 * last));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Element>(i);
  for (const std::int64_t along : {0, 1, 2}) {
    std::int64_t out[] = {kSizes[0], kSizes[1], kSizes[2]};
    out[along] = kMany;
    std::vector<std::int32_t> at(static_cast<std::size_t>(out[0] * out[1] * out[2]));
    for (std::int32_t& index : at) index = static_cast<std::int32_t>(random() % 12) - 2;
    std::vector<Element> wanted;
    std::size_t next = 0;
    for (std::int64_t i = 0; i < out[0]; ++i)
      for (std::int64_t j = 0; j < out[1]; ++j)
        for (std::int64_t k = 0; k < out[2]; ++k) {
          std::int64_t place[] = {i, j, k};
          place[along] = std::clamp<std::int64_t>(at[next++], 0, kSizes[along] - 1);
          wanted.push_back(x[static_cast<std::size_t>(
              (place[0] * kSizes[1] + place[1]) * kSizes[2] + place[2])]);
        }
    const std::string batching = along == 0 ? "1, 2" : along == 1 ? "0, 2" : "0, 1";
    const std::string result = fmt::format("tensor<{}x{}x{}x{}>", out[0], out[1], out[2], type);
    const std::string indices =
        fmt::format("tensor<{}x{}x{}x1x{}>", out[0], out[1], out[2], index_type);
    const std::string text = fmt::format(
        R"(func.func @main(%x: tensor<6x7x{5}x{0}>, %i: {1}) -> {2} {{
  %g = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [{3}],
    operand_batching_dims = [{4}], start_indices_batching_dims = [{4}], start_index_map = [{3}], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 1>}}> : (tensor<6x7x{5}x{0}>, {1}) -> {2}
  return %g : {2}
}})",
        type, indices, result, along, batching, last);
    std::vector<std::int64_t> wide(at.begin(), at.end());
    const Bytes index_bytes = index_type == "i64" ? bytes_of(wide) : bytes_of(at);
    EXPECT_EQ(values_of<Element>(run_program(text, {bytes_of(x), index_bytes})[0]), wanted) << text;
  }
}

// The label of each row, as a loss reads it: results of one element a row.
TEST(Gather, OneElementOfEachRow) {
  std::mt19937 random(3);
  std::vector<float> x(700 * 10);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  std::vector<std::int32_t> at(700);
  for (std::int32_t& index : at) index = static_cast<std::int32_t>(random() % 14) - 2;
  std::vector<float> wanted;
  for (std::size_t i = 0; i < at.size(); ++i)
    wanted.push_back(x[i * 10 + static_cast<std::size_t>(std::clamp(at[i], 0, 9))]);
  const std::string text = R"(
func.func @main(%x: tensor<700x10xf32>, %i: tensor<700x1x1xi32>) -> tensor<700x1xf32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
    operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<700x10xf32>, tensor<700x1x1xi32>) -> tensor<700x1xf32>
  return %g : tensor<700x1xf32>
})";
  EXPECT_EQ(values_of<float>(run_program(text, {bytes_of(x), bytes_of(at)})[0]), wanted);
}

TEST(Gather, SingleElementsAlongAnyDimension) {
  for (const std::int64_t last : {1, 5, 1100}) {
    check_other_dimensions<float>("f32", "i32", last);
    check_other_dimensions<double>("f64", "i32", last);
    check_other_dimensions<std::uint8_t>("ui8", "i32", last);
    check_other_dimensions<std::int16_t>("i16", "i64", last);
  }
}

}  // namespace
}  // namespace understudy::worker
