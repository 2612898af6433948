// SPDX-License-Identifier: Apache-2.0
// The order of the sums across the rows of a matrix (mxu_vector_columns.h), and of those of
// batches.
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "gtest/gtest.h"

#include "tests/worker/ops/vector_sums.h"
#include "worker/chip/mxu/mxu_vector_loops.h"

namespace understudy::worker {
namespace {

// Rows of every number of whole and partial registers, of which the last ones overlap; few rows,
// and more bytes than a cache holds, of which eight rows at a time are read. What is between the
// rows is not part of them.
TEST(VectorColumns, RowsAreAddedEightAtATime) {
  struct Case {
    std::size_t count, k, gap;
  };
  std::vector<Case> cases = {{300, 2060, 3}, {81, 4104, 0}, {530, 520, 1}, {64, 2100, 0}};
  for (std::size_t k = 8; k < 140; k += k < 70 ? 1 : 3)
    for (const std::size_t count : {1, 7, 8, 9, 24, 31}) cases.push_back({count, k, k % 4});
  for (const Case& c : cases) {
    SCOPED_TRACE(fmt::format("{} rows of {}, gap {}", c.count, c.k, c.gap));
    const std::size_t step = c.k + c.gap;
    auto rows = numbers_of_bf16((c.count - 1) * step + c.k, 21);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i % step >= c.k) rows[i] = std::bit_cast<float>(0x7FFF0000U);
    auto x = numbers_of_bf16(c.count, 22);
    // Of many digits, so that products round; as x is rounded before, also for bf16.
    for (float& number : x) number *= 1.2345678F;
    const std::vector<std::uint16_t> halves = halves_of(rows);
    std::vector<float> wanted(c.k);
    for (std::size_t i = 0; i < c.k; ++i)
      wanted[i] = sum_across(rows.data() + i, step, c.count, x.data());
    for (const VectorKind kind : {VectorKind::f32, VectorKind::rounded_f32, VectorKind::bf16}) {
      const bool is_half = kind == VectorKind::bf16;
      const auto* const at = is_half ? reinterpret_cast<const std::byte*>(halves.data())
                                     : reinterpret_cast<const std::byte*>(rows.data());
      std::vector<float> sums(c.k + 1, 7);
      multiply_rows_across(
          {at, static_cast<std::int64_t>(c.count),
           static_cast<std::int64_t>(step * (is_half ? 2 : 4)), static_cast<std::int64_t>(c.k)},
          kind, x.data(), sums.data());
      EXPECT_EQ(sums.back(), 7);
      sums.pop_back();
      EXPECT_EQ(sums, wanted) << static_cast<int>(kind);
    }
  }
}

// Rounded without a look at it, a NaN would be an infinity; it is in its column alone.
TEST(VectorColumns, KeepNanOfAColumn) {
  for (const std::size_t k : {8U, 13U, 16U, 39U, 64U, 75U})
    for (const std::size_t at : {std::size_t{0}, 7 * k + k / 2, 10 * k - 1}) {
      auto rows = numbers_of_bf16(10 * k, 11);
      rows[at] = std::bit_cast<float>(0x7F800001U);
      const auto x = numbers_of_bf16(10, 12);
      for (const VectorKind kind : {VectorKind::f32, VectorKind::rounded_f32}) {
        std::vector<float> sums(k);
        multiply_rows_across({reinterpret_cast<const std::byte*>(rows.data()), 10,
                              static_cast<std::int64_t>(4 * k), static_cast<std::int64_t>(k)},
                             kind, x.data(), sums.data());
        for (std::size_t i = 0; i < k; ++i) EXPECT_EQ(std::isnan(sums[i]), i == at % k) << i;
      }
    }
}

}  // namespace
}  // namespace understudy::worker
