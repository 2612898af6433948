// SPDX-License-Identifier: Apache-2.0
// Products with few results of long sums.
#include <cmath>
#include <limits>

#include "program/kernels/kernels.h"
#include "tests/worker/ops/products.h"
#include "worker/chip/mxu/mxu_few_results.h"

namespace understudy::worker {
namespace {

using program::ElementType;

class FewResults : public ProductTest {
 protected:
  bool run(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
           Vmem& vmem) override {
    return multiply_few_results(p, program::kernels::select(""), lhs, rhs, out, vmem);
  }
  bool is_taken(const Matrix& a, const Matrix& b, ElementType out) {
    std::vector<std::byte> room(static_cast<std::size_t>(a.rows * b.columns) * 8);
    return run(product(a, b, out), a.bytes.data(), b.bytes.data(), room.data(), vmem_);
  }
};

// Each number of rows that are multiplied together, whole and partial vectors of columns, and
// depths with and without a rest of a part and of a split. Where both operands are dense along the
// sums, one is transposed.
TEST_F(FewResults, MultiplyEveryLayoutAndType) {
  for (const Sizes& s :
       {Sizes{1, 5, 7000}, Sizes{5, 1, 7001}, Sizes{2, 8, 2049}, Sizes{3, 5, 4099},
        Sizes{4, 16, 1025}, Sizes{5, 7, 2050}, Sizes{6, 9, 1024}, Sizes{7, 17, 1027},
        Sizes{8, 8, 1535}, Sizes{8, 15, 1536}, Sizes{9, 12, 1537}, Sizes{12, 10, 1030},
        Sizes{2, 33, 1500}, Sizes{40, 3, 1501}, Sizes{11, 16, 1538}})
    for (const ElementType lhs : {ElementType::bf16, ElementType::f32})
      for (const ElementType rhs : {ElementType::bf16, ElementType::f32})
        for (const bool lhs_rows : {true, false})
          for (const bool rhs_rows : {true, false})
            for (const std::int64_t gap : {0, 5}) {
              const bool is_along = (lhs_rows || s.m == 1) && (!rhs_rows || s.n == 1);
              const bool has_few_vectors =
                  std::min(s.m, s.n) * ((std::max(s.m, s.n) + 15) / 16) <= 12 &&
                  (std::max(s.m, s.n) <= 12 || (lhs_rows == rhs_rows ? false : !lhs_rows));
              if ((is_along && std::max(s.m, s.n) > 8) || !has_few_vectors) continue;
              expect_exact(s, lhs, lhs_rows, rhs, rhs_rows, gap);
            }
}

// The order of docs/numerics.md: the same bits on every instruction set.
TEST_F(FewResults, AddInPartsAndSplits) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (const Sizes& s :
       {Sizes{3, 5, 3001}, Sizes{7, 9, 1600}, Sizes{12, 11, 1025}, Sizes{9, 3, 2047}}) {
    SCOPED_TRACE(fmt::format("{} x {} x {}", s.m, s.n, s.k));
    Matrix a = matrix(s.m, s.k, ElementType::f32, false, 0, random),
           b = matrix(s.k, s.n, ElementType::bf16, true, 0, random);
    for (Matrix* const x : {&a, &b})
      for (std::int64_t i = 0; i < x->rows * x->columns; ++i) {
        const float value = std::bit_cast<float>(std::uint32_t{bf16_of(normal(random))} << 16);
        const MatrixView view = x->view();
        const std::int64_t at =
            i / x->columns * view.row_stride + i % x->columns * view.column_stride;
        x->values[static_cast<std::size_t>(i)] = value;
        store(x->bytes.data() + at * static_cast<std::int64_t>(program::byte_size(x->element)),
              x->element, value);
      }
    const bool swaps = swaps_few_results(product(a, b, ElementType::f32));
    const std::int64_t rows = swaps ? s.n : s.m;
    const auto bytes = multiply(a, b, ElementType::f32);
    for (std::int64_t i = 0; i < s.m; ++i)
      for (std::int64_t j = 0; j < s.n; ++j) {
        const std::int64_t first = (swaps ? j : i) / kRowsOfResults * kRowsOfResults;
        const std::int64_t split = split_of_sums(std::min(kRowsOfResults, rows - first));
        float want = 0;
        for (std::int64_t part = 0; part < s.k; part += kPartOfSums) {
          float sums[4] = {};
          for (std::int64_t k = part; k < std::min(s.k, part + kPartOfSums); ++k)
            sums[k % split] =
                std::fma(a.values[static_cast<std::size_t>(i * s.k + k)],
                         b.values[static_cast<std::size_t>(k * s.n + j)], sums[k % split]);
          want += (sums[0] + sums[2]) + (sums[1] + sums[3]);
        }
        float got = 0;
        std::memcpy(&got, bytes.data() + (i * s.n + j) * 4, 4);
        ASSERT_EQ(got, want) << i << ' ' << j;
      }
  }
}

// What is not finite stays in its row and its column.
TEST_F(FewResults, KeepInfinitiesAndNanInTheirRows) {
  constexpr std::int64_t kK = 1030;
  std::mt19937 random(3);
  Matrix a = matrix(5, kK, ElementType::f32, false, 0, random),
         b = matrix(kK, 9, ElementType::f32, true, 0, random);
  store(a.bytes.data() + ((kK - 1) * 5 + 4) * 4, ElementType::f32,
        std::numeric_limits<float>::infinity());
  store(b.bytes.data() + (700 * 9 + 8) * 4, ElementType::f32, std::bit_cast<float>(0x7F800001U));
  const auto bytes = multiply(a, b, ElementType::f32);
  const std::vector<float> want = sums_of(a, b);
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 9; ++j) {
      float got = 0;
      std::memcpy(&got, bytes.data() + (i * 9 + j) * 4, 4);
      if (j == 8)
        EXPECT_TRUE(std::isnan(got)) << i;
      else if (i == 4)
        EXPECT_FALSE(std::isfinite(got)) << j;
      else
        EXPECT_EQ(got, want[static_cast<std::size_t>(i * 9 + j)]);
    }
}

TEST_F(FewResults, LeaveOtherProducts) {
  std::mt19937 random(3);
  const auto takes = [&](const Sizes& s, bool lhs_rows, bool rhs_rows, ElementType out) {
    return is_taken(matrix(s.m, s.k, ElementType::bf16, lhs_rows, 0, random),
                    matrix(s.k, s.n, ElementType::bf16, rhs_rows, 0, random), out);
  };
  EXPECT_TRUE(takes({8, 8, 1024}, false, true, ElementType::f32));
  EXPECT_FALSE(takes({8, 8, 1023}, false, true, ElementType::f32));    // short
  EXPECT_FALSE(takes({2, 2, 1024}, false, true, ElementType::f32));    // few products
  EXPECT_FALSE(takes({16, 16, 1024}, false, true, ElementType::f32));  // many results
  EXPECT_FALSE(takes({8, 9, 1024}, true, false, ElementType::f32));    // dense along the sums
  EXPECT_FALSE(takes({8, 8, 1024}, false, true, ElementType::f16));
}

}  // namespace
}  // namespace understudy::worker
