// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters of single elements by several numbers each against the general form, which
// has its index vectors along the first dimension.
#include <cstdint>
#include <fmt/format.h>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "program/executable/listing.h"
#include "tests/worker/program_run.h"

namespace understudy::worker {
namespace {

// Elements of 7 x 6 x 5 by three numbers, which come in one array of vectors, or in two parts.
template <class Index>
class ThreeNumbers {
 public:
  explicit ThreeNumbers(std::string index) : index_(std::move(index)) {
    std::mt19937 random(12);
    // Some do not fit into 32 bits, where the type has more.
    const Index far = sizeof(Index) == 8 ? static_cast<Index>(std::int64_t{5} << 32) : Index{9};
    for (Index& number : numbers_) {
      number = static_cast<Index>(random() % 10 - (std::is_signed_v<Index> ? 2 : 0));
      if (random() % 16 == 0) number = static_cast<Index>(number + far);
    }
  }

  // The index vectors are along dimension 0 in the general form.
  std::vector<Bytes> arguments(bool general) const {
    std::vector<Index> turned(numbers_.size());
    for (std::size_t i = 0; i < kCount; ++i)
      for (std::size_t v = 0; v < 3; ++v) turned[v * kCount + i] = numbers_[i * 3 + v];
    if (general) return {bytes_of(turned)};
    std::vector<Index> one(kCount), two(2 * kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      one[i] = numbers_[i * 3];
      two[2 * i] = numbers_[i * 3 + 1];
      two[2 * i + 1] = numbers_[i * 3 + 2];
    }
    return {bytes_of(one), bytes_of(two)};
  }

  std::string text(bool general, bool scatters) const {
    const std::string kind =
        general ? fmt::format("3x{}x{}", kCount, index_) : fmt::format("{}x3x{}", kCount, index_);
    const std::string parts =
        fmt::format("%p: tensor<{0}x1x{1}>, %q: tensor<{0}x2x{1}>", kCount, index_);
    const std::string join = fmt::format(
        "  %i = stablehlo.concatenate %p, %q, dim = 1 : (tensor<{0}x1x{1}>, tensor<{0}x2x{1}>) -> "
        "tensor<{2}>\n",
        kCount, index_, kind);
    const std::string gather = fmt::format(
        R"(  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<
    collapsed_slice_dims = [0, 1, 2], start_index_map = [2, 0, 1], index_vector_dim = {}>,
    slice_sizes = array<i64: 1, 1, 1>}}> : (tensor<7x6x5xf32>, tensor<{}>) -> tensor<{}xf32>
)",
        general ? 0 : 1, kind, kCount);
    const std::string scatter = fmt::format(
        R"(  %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
    inserted_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [2, 0, 1],
    index_vector_dim = {}>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }}) : (tensor<7x6x5xf32>, tensor<{}>, tensor<{}xf32>) -> tensor<7x6x5xf32>
)",
        general ? 0 : 1, kind, kCount);
    const std::string result = scatters ? "7x6x5xf32" : fmt::format("{}xf32", kCount);
    return fmt::format(
        "func.func @main(%x: tensor<7x6x5xf32>, {}{}) -> tensor<{}> {{\n{}{}  return %r : "
        "tensor<{}>\n}}",
        general ? fmt::format("%i: tensor<{}>", kind) : parts,
        scatters ? fmt::format(", %u: tensor<{}xf32>", kCount) : "", result, general ? "" : join,
        scatters ? scatter : gather, result);
  }

  void expect_as_general(bool scatters) const {
    std::vector<float> x(7 * 6 * 5), u(kCount);
    std::mt19937 random(13);
    for (float& value : x) value = static_cast<float>(random() % 1000);
    for (float& value : u) value = static_cast<float>(random() % 1000);
    const auto run = [&](bool general) {
      std::vector<Bytes> all{bytes_of(x)};
      for (Bytes& part : arguments(general)) all.push_back(std::move(part));
      if (scatters) all.push_back(bytes_of(u));
      return run_program(text(general, scatters), all);
    };
    EXPECT_EQ(run(false), run(true)) << index_ << " scatters " << scatters;
  }

 private:
  static constexpr std::size_t kCount = 300;
  std::string index_;
  std::vector<Index> numbers_ = std::vector<Index>(3 * kCount);
};

TEST(IndexVectors, AreOneNumber) {
  for (const bool scatters : {false, true}) {
    ThreeNumbers<std::int32_t>("i32").expect_as_general(scatters);
    ThreeNumbers<std::int64_t>("i64").expect_as_general(scatters);
    ThreeNumbers<std::uint32_t>("ui32").expect_as_general(scatters);
  }
  const ThreeNumbers<std::int32_t> numbers("i32");
  const std::string general = list(compiled(numbers.text(true, false))),
                    taken = list(compiled(numbers.text(false, false))),
                    scattered = list(compiled(numbers.text(false, true)));
  EXPECT_NE(general.find("= gather{"), std::string::npos) << general;
  EXPECT_NE(taken.find("= take_elements{"), std::string::npos) << taken;
  // The joined array has no user.
  EXPECT_EQ(taken.find("stablehlo.concatenate"), std::string::npos) << taken;
  EXPECT_EQ(scattered.find("stablehlo.concatenate"), std::string::npos) << scattered;
}

// Rows of 7 x 6 x 4 by two numbers, which are along dimension 0 of the indices in the general form.
std::string rows_text(bool general, int size, int offset) {
  const std::string result =
      offset == 0 ? fmt::format("{}x300", size) : fmt::format("300x{}", size);
  const char* const kind = general ? "2x300" : "300x2";
  return fmt::format(
      R"(func.func @main(%x: tensor<7x6x4xf32>, %i: tensor<{0}xi32>) -> tensor<{1}xf32> {{
  %r = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [{2}],
    collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = {3}>,
    slice_sizes = array<i64: 1, 1, {4}>}}> : (tensor<7x6x4xf32>, tensor<{0}xi32>) -> tensor<{1}xf32>
  return %r : tensor<{1}xf32>
}})",
      kind, result, offset, general ? 0 : 1, size);
}

TEST(IndexVectors, OfRowsAreOneNumber) {
  std::mt19937 random(14);
  std::vector<float> x(7 * 6 * 4);
  for (float& value : x) value = static_cast<float>(random() % 1000);
  std::vector<std::int32_t> numbers(600), turned(600);
  for (std::int32_t& number : numbers) number = static_cast<std::int32_t>(random() % 12) - 2;
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t v = 0; v < 2; ++v) turned[v * 300 + i] = numbers[i * 2 + v];
  for (const int size : {4, 3, 1})
    for (const int offset : {0, 1}) {
      const std::string text = rows_text(false, size, offset);
      EXPECT_EQ(run_program(text, {bytes_of(x), bytes_of(numbers)}),
                run_program(rows_text(true, size, offset), {bytes_of(x), bytes_of(turned)}))
          << text;
      const std::string listing = list(compiled(text));
      EXPECT_NE(listing.find("f32[42,4]"), std::string::npos) << listing;
    }
}

}  // namespace
}  // namespace understudy::worker
