// SPDX-License-Identifier: Apache-2.0
// Rows and columns of eight by eight floats exchanged in registers. Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

using EightFloats [[gnu::vector_size(32)]] = float;

[[gnu::always_inline]] inline void turn(EightFloats (&r)[8]) {
  using Lanes [[gnu::vector_size(32)]] = std::int32_t;
  constexpr Lanes kLow = {0, 8, 1, 9, 4, 12, 5, 13}, kHigh = {2, 10, 3, 11, 6, 14, 7, 15};
  constexpr Lanes kLowPairs = {0, 1, 8, 9, 4, 5, 12, 13}, kHighPairs = {2, 3, 10, 11, 6, 7, 14, 15};
  constexpr Lanes kLowHalves = {0, 1, 2, 3, 8, 9, 10, 11},
                  kHighHalves = {4, 5, 6, 7, 12, 13, 14, 15};
  EightFloats t[8], u[8];
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
