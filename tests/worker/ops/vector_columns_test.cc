// SPDX-License-Identifier: Apache-2.0
// The order of the sums across the rows of a matrix (mxu_vector_columns.h), and of those of
// batches.
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

#include "tests/worker/ops/vector_sums.h"
#include "tests/worker/program_run.h"
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

float sum_in_order(const float* a, const float* b, std::size_t k) {
  float sum = 0;
  for (std::size_t i = 0; i < k; ++i) sum += a[i] * b[i];
  return sum;
}

// A batch has the sums of each of its products, whatever their number and sizes; short ones of two
// vectors are in order.
TEST(VectorBatches, HaveTheSumsOfOneProduct) {
  struct Case {
    std::size_t rows, k;
  };
  constexpr std::size_t kBatches = 3;
  for (const Case& c : {Case{5, 64}, Case{70, 99}, Case{130, 33}, Case{9, 500}, Case{8, 64},
                        Case{1, 511}, Case{1, 512}})
    for (const bool is_along : {true, false})
      for (const char* type : {"f32", "bf16"}) {
        if (!is_along && c.rows < 8) continue;  // in order
        const auto matrices = numbers_of_bf16(kBatches * c.rows * c.k, 31),
                   x = numbers_of_bf16(kBatches * c.k, 32);
        const auto argument = [&](const std::vector<float>& numbers) {
          return std::string_view(type) == "f32" ? bytes_of(numbers) : bytes_of(halves_of(numbers));
        };
        const auto sums = values_of<float>(
            run_program(fmt::format("func.func @main(%a: tensor<{0}x{3}>, %x: tensor<{1}x{3}>) -> "
                                    "tensor<{2}xf32> {{\n"
                                    "%s = stablehlo.dot_general %a, %x, batching_dims = [0] x [0], "
                                    "contracting_dims = [{4}] x [1] : "
                                    "(tensor<{0}x{3}>, tensor<{1}x{3}>) -> tensor<{2}xf32>\n"
                                    "return %s : tensor<{2}xf32>\n}}\n",
                                    is_along ? fmt::format("{}x{}x{}", kBatches, c.rows, c.k)
                                             : fmt::format("{}x{}x{}", kBatches, c.k, c.rows),
                                    fmt::format("{}x{}", kBatches, c.k),
                                    fmt::format("{}x{}", kBatches, c.rows), type, is_along ? 2 : 1),
                        {argument(matrices), argument(x)}, program::Numerics::tpu)[0]);
        for (std::size_t b = 0; b < kBatches; ++b)
          for (std::size_t r = 0; r < c.rows; ++r) {
            const float* const one = matrices.data() + b * c.rows * c.k;
            const float* const vector = x.data() + b * c.k;
            const float wanted = c.rows == 1 && c.k < 512 ? sum_in_order(one, vector, c.k)
                                 : is_along               ? sum_along(one + r * c.k, vector, c.k)
                                            : sum_across(one + r, c.rows, c.k, vector);
            EXPECT_EQ(sums[b * c.rows + r], wanted)
                << c.rows << ' ' << c.k << ' ' << type << ' ' << b << ' ' << r;
          }
      }
}

}  // namespace
}  // namespace understudy::worker
