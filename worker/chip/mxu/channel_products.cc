// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/channel_products.h"

#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace channel_products {
namespace {

// kTall rows of kWide vectors of channels, which share the weights.
template <class V, int kTall, int kWide>
[[gnu::always_inline]] inline void tile(const ChannelProduct& p, std::int64_t row, std::int64_t j) {
  constexpr std::int64_t kSize = sizeof(V) / sizeof(float);
  V sums[kTall][kWide];
  const float* a[kTall];
#pragma GCC unroll 4
  for (int i = 0; i < kTall; ++i) {
    a[i] = p.a + p.rows[row + i] + j;
#pragma GCC unroll 2
    for (int v = 0; v < kWide; ++v) sums[i][v] = V{};
  }
  for (std::int64_t k = 0; k < p.k; ++k) {
    const std::int64_t column = p.columns[k];
    const float* const b = p.b + k * p.channels + j;
#pragma GCC unroll 2
    for (int v = 0; v < kWide; ++v) {
      const V weights = reinterpret_cast<const InMemory<V>*>(b + v * kSize)->value;
#pragma GCC unroll 4
      for (int i = 0; i < kTall; ++i)
        sums[i][v] +=
            reinterpret_cast<const InMemory<V>*>(a[i] + column + v * kSize)->value * weights;
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < kTall; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < kWide; ++v)
      reinterpret_cast<InMemory<V>*>(p.c + p.c_rows[row + i] + j + v * kSize)->value = sums[i][v];
}

// All channels of kTall rows.
template <int kBytes, int kTall>
[[gnu::always_inline]] inline void rows(const ChannelProduct& p, std::int64_t row) {
  using V [[gnu::vector_size(kBytes)]] = float;
  constexpr std::int64_t kSize = kBytes / sizeof(float);
  std::int64_t j = 0;
  for (; j + 2 * kSize <= p.channels; j += 2 * kSize) tile<V, kTall, 2>(p, row, j);
  for (; j + kSize <= p.channels; j += kSize) tile<V, kTall, 1>(p, row, j);
  for (; j < p.channels; ++j)
    for (int i = 0; i < kTall; ++i) {
      const float* const a = p.a + p.rows[row + i] + j;
      float sum = 0;
      for (std::int64_t k = 0; k < p.k; ++k) sum += a[p.columns[k]] * p.b[k * p.channels + j];
      p.c[p.c_rows[row + i] + j] = sum;
    }
}

}  // namespace
}  // namespace channel_products

void multiply_channels(const ChannelProduct& p) {
  with_vectors([&]<int kBytes>() __attribute__((always_inline)) {
    std::int64_t row = 0;
    for (; row + 4 <= p.m; row += 4) channel_products::rows<kBytes, 4>(p, row);
    for (; row < p.m; ++row) channel_products::rows<kBytes, 1>(p, row);
  });
}

}  // namespace understudy::worker
