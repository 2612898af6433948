// SPDX-License-Identifier: Apache-2.0
// Rows and columns of small squares of 32-bit numbers exchanged in registers. Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

using EightFloats [[gnu::vector_size(32)]] = float;

// Four rows of four.
template <class V>
[[gnu::always_inline]] inline void turn(V (&r)[4]) {
  using Lanes [[gnu::vector_size(16)]] = std::int32_t;
  constexpr Lanes kLow = {0, 4, 1, 5}, kHigh = {2, 6, 3, 7};
  constexpr Lanes kLowPairs = {0, 1, 4, 5}, kHighPairs = {2, 3, 6, 7};
  const V a = __builtin_shuffle(r[0], r[1], kLow), b = __builtin_shuffle(r[0], r[1], kHigh);
  const V c = __builtin_shuffle(r[2], r[3], kLow), d = __builtin_shuffle(r[2], r[3], kHigh);
  r[0] = __builtin_shuffle(a, c, kLowPairs);
  r[1] = __builtin_shuffle(a, c, kHighPairs);
  r[2] = __builtin_shuffle(b, d, kLowPairs);
  r[3] = __builtin_shuffle(b, d, kHighPairs);
}

// Eight rows of eight.
template <class V>
[[gnu::always_inline]] inline void turn(V (&r)[8]) {
  using Lanes [[gnu::vector_size(32)]] = std::int32_t;
  constexpr Lanes kLow = {0, 8, 1, 9, 4, 12, 5, 13}, kHigh = {2, 10, 3, 11, 6, 14, 7, 15};
  constexpr Lanes kLowPairs = {0, 1, 8, 9, 4, 5, 12, 13}, kHighPairs = {2, 3, 10, 11, 6, 7, 14, 15};
  constexpr Lanes kLowHalves = {0, 1, 2, 3, 8, 9, 10, 11},
                  kHighHalves = {4, 5, 6, 7, 12, 13, 14, 15};
  V t[8], u[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    t[i] = __builtin_shuffle(r[i], r[i + 1], kLow);
    t[i + 1] = __builtin_shuffle(r[i], r[i + 1], kHigh);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      u[i + 2 * j] = __builtin_shuffle(t[i + j], t[i + 2 + j], kLowPairs);
      u[i + 2 * j + 1] = __builtin_shuffle(t[i + j], t[i + 2 + j], kHighPairs);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    r[i] = __builtin_shuffle(u[i], u[i + 4], kLowHalves);
    r[i + 4] = __builtin_shuffle(u[i], u[i + 4], kHighHalves);
  }
}

}  // namespace understudy::worker
