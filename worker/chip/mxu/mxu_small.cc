// SPDX-License-Identifier: Apache-2.0
// Batches of small f32 products, and products with few columns, summed over k in order with each
// product rounded: the bits of multiply_portably() without its packing, which costs more than such
// a product.
#include <cstdint>

#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

using V [[gnu::vector_size(32)]] = float;
using LongV [[gnu::vector_size(64)]] = float;
constexpr std::int64_t kColumns = 8, kLongColumns = 16;

struct Strides {
  std::int64_t a_row, a_column, b_row, c_row, k;
};

// kTall rows and one vector of columns.
template <class V, std::int64_t kTall>
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

// All rows of one vector of columns.
template <class V>
[[gnu::always_inline]] inline void all_rows(std::int64_t m, const float* a, const float* b,
                                            float* c, const Strides& s) {
  std::int64_t i = 0;
  for (; i + 4 <= m; i += 4) wide<V, 4>(a + i * s.a_row, b, c + i * s.c_row, s);
  for (; i < m; ++i) wide<V, 1>(a + i * s.a_row, b, c + i * s.c_row, s);
}

// Eight by eight elements, turned.
[[gnu::always_inline]] inline void turn(V (&r)[kColumns]) {
  using Lanes [[gnu::vector_size(32)]] = std::int32_t;
  constexpr Lanes kLow = {0, 8, 1, 9, 4, 12, 5, 13}, kHigh = {2, 10, 3, 11, 6, 14, 7, 15};
  constexpr Lanes kLowPairs = {0, 1, 8, 9, 4, 5, 12, 13}, kHighPairs = {2, 3, 10, 11, 6, 7, 14, 15};
  constexpr Lanes kLowHalves = {0, 1, 2, 3, 8, 9, 10, 11},
                  kHighHalves = {4, 5, 6, 7, 12, 13, 14, 15};
  V t[kColumns];
  for (int i = 0; i < kColumns; i += 2) {
    t[i] = __builtin_shuffle(r[i], r[i + 1], kLow);
    t[i + 1] = __builtin_shuffle(r[i], r[i + 1], kHigh);
  }
  V u[kColumns];
  for (int i = 0; i < kColumns; i += 4)
    for (int j = 0; j < 2; ++j) {
      u[i + 2 * j] = __builtin_shuffle(t[i + j], t[i + 2 + j], kLowPairs);
      u[i + 2 * j + 1] = __builtin_shuffle(t[i + j], t[i + 2 + j], kHighPairs);
    }
  for (int i = 0; i < 4; ++i) {
    r[i] = __builtin_shuffle(u[i], u[i + 4], kLowHalves);
    r[i + 4] = __builtin_shuffle(u[i], u[i + 4], kHighHalves);
  }
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

[[gnu::always_inline]] inline void multiply_one(const MxuTile& t, const float* a, const float* b,
                                                float* c) {
  const Strides s{t.a_row, t.a_column, t.b_row, t.c_row, t.k};
  std::int64_t n = 0;
  for (; n + kLongColumns <= t.n; n += kLongColumns) all_rows<LongV>(t.m, a, b + n, c + n, s);
  for (; n + kColumns <= t.n; n += kColumns) all_rows<V>(t.m, a, b + n, c + n, s);
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

UNDERSTUDY_VECTOR_CODE void multiply_all(const MxuTile& t) {
  const auto* a = static_cast<const float*>(t.a);
  const auto* b = static_cast<const float*>(t.b);
  auto* c = static_cast<float*>(t.c);
  std::int64_t i = 0;
  if (t.m == 1 && t.n == 1 && t.a_column == 1 && t.b_row == 1)
    for (; i + kColumns <= t.batches; i += kColumns)
      multiply_vectors(t, a + i * t.a_batch, b + i * t.b_batch, c + i * t.c_batch);
  for (; i < t.batches; ++i)
    multiply_one(t, a + i * t.a_batch, b + i * t.b_batch, c + i * t.c_batch);
}

}  // namespace

void multiply_small(const MxuTile& tile) { multiply_all(tile); }

}  // namespace understudy::worker
