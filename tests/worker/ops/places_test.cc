// SPDX-License-Identifier: Apache-2.0
// Products of rows at any places: the loops of each instruction set give the bits of fused
// multiply-adds in order.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/mxu/mxu_wide.h"

namespace understudy::worker {
namespace {

using Loop = void (*)(const PlacesProduct&);

// Rows 3 elements apart and columns in pairs, as patches of a convolution; rows of results in
// reverse order, with a gap of 3 elements.
void check(Loop loop, std::int64_t m, std::int64_t n, std::int64_t k, float special) {
  std::mt19937 random(static_cast<unsigned>(m * 64 + n));
  std::normal_distribution<float> normal;
  std::vector<float> a(static_cast<std::size_t>(3 * m + 2 * k));
  std::vector<float> b(static_cast<std::size_t>(k * n));
  for (float& x : a) x = normal(random);
  for (float& x : b) x = normal(random);
  a[4] = special;
  std::vector<std::int64_t> rows, columns, c_rows;
  const std::int64_t step = n + 3;
  for (std::int64_t i = 0; i < m; ++i) {
    rows.push_back(3 * i);
    c_rows.push_back((m - 1 - i) * step);
  }
  for (std::int64_t i = 0; i < k; ++i) columns.push_back(2 * i);
  const std::int64_t panels = (n + PlacesProduct::kPanel - 1) / PlacesProduct::kPanel;
  std::vector<float> packed(static_cast<std::size_t>(panels * PlacesProduct::kPanel * k));
  pack_panels(b.data(), n, k, n, packed.data());
  std::vector<float> c(static_cast<std::size_t>(m * step), -7.0F);
  loop({m, n, k, a.data(), rows.data(), columns.data(), packed.data(), PlacesProduct::kPanel,
        PlacesProduct::kPanel * k, c.data(), c_rows.data()});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < step; ++j) {
      const float got = c[static_cast<std::size_t>(c_rows[static_cast<std::size_t>(i)] + j)];
      if (j >= n) {
        ASSERT_EQ(got, -7.0F) << "beyond the columns";
        continue;
      }
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum = std::fma(a[static_cast<std::size_t>(3 * i + 2 * l)],
                       b[static_cast<std::size_t>(l * n + j)], sum);
      ASSERT_TRUE(got == sum || (std::isnan(got) && std::isnan(sum)))
          << m << " x " << n << " x " << k << " at " << i << ", " << j;
    }
}

void check_all(Loop loop) {
  for (std::int64_t m = 1; m <= 17; ++m)
    for (const std::int64_t n : {1, 8, 9, 15, 16, 17, 20, 24, 25, 31, 32, 33, 40, 48, 49})
      check(loop, m, n, 21,
            m % 3 == 0   ? std::numeric_limits<float>::quiet_NaN()
            : m % 3 == 1 ? std::numeric_limits<float>::infinity()
                         : 1.0F);
  check(loop, 300, 40, 70, 1.0F);  // more rows than one pass takes
}

#if defined(__x86_64__)
TEST(Places, Avx2AddsInOrder) {
  if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0)
    GTEST_SKIP() << "this CPU has no AVX2";
  check_all(&multiply_places_avx2);
}

TEST(Places, Avx512AddsInOrder) {
  if (!multiplies_wide()) GTEST_SKIP() << "this CPU has no AVX-512";
  check_all(&multiply_places_512);
}
#endif

}  // namespace
}  // namespace understudy::worker
