// SPDX-License-Identifier: Apache-2.0
// ArgReduce of many short rows: squares of 8 x 8 elements are transposed in registers, so that the
// steps of eight rows are those of one vector. For functions that are compiled as vector code.
#pragma once

#include <algorithm>
#include <cstdint>

#include "worker/ops/arg_lanes.h"

namespace understudy::worker::ops {

// x[i][k] -> x[k][i]. Every shuffle but those of the last round stays in parts of 16 bytes.
template <class V>
[[gnu::always_inline]] inline void transpose_square(V (&x)[kAtOnce]) {
  V words[kAtOnce], pairs[kAtOnce];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    words[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    words[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
#pragma GCC unroll 2
    for (int k = 0; k < 2; ++k) {
      const V &a = words[i + k], &b = words[i + 2 + k];
      pairs[i + 2 * k] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
      pairs[i + 2 * k + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    x[k] = __builtin_shufflevector(pairs[k], pairs[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[k + 4] = __builtin_shufflevector(pairs[k], pairs[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// The present values and positions of eight rows.
template <class T, bool kLargest>
struct EightRows {
  using Stored = typename T::Stored;
  using Lanes = typename T::Lanes;

  [[gnu::always_inline]] inline void step(const Lanes& x, std::int32_t position) {
    const Integers keeps = (kLargest ? values > x : values < x) | (values != values);
    const Integers keeps_position = keeps | ((values == x) & (positions < position));
    positions = keeps_position ? positions : Integers{} + position;
    values = keeps ? values : x;
  }
  // Elements `skipped` and following, below kAtOnce, of what each row has at x; `position`: of the
  // first of them.
  [[gnu::always_inline]] inline void steps(const Stored* x, std::int64_t row, std::int64_t skipped,
                                           std::int64_t count, std::int32_t position) {
    Lanes square[kAtOnce];
#pragma GCC unroll 8
    for (int r = 0; r < kAtOnce; ++r) T::load_lanes(x + r * row, square[r]);
    transpose_square(square);
#pragma GCC unroll 8
    for (int k = 0; k < kAtOnce; ++k)
      if (k >= skipped && k < skipped + count)
        step(square[k], position + k - static_cast<std::int32_t>(skipped));
  }

  Lanes values;
  Integers positions;
};

// Rows of `n` elements that follow each other, each into its value and position.
template <class T, bool kLargest>
[[gnu::always_inline]] inline void search_rows(const typename T::Stored* x, std::int64_t rows,
                                               std::int64_t n, typename T::Stored* values,
                                               std::int32_t* positions) {
  std::int64_t r = 0;
  // The square of the last of the rows, where these are shorter, ends in rows behind them.
  for (; r + kAtOnce <= rows && (r + kAtOnce - 1) * n + std::max(n, kAtOnce) <= rows * n;
       r += kAtOnce) {
    EightRows<T, kLargest> lanes;
    T::load_lanes(values + r, lanes.values);
    auto* const places = reinterpret_cast<InMemory<Integers>*>(positions + r);
    lanes.positions = places->value;
    const typename T::Stored* const first = x + r * n;
    std::int64_t k = 0;
    for (; k + kAtOnce <= n; k += kAtOnce)
      lanes.steps(first + k, n, 0, kAtOnce, static_cast<std::int32_t>(k));
    if (k < n) {
      const std::int64_t begin = std::max<std::int64_t>(n - kAtOnce, 0);
      lanes.steps(first + begin, n, k - begin, n - k, static_cast<std::int32_t>(k));
    }
    T::store_lanes(lanes.values, values + r);
    places->value = lanes.positions;
  }
  for (; r < rows; ++r)
    for (std::int64_t k = 0; k < n; ++k)
      step<T, kLargest>(x + r * n + k, static_cast<std::int32_t>(k), values + r, positions + r, 1);
}

}  // namespace understudy::worker::ops
