// SPDX-License-Identifier: Apache-2.0
// Part of mxu_vector_loops.cc: sums across the rows of a matrix, eight products at a time
// (docs/numerics.md, Order of reductions). Templates for code inside of with_vectors().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "worker/chip/mxu/mxu_vector_lanes.h"
#include "worker/chip/mxu/mxu_vector_loops.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::vector_lanes {

// The sums of a vector of results go through kAcross rows: as many streams as the prefetchers
// follow. Matrices of so many bytes stay in the second-level cache: their sums stay in registers.
inline constexpr int kAcross = 8;
inline constexpr std::int64_t kMostCached = 1 << 19;

// Columns of rows that one load has. Two registers have the even and the odd ones of bf16: as half
// of a word each, these become f32 by a shift and by a mask.
template <Row kRow, int kSize>
struct Columns {
  using V = typename Vectors<kSize>::Floats;
  using Bits = typename Vectors<kSize>::Bits;
  static constexpr int kParts = kRow == Row::bf16 ? 2 : 1;
  static constexpr std::int64_t kCount = kParts * kSize;
  V parts[kParts];

  [[gnu::always_inline]] void read(const float* from) {
#pragma GCC unroll 2
    for (int p = 0; p < kParts; ++p)
      parts[p] = reinterpret_cast<const InMemory<V>*>(from + p * kSize)->value;
    if constexpr (kParts == 2) part_by_parity(parts[0], parts[1]);
  }
  [[gnu::always_inline]] void write(float* to) {
    if constexpr (kParts == 2) join_by_parity(parts[0], parts[1]);
#pragma GCC unroll 2
    for (int p = 0; p < kParts; ++p)
      reinterpret_cast<InMemory<V>*>(to + p * kSize)->value = parts[p];
  }
  // Products of the columns from i on of a row.
  [[gnu::always_inline]] void multiply(const std::byte* row, std::int64_t i, float x, V& seen) {
    if constexpr (kRow == Row::bf16) {
      const Bits both = reinterpret_cast<const InMemory<Bits>*>(row + i * 2)->value;
      parts[0] = reinterpret_cast<V>(both << 16) * x;
      parts[1] = reinterpret_cast<V>(both & 0xFFFF0000U) * x;
    } else {
      load<kRow, kSize>(row, i, parts[0], seen);
      parts[0] *= x;
    }
  }
  [[gnu::always_inline]] void add(const Columns& other) {
#pragma GCC unroll 2
    for (int p = 0; p < kParts; ++p) parts[p] += other.parts[p];
  }
};

// Products of kCount rows from `row` on, joined by a tree, in the order that needs the fewest
// registers.
template <Row kRow, int kSize, int kCount, class V>
[[gnu::always_inline]] inline void join_rows(const std::byte* row, std::int64_t stride,
                                             std::int64_t i, const float* x,
                                             Columns<kRow, kSize>& sum, V& seen) {
  if constexpr (kCount == 1) {
    sum.multiply(row, i, *x, seen);
  } else {
    Columns<kRow, kSize> other;
    V other_seen;
    join_rows<kRow, kSize, kCount / 2>(row, stride, i, x, sum, seen);
    join_rows<kRow, kSize, kCount / 2>(row + kCount / 2 * stride, stride, i, x + kCount / 2, other,
                                       other_seen);
    sum.add(other);
    if constexpr (kRow == Row::rounded_f32) seen += other_seen;
  }
}

// Adds rows [first, last) to the sums of kLoads loads of elements from i on. `all`: of what was
// seen.
template <Row kRow, int kSize, int kLoads, class V>
[[gnu::always_inline]] inline void add_across(const VectorRows& rows, std::int64_t first,
                                              std::int64_t last, std::int64_t i, const float* x,
                                              float* out, V& all) {
  using Some = Columns<kRow, kSize>;
  Some sums[kLoads], some;
  V seen;
#pragma GCC unroll 2
  for (int l = 0; l < kLoads; ++l) sums[l].read(out + l * Some::kCount);
  const auto add = [&]<int kCount>(const std::byte* row, const float* at)
      __attribute__((always_inline)) {
#pragma GCC unroll 2
    for (int l = 0; l < kLoads; ++l) {
      join_rows<kRow, kSize, kCount>(row, rows.stride_bytes, i + l * Some::kCount, at, some, seen);
      sums[l].add(some);
      if constexpr (kRow == Row::rounded_f32) all += seen;
    }
  };
  const std::byte* row = rows.at + first * rows.stride_bytes;
  std::int64_t r = first;
  for (; r + kAcross <= last; r += kAcross, row += kAcross * rows.stride_bytes)
    add.template operator()<kAcross>(row, x + r);
  for (; r < last; ++r, row += rows.stride_bytes) add.template operator()<1>(row, x + r);
#pragma GCC unroll 2
  for (int l = 0; l < kLoads; ++l) sums[l].write(out + l * Some::kCount);
}

// Rows [first, last) for the elements [from, end) of a row, as many at once as there are whole
// loads of kLoads; returns where they end.
template <Row kRow, int kSize, int kLoads = 1>
[[gnu::always_inline]] inline std::int64_t add_block(const VectorRows& rows, std::int64_t first,
                                                     std::int64_t last, std::int64_t from,
                                                     std::int64_t end, const float* x, float* out,
                                                     bool& found_nan) {
  constexpr std::int64_t kStep = kLoads * Columns<kRow, kSize>::kCount;
  typename Vectors<kSize>::Floats all = {};
  std::int64_t i = from;
  for (; i + kStep <= end; i += kStep)
    add_across<kRow, kSize, kLoads>(rows, first, last, i, x, out + i, all);
  found_nan = found_nan || has_nan(all);
  return i;
}

// out[i] = the sum over rows r of x[r] row[r][i]. *Requires*: rows of at least eight elements. The
// last eight may overlap the ones before, so they are computed apart, from all rows.
template <Row kRow, int kSize>
[[gnu::always_inline]] inline void multiply_across(const VectorRows& rows, const float* x,
                                                   float* out) {
  constexpr std::int64_t kBlock = 2048;  // 8 KiB of sums stay in the first-level cache
  constexpr int kEight = kRow == Row::bf16 ? kNarrow / 2 : kNarrow;  // lanes for eight elements
  const std::int64_t whole = rows.k / kNarrow * kNarrow;
  const std::int64_t at_once = rows.count * rows.stride_bytes <= kMostCached ? rows.count : kAcross;
  bool found_nan = false;
  std::memset(out, 0, static_cast<std::size_t>(rows.k) * sizeof(float));
  for (std::int64_t block = 0; block < whole; block += kBlock) {
    const std::int64_t end = std::min(block + kBlock, whole);
    for (std::int64_t r = 0; r < rows.count; r += at_once) {
      const std::int64_t last = std::min(r + at_once, rows.count);
      std::int64_t i = add_block<kRow, kSize, 2>(rows, r, last, block, end, x, out, found_nan);
      i = add_block<kRow, kSize>(rows, r, last, i, end, x, out, found_nan);
      if constexpr (kSize > kNarrow)
        i = add_block<kRow, kNarrow>(rows, r, last, i, end, x, out, found_nan);
      if constexpr (kEight < kNarrow)
        add_block<kRow, kEight>(rows, r, last, i, end, x, out, found_nan);
    }
  }
  if (whole < rows.k) {
    float* const rest = out + rows.k - kNarrow;
    float sums[kNarrow] = {};
    const VectorRows end{rows.at + (rows.k - kNarrow) * kBytes<kRow>, rows.count, rows.stride_bytes,
                         kNarrow};
    add_block<kRow, kEight>(end, 0, rows.count, 0, kNarrow, x, sums, found_nan);
    std::memcpy(rest, sums, sizeof(sums));
  }
  if constexpr (kRow == Row::rounded_f32) {
    if (found_nan) [[unlikely]]
      multiply_across<Row::settled_f32, kSize>(rows, x, out);
  }
}

}  // namespace understudy::worker::vector_lanes
