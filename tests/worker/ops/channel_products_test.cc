// SPDX-License-Identifier: Apache-2.0
// Sums of channels have the bits of rounded products in the order of k.
#include "worker/chip/mxu/channel_products.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace understudy::worker {
namespace {

// Rows of results in reverse order with a gap behind each, patches that overlap.
void check(std::int64_t m, std::int64_t channels, std::int64_t k) {
  std::mt19937 random(static_cast<unsigned>(m + 31 * channels + 977 * k));
  std::normal_distribution<float> normal;
  std::vector<float> a(static_cast<std::size_t>((m + 2 * k + 1) * channels)),
      b(static_cast<std::size_t>(k * channels));
  for (float& x : a) x = normal(random);
  for (float& x : b) x = normal(random);
  const std::int64_t step = channels + 3;
  std::vector<std::int64_t> rows, columns, c_rows;
  for (std::int64_t i = 0; i < m; ++i) {
    rows.push_back(i * channels);
    c_rows.push_back((m - 1 - i) * step);
  }
  for (std::int64_t i = 0; i < k; ++i) columns.push_back(2 * i * channels);
  std::vector<float> c(static_cast<std::size_t>(m * step), -7.0F);
  multiply_channels(
      {m, channels, k, a.data(), rows.data(), columns.data(), b.data(), c.data(), c_rows.data()});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < step; ++j) {
      const float got = c[static_cast<std::size_t>((m - 1 - i) * step + j)];
      float sum = 0;
      for (std::int64_t l = 0; l < k && j < channels; ++l) {
        const float product = a[static_cast<std::size_t>((i + 2 * l) * channels + j)] *
                              b[static_cast<std::size_t>(l * channels + j)];
        sum += product;
      }
      ASSERT_EQ(got, j < channels ? sum : -7.0F)
          << m << " rows, " << channels << " channels, " << k << " products, at " << i << ", " << j;
    }
}

TEST(ChannelProducts, AddRoundedProductsInOrder) {
  for (std::int64_t channels = 1; channels <= 70; ++channels)
    for (const std::int64_t m : {0, 1, 3, 4, 9})
      for (const std::int64_t k : {0, 1, 9, 12}) check(m, channels, k);
}

}  // namespace
}  // namespace understudy::worker
