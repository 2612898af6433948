// SPDX-License-Identifier: Apache-2.0
// Registers of 16 bytes whose lanes are moved, on every instruction set. Pure functions, for inner
// loops.
#pragma once

#include <cstdint>

namespace understudy::worker::ops {

template <class T>
using Lanes [[gnu::vector_size(16)]] = T;
template <class T>
constexpr std::int64_t kLanes = 16 / static_cast<std::int64_t>(sizeof(T));

// The lower, and the upper, halves of two registers element by element.
template <class V>
[[gnu::always_inline]] inline void zip(const V& a, const V& b, V& low, V& high) {
  if constexpr (sizeof(a[0]) == 1) {
    low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    high =
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  } else if constexpr (sizeof(a[0]) == 2) {
    low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  } else if constexpr (sizeof(a[0]) == 4) {
    low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  } else {
    low = __builtin_shufflevector(a, b, 0, 2);
    high = __builtin_shufflevector(a, b, 1, 3);
  }
}

template <class V>
[[gnu::always_inline]] inline void reverse(V& a) {
  if constexpr (sizeof(a[0]) == 1) {
    a = __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  } else if constexpr (sizeof(a[0]) == 2) {
    a = __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
  } else if constexpr (sizeof(a[0]) == 4) {
    a = __builtin_shufflevector(a, a, 3, 2, 1, 0);
  } else {
    a = __builtin_shufflevector(a, a, 1, 0);
  }
}

// Lanes 0, 2, 4, ... of a and then of b, into a.
template <class V>
[[gnu::always_inline]] inline void take_even(V& a, const V& b) {
  if constexpr (sizeof(a[0]) == 1) {
    a = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  } else if constexpr (sizeof(a[0]) == 2) {
    a = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  } else if constexpr (sizeof(a[0]) == 4) {
    a = __builtin_shufflevector(a, b, 0, 2, 4, 6);
  } else {
    a = __builtin_shufflevector(a, b, 0, 2);
  }
}

}  // namespace understudy::worker::ops
