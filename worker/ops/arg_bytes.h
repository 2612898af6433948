// SPDX-License-Identifier: Apache-2.0
// ArgReduce of columns of bytes: as many columns as vectors have bytes keep their best value and
// its row, which is a byte as well, in registers over up to 255 rows. For functions that are
// compiled as vector code.
#pragma once

#include <algorithm>
#include <cstdint>

#include "worker/ops/arg_lanes.h"

namespace understudy::worker::ops {

template <class T, bool kLargest, int kBytes>
struct ByteColumns {
  using Byte = typename T::Stored;
  typedef Byte Bytes __attribute__((vector_size(kBytes)));
  typedef std::uint8_t Places __attribute__((vector_size(kBytes)));
  // As InMemory, which takes no vector whose size is a parameter.
  struct [[gnu::packed, gnu::may_alias]] BytesInMemory {
    Bytes value;
  };
  struct [[gnu::packed, gnu::may_alias]] PlacesInMemory {
    Places value;
  };
  static constexpr std::int64_t kMostRows = 255;

  // Eight columns whose best value and its row, counted from `first`, are given: the step of each.
  [[gnu::always_inline]] static inline void join(const Byte* best, const std::uint8_t* rows,
                                                 std::int32_t first, Byte* values,
                                                 std::int32_t* positions) {
    Integers a, b, row;
    T::load_lanes(values, a);
    T::load_lanes(best, b);
    UI8::load_lanes(rows, row);
    row += first;
    auto* const places = reinterpret_cast<InMemory<Integers>*>(positions);
    const Integers old = places->value;
    const Integers keeps = kLargest ? a > b : a < b;
    places->value = (keeps | ((a == b) & (old < row))) ? old : row;
    T::store_lanes(keeps ? a : b, values);
  }

  // At most kMostRows rows of kCount vectors, of which the first row is row `first`.
  template <int kCount>
  [[gnu::always_inline]] static inline void search(const Byte* x, std::int64_t rows,
                                                   std::int64_t stride, std::int32_t first,
                                                   Byte* values, std::int32_t* positions) {
    Bytes best[kCount];
    Places places[kCount];
#pragma GCC unroll 4
    for (int c = 0; c < kCount; ++c) {
      best[c] = reinterpret_cast<const BytesInMemory*>(x + c * kBytes)->value;
      places[c] = Places{};
    }
    for (std::int64_t k = 1; k < rows; ++k) {
      const Places place = Places{} + static_cast<std::uint8_t>(k);
#pragma GCC unroll 4
      for (int c = 0; c < kCount; ++c) {
        const Bytes next =
            reinterpret_cast<const BytesInMemory*>(x + k * stride + c * kBytes)->value;
        const auto is_better = kLargest ? next > best[c] : next < best[c];
        best[c] = is_better ? next : best[c];
        places[c] = is_better ? place : places[c];
      }
    }
    Byte bests[kCount * kBytes];
    std::uint8_t found[kCount * kBytes];
#pragma GCC unroll 4
    for (int c = 0; c < kCount; ++c) {
      reinterpret_cast<BytesInMemory*>(bests + c * kBytes)->value = best[c];
      reinterpret_cast<PlacesInMemory*>(found + c * kBytes)->value = places[c];
    }
    for (int k = 0; k < kCount * kBytes; k += kAtOnce)
      join(bests + k, found + k, first, values + k, positions + k);
  }

  // Rows of `columns` bytes, at least kBytes, that follow each other.
  [[gnu::always_inline]] static inline void run(const Byte* x, std::int64_t rows,
                                                std::int64_t columns, Byte* values,
                                                std::int32_t* positions) {
    for (std::int64_t k = 0; k < rows; k += kMostRows, x += kMostRows * columns) {
      const std::int64_t some = std::min(kMostRows, rows - k);
      const auto first = static_cast<std::int32_t>(k);
      std::int64_t i = 0;
      for (; i + 4 * kBytes <= columns; i += 4 * kBytes)
        search<4>(x + i, some, columns, first, values + i, positions + i);
      // The last vector may overlap: the same step again changes nothing.
      for (; i < columns; i += kBytes) {
        i = std::min(i, columns - kBytes);
        search<1>(x + i, some, columns, first, values + i, positions + i);
      }
    }
  }
};

}  // namespace understudy::worker::ops
