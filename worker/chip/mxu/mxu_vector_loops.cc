// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_vector_loops.h"

#include <algorithm>
#include <cstring>

#include "worker/chip/mxu/mxu_short_rows.h"
#include "worker/chip/mxu/mxu_vector_lanes.h"
#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

using namespace vector_lanes;

// The next lines of a large matrix: the processor's own prefetch is late for a single stream.
template <Row kRow>
[[gnu::always_inline]] inline void prefetch(const void* row, std::int64_t k) {
  constexpr std::int64_t kLine = 64, kAhead = 128 * kLine;
  const auto* const ahead = static_cast<const std::byte*>(row) + k * kBytes<kRow> + kAhead;
  for (std::int64_t at = 0; at < kLanes * kBytes<kRow>; at += kLine) __builtin_prefetch(ahead + at);
}

template <class V>
[[gnu::always_inline]] inline bool has_nan(const V& seen) {
  bool found = false;
  for (std::size_t l = 0; l < sizeof(V) / sizeof(float); ++l) found |= seen[l] != seen[l];
  return found;
}

// The lanes of kCount rows, `stride` bytes apart, folded to four or, by parity, twice four: side by
// side they hide each other's latency. x is ordered for rows of bf16.
template <Row kRow, Row kOther, int kSize, bool kHasFma, int kCount>
[[gnu::always_inline]] inline void products(const std::byte* row, std::int64_t stride,
                                            const float* x, std::int64_t k,
                                            typename Lanes<kRow, kSize>::V* seen, Four* even,
                                            Four* odd) {
  using Sums = Lanes<kRow, kSize>;
  Sums lanes[kCount];
  typename Sums::V right[Sums::kParts];
  std::int64_t i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    Sums::template read<kOther>(x, i, right, seen);
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) {
      prefetch<kRow>(row + r * stride, i);
      lanes[r].template add<kHasFma>(row + r * stride, right, i, seen);
    }
  }
  if (i < k) {  // the rest with zeros beside it
    float some_x[kLanes] = {};
    if constexpr (!Sums::kByParity)
      std::memcpy(some_x, x + i, static_cast<std::size_t>(k - i) * sizeof(float));
    Sums::template read<kOther>(Sums::kByParity ? x + i : some_x, 0, right, seen);
#pragma GCC unroll 4
    for (int r = 0; r < kCount; ++r) {
      alignas(64) std::byte some[kLanes * 4] = {};
      std::memcpy(some, row + r * stride + i * kBytes<kRow>,
                  static_cast<std::size_t>((k - i) * kBytes<kRow>));
      lanes[r].template add<kHasFma>(some, right, 0, seen);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kCount; ++r) lanes[r].fold(even[r], odd[r]);
}

template <Row kRow, Row kOther, int kSize, bool kHasFma>
[[gnu::always_inline]] inline void multiply_rows(const VectorRows& rows, const float* x,
                                                 float* out) {
  using Sums = Lanes<kRow, kSize>;
  typename Sums::V seen[2] = {};
  const std::int64_t stride = rows.stride_bytes;
  // Of the 32 registers of AVX-512 four rows take eight for their sums; AVX2 has 16.
  constexpr int kCount = kSize > kNarrow ? 4 : 2;
  std::int64_t r = 0;
  for (; r + 4 <= rows.count; r += 4) {
    Four even[4], odd[4], sums, others;
    for (int i = 0; i < 4; i += kCount)
      products<kRow, kOther, kSize, kHasFma, kCount>(rows.at + (r + i) * stride, stride, x, rows.k,
                                                     seen, even + i, odd + i);
    sums_of(even, sums);
    if constexpr (Sums::kByParity) {
      sums_of(odd, others);
      sums += others;
    }
    reinterpret_cast<InMemory<Four>*>(out + r)->value = sums;
  }
  for (; r < rows.count; ++r) {
    Four even, odd;
    products<kRow, kOther, kSize, kHasFma, 1>(rows.at + r * stride, stride, x, rows.k, seen, &even,
                                              &odd);
    out[r] = Sums::kByParity ? sum_of(even) + sum_of(odd) : sum_of(even);
  }
  if constexpr (kRow == Row::rounded_f32) {
    constexpr Row kSettled = kOther == Row::rounded_f32 ? Row::settled_f32 : kOther;
    if (has_nan(seen[0] + seen[1])) [[unlikely]]
      multiply_rows<Row::settled_f32, kSettled, kSize, kHasFma>(rows, x, out);
  }
}

// The sums of a vector of results go through kAcross rows: as many streams as the prefetchers
// follow.
constexpr int kAcross = 8;

// Products of kCount rows from r on, joined by a tree, in the order that needs the fewest
// registers.
template <Row kRow, int kSize, int kCount, class V>
[[gnu::always_inline]] inline void join_rows(const VectorRows& rows, std::int64_t r, std::int64_t i,
                                             const float* x, V& sum, V& seen) {
  if constexpr (kCount == 1) {
    load<kRow, kSize>(rows.at + r * rows.stride_bytes, i, sum, seen);
    sum *= x[r];
  } else {
    V other, other_seen;
    join_rows<kRow, kSize, kCount / 2>(rows, r, i, x, sum, seen);
    join_rows<kRow, kSize, kCount / 2>(rows, r + kCount / 2, i, x, other, other_seen);
    sum += other;
    if constexpr (kRow == Row::rounded_f32) seen += other_seen;
  }
}

// Adds rows [first, last) to the sums of the elements of a row from i on. `all`: of what was seen.
template <Row kRow, int kSize, class V>
[[gnu::always_inline]] inline void add_across(const VectorRows& rows, std::int64_t first,
                                              std::int64_t last, std::int64_t i, const float* x,
                                              V& sum, V& all) {
  V some, seen;
  std::int64_t r = first;
  for (; r + kAcross <= last; r += kAcross) {
    join_rows<kRow, kSize, kAcross>(rows, r, i, x, some, seen);
    sum += some;
    if constexpr (kRow == Row::rounded_f32) all += seen;
  }
  for (; r < last; ++r) {
    join_rows<kRow, kSize, 1>(rows, r, i, x, some, seen);
    sum += some;
    if constexpr (kRow == Row::rounded_f32) all += seen;
  }
}

// Rows [first, last) for the elements [from, end) of a row, as many at once as there are whole
// vectors; returns where they end.
template <Row kRow, int kSize>
[[gnu::always_inline]] inline std::int64_t add_block(const VectorRows& rows, std::int64_t first,
                                                     std::int64_t last, std::int64_t from,
                                                     std::int64_t end, const float* x, float* out,
                                                     bool& found_nan) {
  using V = typename Vectors<kSize>::Floats;
  V all = {};
  std::int64_t i = from;
  for (; i + kSize <= end; i += kSize) {
    auto* const at = reinterpret_cast<InMemory<V>*>(out + i);
    V sum = at->value;
    add_across<kRow, kSize>(rows, first, last, i, x, sum, all);
    at->value = sum;
  }
  found_nan = found_nan || has_nan(all);
  return i;
}

// out[i] = the sum over rows r of x[r] row[r][i]. *Requires*: rows of at least eight elements. The
// last eight may overlap the ones before, so they are computed apart, from all rows.
template <Row kRow, int kSize>
[[gnu::always_inline]] inline void multiply_across(const VectorRows& rows, const float* x,
                                                   float* out) {
  constexpr std::int64_t kBlock = 2048;  // 8 KiB of sums stay in the first-level cache
  const std::int64_t whole = rows.k / kNarrow * kNarrow;
  bool found_nan = false;
  std::memset(out, 0, static_cast<std::size_t>(rows.k) * sizeof(float));
  for (std::int64_t block = 0; block < whole; block += kBlock) {
    const std::int64_t end = std::min(block + kBlock, whole);
    for (std::int64_t r = 0; r < rows.count; r += kAcross) {
      const std::int64_t last = std::min(r + kAcross, rows.count);
      const std::int64_t i = add_block<kRow, kSize>(rows, r, last, block, end, x, out, found_nan);
      if constexpr (kSize > kNarrow)
        add_block<kRow, kNarrow>(rows, r, last, i, end, x, out, found_nan);
    }
  }
  if (whole < rows.k) {
    float* const rest = out + rows.k - kNarrow;
    float sums[kNarrow] = {};
    const VectorRows end{rows.at + (rows.k - kNarrow) * kBytes<kRow>, rows.count, rows.stride_bytes,
                         kNarrow};
    add_block<kRow, kNarrow>(end, 0, rows.count, 0, kNarrow, x, sums, found_nan);
    std::memcpy(rest, sums, sizeof(sums));
  }
  if constexpr (kRow == Row::rounded_f32) {
    if (found_nan) [[unlikely]]
      multiply_across<Row::settled_f32, kSize>(rows, x, out);
  }
}

template <Row kRow, Row kOther = Row::f32>
void along(const VectorRows& rows, const float* x, float* out) {
  with_fused_vectors([&]<int kBytes, bool kHasFma>() __attribute__((always_inline)) {
    multiply_rows<kRow, kOther, kBytes / 4, kHasFma>(rows, x, out);
  });
}

void along_bf16(const VectorRows& rows, const float* x, float* ordered, float* out) {
  with_fused_vectors([&]<int kBytes, bool kHasFma>() __attribute__((always_inline)) {
    order_by_parity<kBytes / 4>(x, rows.k, ordered);
    multiply_rows<Row::bf16, Row::f32, kBytes / 4, kHasFma>(rows, ordered, out);
  });
}

template <Row kRow>
void across(const VectorRows& rows, const float* x, float* out) {
  with_vectors([&]<int kBytes>() __attribute__((always_inline)) {
    multiply_across<kRow, kBytes / 4>(rows, x, out);
  });
}

}  // namespace

void multiply_rows_along(const VectorRows& all, VectorKind kind, const float* x, float* out,
                         float* room) {
  VectorRows rows = all;
  if (rows.k < kLanes && kind != VectorKind::both_rounded) {
    const std::int64_t done = multiply_short_rows(rows, kind, x, out);
    rows.at += done * rows.stride_bytes;
    rows.count -= done;
    out += done;
  }
  switch (kind) {
    case VectorKind::f32:
      return along<Row::f32>(rows, x, out);
    case VectorKind::rounded_f32:
      return along<Row::rounded_f32>(rows, x, out);
    case VectorKind::both_rounded:
      return along<Row::rounded_f32, Row::rounded_f32>(rows, x, out);
    case VectorKind::bf16:
      return along_bf16(rows, x, room, out);
  }
}

void multiply_rows_across(const VectorRows& rows, VectorKind kind, const float* x, float* out) {
  switch (kind) {
    case VectorKind::f32:
      return across<Row::f32>(rows, x, out);
    case VectorKind::rounded_f32:
    case VectorKind::both_rounded:
      return across<Row::rounded_f32>(rows, x, out);
    case VectorKind::bf16:
      return across<Row::bf16>(rows, x, out);
  }
}

}  // namespace understudy::worker
