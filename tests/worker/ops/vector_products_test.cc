// SPDX-License-Identifier: Apache-2.0
// The order of the sums of mxu_vector_loops.h, whose last bits docs/numerics.md promises.
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "tests/worker/ops/vector_sums.h"
#include "tests/worker/program_run.h"
#include "worker/chip/mxu/mxu_vector_loops.h"

namespace understudy::worker {
namespace {

void multiply_along(const VectorRows& rows, VectorKind kind, const float* x, float* sums) {
  // What was there before must not matter.
  std::vector<float> room(static_cast<std::size_t>(room_floats(rows.k)),
                          std::numeric_limits<float>::quiet_NaN());
  multiply_rows_along(rows, kind, x, sums, room.data());
}

TEST(VectorProducts, RowsAreSummedInLanes) {
  for (const std::size_t k :
       {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 80, 100, 257, 1000, 4096})
    for (const std::size_t count : {1, 2, 4, 5, 8, 11, 16, 39}) {
      const auto rows = numbers_of_bf16(count * k, 1), x = numbers_of_bf16(k, 2);
      const std::vector<std::uint16_t> halves = halves_of(rows);
      std::vector<float> wanted(count);
      for (std::size_t r = 0; r < count; ++r)
        wanted[r] = sum_along(rows.data() + r * k, x.data(), k);
      const auto multiply = [&](VectorKind kind, const void* at, std::size_t bytes) {
        std::vector<float> sums(count);
        multiply_along({static_cast<const std::byte*>(at), static_cast<std::int64_t>(count),
                        static_cast<std::int64_t>(k * bytes), static_cast<std::int64_t>(k)},
                       kind, x.data(), sums.data());
        return sums;
      };
      SCOPED_TRACE(k);
      EXPECT_EQ(multiply(VectorKind::f32, rows.data(), 4), wanted);
      EXPECT_EQ(multiply(VectorKind::rounded_f32, rows.data(), 4), wanted);
      EXPECT_EQ(multiply(VectorKind::both_rounded, rows.data(), 4), wanted);
      EXPECT_EQ(multiply(VectorKind::bf16, halves.data(), 2), wanted);
    }
}

// What is between the rows is not part of them, also where it is read.
TEST(VectorProducts, LeaveOutWhatFollowsARow) {
  constexpr std::size_t kRows = 21;
  std::vector<std::size_t> lengths = {47, 63, 65, 79, 95, 100};
  for (std::size_t k = 1; k < 36; ++k) lengths.push_back(k);
  for (const std::size_t k : lengths)
    for (const std::size_t gap : {1, 3, 40}) {
      const std::size_t step = k + gap;
      const auto x = numbers_of_bf16(k, 13);
      auto rows = numbers_of_bf16((kRows - 1) * step + k, 14);
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (i % step >= k) rows[i] = std::bit_cast<float>(0x7FFF0000U);
      const std::vector<std::uint16_t> halves = halves_of(rows);
      std::vector<float> wanted(kRows);
      for (std::size_t r = 0; r < kRows; ++r)
        wanted[r] = sum_along(rows.data() + r * step, x.data(), k);
      for (const VectorKind kind : {VectorKind::f32, VectorKind::rounded_f32, VectorKind::bf16}) {
        const bool is_half = kind == VectorKind::bf16;
        const auto* const at = is_half ? reinterpret_cast<const std::byte*>(halves.data())
                                       : reinterpret_cast<const std::byte*>(rows.data());
        std::vector<float> sums(kRows);
        multiply_along({at, kRows, static_cast<std::int64_t>(step * (is_half ? 2 : 4)),
                        static_cast<std::int64_t>(k)},
                       kind, x.data(), sums.data());
        EXPECT_EQ(sums, wanted) << k << " " << gap << " " << static_cast<int>(kind);
      }
    }
}

// Products of these are no f32, so that a sum of rounded ones has other bits.
TEST(VectorProducts, ProductsAreFusedWithTheirSums) {
  constexpr std::size_t kRows = 7, kLength = 300;
  const auto rows = numbers_of_bf16(kRows * kLength, 3);
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  std::vector<float> x(kLength), sums(kRows), rounded(kRows);
  for (float& number : x) number = normal(random);
  multiply_along({reinterpret_cast<const std::byte*>(rows.data()), kRows, 4 * kLength, kLength},
                 VectorKind::f32, x.data(), sums.data());
  bool differs = false;
  for (std::size_t r = 0; r < kRows; ++r) {
    const float* const row = rows.data() + r * kLength;
    EXPECT_EQ(sums[r], sum_along(row, x.data(), kLength));
    std::vector<float> products(kLength), ones(kLength, 1);
    for (std::size_t i = 0; i < kLength; ++i) products[i] = row[i] * x[i];
    differs = differs || sums[r] != sum_along(products.data(), ones.data(), kLength);
  }
  EXPECT_TRUE(differs);
  const std::vector<std::uint16_t> halves = halves_of(rows);
  std::vector<float> of_halves(kRows);
  multiply_along({reinterpret_cast<const std::byte*>(halves.data()), kRows, 2 * kLength, kLength},
                 VectorKind::bf16, x.data(), of_halves.data());
  EXPECT_EQ(of_halves, sums);
}

// Of bf16, of few products: from 64 elements on in lanes or eight at a time, below in order.
TEST(VectorProducts, ShortSumsAreFoldedInOrder) {
  constexpr std::size_t kRows = 8;
  for (const std::size_t k : {40, 63, 64, 65}) {
    const auto rows = numbers_of_bf16(kRows * k, 5);
    auto x = numbers_of_bf16(k, 6);
    // Of many sizes, so that every addition rounds.
    for (std::size_t i = 0; i < k; ++i) x[i] = std::ldexp(x[i], static_cast<int>(i % 13));
    const auto sums = values_of<float>(
        run_program(fmt::format("func.func @main(%a: tensor<{0}x{1}xbf16>, %x: tensor<{1}xbf16>) "
                                "-> tensor<{0}xf32> {{\n"
                                "%s = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : "
                                "(tensor<{0}x{1}xbf16>, tensor<{1}xbf16>) -> tensor<{0}xf32>\n"
                                "return %s : tensor<{0}xf32>\n}}\n",
                                kRows, k),
                    {bytes_of(halves_of(rows)), bytes_of(halves_of(x))})[0]);
    const auto across = values_of<float>(
        run_program(fmt::format("func.func @main(%a: tensor<{1}x{0}xbf16>, %x: tensor<{1}xbf16>) "
                                "-> tensor<{0}xf32> {{\n"
                                "%s = stablehlo.dot_general %x, %a, contracting_dims = [0] x [0] : "
                                "(tensor<{1}xbf16>, tensor<{1}x{0}xbf16>) -> tensor<{0}xf32>\n"
                                "return %s : tensor<{0}xf32>\n}}\n",
                                kRows, k),
                    {bytes_of(halves_of(rows)), bytes_of(halves_of(x))})[0]);
    std::vector<float> in_order(kRows), in_lanes(kRows);
    for (std::size_t r = 0; r < kRows; ++r) {
      const float* const row = rows.data() + r * k;
      for (std::size_t i = 0; i < k; ++i) in_order[r] += row[i] * x[i];
      in_lanes[r] = sum_along(row, x.data(), k);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const float* const column = rows.data() + r;
      float sum = 0;
      for (std::size_t i = 0; i < k; ++i) sum += column[i * kRows] * x[i];
      EXPECT_EQ(across[r], k < 64 ? sum : sum_across(column, kRows, k, x.data())) << k;
    }
    EXPECT_NE(in_order, in_lanes);
    EXPECT_EQ(sums, k < 64 ? in_order : in_lanes) << k;
  }
}

// Two vectors of more than 131072 elements: the sums of parts of that many, added in order. VMEM
// of a test does not hold the second length at once.
TEST(VectorProducts, LongOnesAreSumsOfParts) {
  constexpr std::size_t kPart = 1 << 17;
  for (const std::size_t k : {kPart + 5, 5 * kPart}) {
    const auto a = numbers_of_bf16(k, 9), b = numbers_of_bf16(k, 10);
    float wanted = 0;
    for (std::size_t i = 0; i < k; i += kPart)
      wanted += sum_along(a.data() + i, b.data() + i, std::min(kPart, k - i));
    for (const char* type : {"f32", "bf16"}) {
      const auto argument = [&](const std::vector<float>& x) {
        return std::string_view(type) == "f32" ? bytes_of(x) : bytes_of(halves_of(x));
      };
      const auto sum = values_of<float>(
          run_program(fmt::format("func.func @main(%a: tensor<{0}x{1}>, %b: tensor<{0}x{1}>) -> "
                                  "tensor<f32> {{\n"
                                  "%s = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] "
                                  ": (tensor<{0}x{1}>, tensor<{0}x{1}>) -> tensor<f32>\n"
                                  "return %s : tensor<f32>\n}}\n",
                                  k, type),
                      {argument(a), argument(b)})
              .at(0));
      EXPECT_EQ(sum, std::vector<float>{wanted}) << type << " " << k;
    }
  }
}

// The rest of a sum, behind whole lanes, is looked at too.
TEST(VectorProducts, KeepNanOfARestOfTheVector) {
  constexpr std::size_t kRows = 3, kLength = 45;
  const auto rows = numbers_of_bf16(kRows * kLength, 7);
  for (const std::size_t at : {31U, 32U, 44U}) {
    auto x = numbers_of_bf16(kLength, 8);
    x[at] = std::bit_cast<float>(0x7F800001U);  // rounded without a look at it, an infinity
    for (const VectorKind kind : {VectorKind::f32, VectorKind::both_rounded}) {
      std::vector<float> sums(kRows);
      multiply_along({reinterpret_cast<const std::byte*>(rows.data()), kRows, 4 * kLength, kLength},
                     kind, x.data(), sums.data());
      for (const float sum : sums) EXPECT_TRUE(std::isnan(sum)) << at;
    }
  }
}

// Rows of fewer elements than lanes, which run several at once: a NaN of one row, which rounded
// without a look at it would be an infinity, is in the sum of that row alone.
TEST(VectorProducts, KeepNanOfAShortRow) {
  constexpr std::size_t kRows = 16;
  for (const std::size_t length : {3U, 7U, 16U, 31U, 33U, 45U, 63U}) {
    const auto x = numbers_of_bf16(length, 12);
    for (const std::size_t at : {std::size_t{0}, 6 * length + 2, kRows * length - 1}) {
      auto rows = numbers_of_bf16(kRows * length, 11);
      rows[at] = std::bit_cast<float>(0x7F800001U);
      for (const VectorKind kind : {VectorKind::f32, VectorKind::rounded_f32}) {
        std::vector<float> sums(kRows);
        multiply_along({reinterpret_cast<const std::byte*>(rows.data()), kRows,
                        static_cast<std::int64_t>(4 * length), static_cast<std::int64_t>(length)},
                       kind, x.data(), sums.data());
        for (std::size_t r = 0; r < kRows; ++r)
          EXPECT_EQ(std::isnan(sums[r]), r == at / length) << at << " " << r;
      }
    }
  }
}

}  // namespace
}  // namespace understudy::worker
