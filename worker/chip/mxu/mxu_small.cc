// SPDX-License-Identifier: Apache-2.0
// Batches of small f32 products, and products with few columns, summed over k in order with each
// product rounded: the bits of multiply_portably() without its packing, which costs more than such
// a product.
#include <cstdint>

#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/mxu/turn_vectors.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

using V = EightFloats;
constexpr std::int64_t kColumns = 8;

struct Strides {
  std::int64_t a_row, a_column, b_row, c_row, k;
};

// kTall rows and kWide vectors of columns.
template <class V, std::int64_t kWide, std::int64_t kTall>
[[gnu::always_inline]] inline void wide(const float* a, const float* b, float* c,
                                        const Strides& s) {
  constexpr std::int64_t kSize = sizeof(V) / sizeof(float);
  V sums[kTall][kWide] = {};
  for (std::int64_t k = 0; k < s.k; ++k) {
    V right[kWide];
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kWide; ++v)
      right[v] = reinterpret_cast<const InMemory<V>*>(b + k * s.b_row + v * kSize)->value;
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < kTall; ++i) {
      const float left = a[i * s.a_row + k * s.a_column];
#pragma GCC unroll 2
      for (std::int64_t v = 0; v < kWide; ++v) sums[i][v] += left * right[v];
    }
  }
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kWide; ++v)
      reinterpret_cast<InMemory<V>*>(c + i * s.c_row + v * kSize)->value = sums[i][v];
}

// All rows of kWide vectors of columns.
template <class V, std::int64_t kWide>
[[gnu::always_inline]] inline void all_rows(std::int64_t m, const float* a, const float* b,
                                            float* c, const Strides& s) {
  std::int64_t i = 0;
  for (; i + 4 <= m; i += 4) wide<V, kWide, 4>(a + i * s.a_row, b, c + i * s.c_row, s);
  for (; i < m; ++i) wide<V, kWide, 1>(a + i * s.a_row, b, c + i * s.c_row, s);
}

// kGroups times eight rows of one column: vectors of rows, whose sums hide each other's latency.
template <std::int64_t kGroups>
[[gnu::always_inline]] inline void column(const float* a, const float* b, float* c,
                                          const Strides& s) {
  V sums[kGroups] = {};
  std::int64_t k = 0;
  if (s.a_row == 1)
    for (; k < s.k; ++k)
      for (std::int64_t g = 0; g < kGroups; ++g)
        sums[g] += reinterpret_cast<const InMemory<V>*>(a + g * kColumns + k * s.a_column)->value *
                   b[k * s.b_row];
  for (; k + kColumns <= s.k && s.a_column == 1; k += kColumns) {
    V rows[kGroups][kColumns];
    for (std::int64_t g = 0; g < kGroups; ++g) {
      for (std::int64_t i = 0; i < kColumns; ++i)
        rows[g][i] =
            reinterpret_cast<const InMemory<V>*>(a + (g * kColumns + i) * s.a_row + k)->value;
      turn(rows[g]);
    }
    for (std::int64_t i = 0; i < kColumns; ++i)
      for (std::int64_t g = 0; g < kGroups; ++g) sums[g] += rows[g][i] * b[(k + i) * s.b_row];
  }
  for (; k < s.k; ++k)
    for (std::int64_t g = 0; g < kGroups; ++g)
      for (std::int64_t i = 0; i < kColumns; ++i)
        sums[g][i] += a[(g * kColumns + i) * s.a_row + k * s.a_column] * b[k * s.b_row];
  for (std::int64_t g = 0; g < kGroups; ++g)
    for (std::int64_t i = 0; i < kColumns; ++i) c[(g * kColumns + i) * s.c_row] = sums[g][i];
}

template <int kBytes>
[[gnu::always_inline]] inline void multiply_one(const MxuTile& t, const float* a, const float* b,
                                                float* c) {
  const Strides s{t.a_row, t.a_column, t.b_row, t.c_row, t.k};
  std::int64_t n = 0;
  using Register [[gnu::vector_size(kBytes)]] = float;
  constexpr std::int64_t kWide = 64 / kBytes;
  for (; n + 2 * kColumns <= t.n; n += 2 * kColumns)
    all_rows<Register, kWide>(t.m, a, b + n, c + n, s);
  for (; n + kColumns <= t.n; n += kColumns) all_rows<V, 1>(t.m, a, b + n, c + n, s);
  for (; n < t.n; ++n) {
    constexpr std::int64_t kGroups = 4;
    std::int64_t m = 0;
    for (; m + kGroups * kColumns <= t.m; m += kGroups * kColumns)
      column<kGroups>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
    for (; m + kColumns <= t.m; m += kColumns)
      column<1>(a + m * s.a_row, b + n, c + m * s.c_row + n, s);
    for (; m < t.m; ++m) {
      float sum = 0;
      for (std::int64_t k = 0; k < t.k; ++k)
        sum += a[m * s.a_row + k * s.a_column] * b[k * s.b_row + n];
      c[m * s.c_row + n] = sum;
    }
  }
}

// Eight products of a row and a column side by side, each summed in order.
[[gnu::always_inline]] inline void multiply_vectors(const MxuTile& t, const float* a,
                                                    const float* b, float* c) {
  V sums = {};
  std::int64_t k = 0;
  for (; k + kColumns <= t.k; k += kColumns) {
    V products[kColumns];
    for (std::int64_t i = 0; i < kColumns; ++i)
      products[i] = reinterpret_cast<const InMemory<V>*>(a + i * t.a_batch + k)->value *
                    reinterpret_cast<const InMemory<V>*>(b + i * t.b_batch + k)->value;
    turn(products);
    for (const V& product : products) sums += product;
  }
  for (; k < t.k; ++k)
    for (std::int64_t i = 0; i < kColumns; ++i)
      sums[i] += a[i * t.a_batch + k] * b[i * t.b_batch + k];
  for (std::int64_t i = 0; i < kColumns; ++i) c[i * t.c_batch] = sums[i];
}

template <int kBytes>
[[gnu::always_inline]] inline void multiply_all(const MxuTile& t) {
  const auto* a = static_cast<const float*>(t.a);
  const auto* b = static_cast<const float*>(t.b);
  auto* c = static_cast<float*>(t.c);
  std::int64_t i = 0;
  if (t.m == 1 && t.n == 1 && t.a_column == 1 && t.b_row == 1)
    for (; i + kColumns <= t.batches; i += kColumns)
      multiply_vectors(t, a + i * t.a_batch, b + i * t.b_batch, c + i * t.c_batch);
  for (; i < t.batches; ++i)
    multiply_one<kBytes>(t, a + i * t.a_batch, b + i * t.b_batch, c + i * t.c_batch);
}

}  // namespace

void multiply_small(const MxuTile& tile) {
  with_vectors([&]<int kBytes>() __attribute__((always_inline)) { multiply_all<kBytes>(tile); });
}

}  // namespace understudy::worker
