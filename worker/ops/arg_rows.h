// SPDX-License-Identifier: Apache-2.0
// ArgReduce of many short rows: squares of 8 x 8 elements are transposed in registers, so that the
// steps of eight rows are those of one vector. For functions that are compiled as vector code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

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

// Element `kElement` of eight rows of kCount elements, which are kCount vectors. Lane l of the
// vectors up to x[v] is element l of `found` once these have been looked at.
template <int kCount, int kElement, int kVector = 1, class V, std::size_t... kLane>
[[gnu::always_inline]] inline void element_of_rows(const V (&x)[kAtOnce], V& found,
                                                   std::index_sequence<kLane...> all) {
  if constexpr (kVector == 1) found = x[0];
  constexpr auto source = [](std::size_t lane) {
    const int place = static_cast<int>(lane) * kCount + kElement, vector = place / kAtOnce;
    if (vector == kVector) return kAtOnce + place % kAtOnce;
    return kVector == 1 ? place % kAtOnce : static_cast<std::int64_t>(lane);
  };
  found = __builtin_shufflevector(found, x[kVector], static_cast<int>(source(kLane))...);
  if constexpr (kVector + 1 < kCount) element_of_rows<kCount, kElement, kVector + 1>(x, found, all);
}
template <class T, int kCount, class Use>
[[gnu::always_inline]] inline void for_each_of_few(const typename T::Stored* x, const Use& use) {
  typename T::Lanes all[kAtOnce], one;
  for (int v = 0; v < kCount; ++v) T::load_lanes(x + v * kAtOnce, all[v]);
  constexpr std::make_index_sequence<kAtOnce> kLanes{};
  [&]<int... kElement>(std::integer_sequence<int, kElement...>) __attribute__((always_inline)) {
    ((element_of_rows<kCount, kElement>(all, one, kLanes), use(one, kElement)), ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

// Calls use(vector of eight rows, element) for each of their `n` elements. What is read ends with
// the last row, or `kAtOnce` elements behind its begin.
template <class T, class Use>
[[gnu::always_inline]] inline void for_each_element(const typename T::Stored* x, std::int64_t n,
                                                    const Use& use) {
  if (n == 2) return for_each_of_few<T, 2>(x, use);
  if (n == 3) return for_each_of_few<T, 3>(x, use);
  if (n == 4) return for_each_of_few<T, 4>(x, use);
  typename T::Lanes square[kAtOnce];
  const auto load = [&](std::int64_t first) __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (int r = 0; r < kAtOnce; ++r) T::load_lanes(x + r * n + first, square[r]);
    transpose_square(square);
  };
  std::int64_t k = 0;
  for (; k + kAtOnce <= n; k += kAtOnce) {
    load(k);
#pragma GCC unroll 8
    for (int i = 0; i < kAtOnce; ++i) use(square[i], static_cast<std::int32_t>(k) + i);
  }
  if (k == n) return;
  const std::int64_t first = std::max<std::int64_t>(n - kAtOnce, 0);
  load(first);
#pragma GCC unroll 8
  for (int i = 0; i < kAtOnce; ++i)
    if (first + i >= k && first + i < n) use(square[i], static_cast<std::int32_t>(first) + i);
}

// The present values and positions of eight rows.
template <class T, bool kLargest>
struct EightRows {
  using Stored = typename T::Stored;
  using Lanes = typename T::Lanes;
  using Value = std::remove_cvref_t<decltype(Lanes{}[0])>;

  [[gnu::always_inline]] inline void step(const Lanes& x, const Integers& position) {
    const Integers keeps = (kLargest ? values > x : values < x) | (values != values);
    const Integers keeps_position = keeps | ((values == x) & (positions < position));
    positions = keeps_position ? positions : position;
    values = keeps ? values : x;
  }
  // The steps of rows without NaN, whose own best is found first: of equal elements the value of
  // the last one and the position of the first one.
  [[gnu::always_inline]] inline void steps(const Stored* x, std::int64_t n) {
    using Limits = std::numeric_limits<Value>;
    constexpr Value kTop = Limits::has_infinity ? Limits::infinity() : Limits::max();
    constexpr Value kLeast = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    Lanes best = Lanes{} + (kLargest ? kLeast : kTop);
    Lanes sum = {};  // a NaN if there is one among the elements, or two infinities
    Integers found = {};
    for_each_element<T>(
        x, n, [&](const Lanes& next, std::int32_t k) __attribute__((always_inline)) {
          const Integers keeps = kLargest ? best >= next : best <= next;
          found = keeps ? found : Integers{} + k;
          best = (kLargest ? best > next : best < next) ? best : next;
          if constexpr (Limits::has_infinity) sum += next;
        });
    if constexpr (Limits::has_infinity) {
      const Integers is_nan = sum != sum;
      bool any = false;
      for (int l = 0; l < kAtOnce; ++l) any |= is_nan[l] != 0;
      if (any) [[unlikely]]
        return for_each_element<T>(
            x, n, [&](const Lanes& next, std::int32_t k) __attribute__((always_inline)) {
              step(next, Integers{} + k);
            });
    }
    step(best, found);
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
  for (; n > 0 && r + kAtOnce <= rows && (r + kAtOnce - 1) * n + std::max(n, kAtOnce) <= rows * n;
       r += kAtOnce) {
    EightRows<T, kLargest> lanes;
    T::load_lanes(values + r, lanes.values);
    auto* const places = reinterpret_cast<InMemory<Integers>*>(positions + r);
    lanes.positions = places->value;
    lanes.steps(x + r * n, n);
    T::store_lanes(lanes.values, values + r);
    places->value = lanes.positions;
  }
  for (; r < rows; ++r)
    for (std::int64_t k = 0; k < n; ++k)
      step<T, kLargest>(x + r * n + k, static_cast<std::int32_t>(k), values + r, positions + r, 1);
}

}  // namespace understudy::worker::ops
