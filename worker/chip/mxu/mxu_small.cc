// SPDX-License-Identifier: Apache-2.0
// Batches of small f32 products, summed over k in order with each product rounded: the bits of
// multiply_portably() without its packing, which costs more than such a product.
#include <cstdint>

#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

using V [[gnu::vector_size(32)]] = float;
constexpr std::int64_t kColumns = 8;

struct Strides {
  std::int64_t a_row, a_column, b_row, c_row, k;
};

// kTall rows and one vector of columns.
template <std::int64_t kTall>
[[gnu::always_inline]] inline void wide(const float* a, const float* b, float* c,
                                        const Strides& s) {
  V sums[kTall] = {};
  for (std::int64_t k = 0; k < s.k; ++k) {
    const V right = reinterpret_cast<const InMemory<V>*>(b + k * s.b_row)->value;
    for (std::int64_t i = 0; i < kTall; ++i) sums[i] += a[i * s.a_row + k * s.a_column] * right;
  }
  for (std::int64_t i = 0; i < kTall; ++i)
    reinterpret_cast<InMemory<V>*>(c + i * s.c_row)->value = sums[i];
}

[[gnu::always_inline]] inline void multiply_one(const MxuTile& t, const float* a, const float* b,
                                                float* c) {
  const Strides s{t.a_row, t.a_column, t.b_row, t.c_row, t.k};
  std::int64_t n = 0;
  for (; n + kColumns <= t.n; n += kColumns) {
    std::int64_t m = 0;
    for (; m + 4 <= t.m; m += 4) wide<4>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
    for (; m < t.m; ++m) wide<1>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
  }
  for (; n < t.n; ++n)
    for (std::int64_t m = 0; m < t.m; ++m) {
      float sum = 0;
      for (std::int64_t k = 0; k < t.k; ++k)
        sum += a[m * s.a_row + k * s.a_column] * b[k * s.b_row + n];
      c[m * s.c_row + n] = sum;
    }
}

UNDERSTUDY_VECTOR_CODE void multiply_all(const MxuTile& t) {
  const auto* a = static_cast<const float*>(t.a);
  const auto* b = static_cast<const float*>(t.b);
  auto* c = static_cast<float*>(t.c);
  for (std::int64_t i = 0; i < t.batches; ++i)
    multiply_one(t, a + i * t.a_batch, b + i * t.b_batch, c + i * t.c_batch);
}

}  // namespace

void multiply_small(const MxuTile& tile) { multiply_all(tile); }

}  // namespace understudy::worker
