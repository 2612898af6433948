// SPDX-License-Identifier: Apache-2.0
// Part of mxu_small.cc: many matrices whose rows and sums are multiples of eight, each with a
// vector. Squares of eight rows are turned, so that a vector has one column of them, and added in
// the order of the columns. Stateless.
#pragma once

#include <cstdint>

#include "worker/chip/bf16_rounding.h"
#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/mxu/turn_vectors.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {

// Whether the loop below has all products of such a tile.
inline bool has_eight_rows(const MxuTile& t) {
  constexpr std::int64_t kMostColumns = 32;  // of more, the sums of one vector wait for each other
  return t.n == 1 && t.m % 8 == 0 && t.k % 8 == 0 && t.k <= kMostColumns && t.a_column == 1 &&
         t.b_row == 1 && t.c_row == 1;
}

// Of the matrix at `a`. kRounds: its numbers to bf16; kSettles: NaN as well, of which it makes any
// number else. `seen`: is NaN in some lane where one of the numbers is.
template <bool kRounds, bool kSettles, class V, class T>
[[gnu::always_inline]] inline void multiply_eight_rows(const MxuTile& t, const T* a, const T* b,
                                                       T* c, V& seen) {
  using Bits [[gnu::vector_size(sizeof(V))]] = std::uint32_t;
  constexpr std::int64_t kEight = 8, kAhead = 2048;  // elements
  for (std::int64_t m = 0; m < t.m; m += kEight) {
    V sums = {};
    for (std::int64_t k = 0; k < t.k; k += kEight) {
      V rows[kEight];
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < kEight; ++i) {
        const T* const row = a + (m + i) * t.a_row + k;
        // The processor's own prefetch is late for a single stream.
        if (i % 2 == 0) __builtin_prefetch(row + kAhead);
        rows[i] = reinterpret_cast<const InMemory<V>*>(row)->value;
        if constexpr (kRounds && kSettles) round_to_bf16<Bits>(rows[i]);
        if constexpr (kRounds && !kSettles) {
          seen += rows[i];
          round_number_to_bf16<Bits>(rows[i]);
        }
      }
      turn(rows);
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < kEight; ++i) sums += rows[i] * b[k + i];
    }
    reinterpret_cast<InMemory<V>*>(c + m)->value = sums;
  }
}

// All of the batch.
template <bool kRounds, bool kSettles = false, class T>
[[gnu::always_inline]] inline void multiply_batch_of_eight_rows(const MxuTile& t) {
  using V [[gnu::vector_size(32)]] = T;
  V seen = {};
  for (std::int64_t i = 0; i < t.batches; ++i)
    multiply_eight_rows<kRounds, kSettles>(t, static_cast<const T*>(t.a) + i * t.a_batch,
                                           static_cast<const T*>(t.b) + i * t.b_batch,
                                           static_cast<T*>(t.c) + i * t.c_batch, seen);
  if constexpr (kRounds && !kSettles) {
    bool has_nan = false;
    for (int l = 0; l < 8; ++l) has_nan |= seen[l] != seen[l];
    if (has_nan) [[unlikely]]
      multiply_batch_of_eight_rows<kRounds, true, T>(t);
  }
}

}  // namespace understudy::worker
