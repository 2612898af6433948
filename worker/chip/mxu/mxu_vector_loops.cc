// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_vector_loops.h"

#include <algorithm>
#include <cstring>

#include "worker/chip/mxu/mxu_short_rows.h"
#include "worker/chip/mxu/mxu_vector_columns.h"
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

// What is left of rows after whole kLanes, with zeros beside it: of x, and a mask of the bits of a
// row.
template <Row kRow>
struct RowEnds {
  alignas(64) float x[kLanes] = {};
  alignas(64) std::byte mask[kLanes * kBytes<kRow>] = {};

  RowEnds(const float* whole, std::int64_t k) {
    const std::int64_t i = k / kLanes * kLanes;
    std::memcpy(x, whole + i, static_cast<std::size_t>(k - i) * sizeof(float));
    std::memset(mask, 0xFF, static_cast<std::size_t>((k - i) * kBytes<kRow>));
  }
};

// The lanes of kCount rows, `stride` bytes apart, folded to four or, by parity, twice four: side by
// side they hide each other's latency. x is ordered for rows of bf16.
template <Row kRow, Row kOther, int kSize, bool kHasFma, int kCount>
[[gnu::always_inline]] inline void products(const std::byte* row, std::int64_t stride,
                                            const float* x, std::int64_t k,
                                            const RowEnds<kRow>& ends, bool reads_beyond,
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
  if (i < k) {
    Sums::template read<kOther>(Sums::kByParity ? x + i : ends.x, 0, right, seen);
    const std::byte* const rest = row + i * kBytes<kRow>;
    if (reads_beyond) {
      constexpr int kLoads = Sums::kByParity ? Sums::kParts / 2 : Sums::kParts;
      typename Sums::Bits mask[kLoads];
      std::memcpy(mask, ends.mask, sizeof(mask));
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r)
        lanes[r].template add<kHasFma, true>(rest + r * stride, right, 0, seen, mask);
    } else {
#pragma GCC unroll 4
      for (int r = 0; r < kCount; ++r) {
        alignas(64) std::byte some[kLanes * 4] = {};
        std::memcpy(some, rest + r * stride, static_cast<std::size_t>((k - i) * kBytes<kRow>));
        lanes[r].template add<kHasFma>(some, right, 0, seen);
      }
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
  const RowEnds<kRow> ends(x, rows.k);
  // Whether kLanes at the end of row r are inside of the matrix.
  const std::int64_t beyond = (padded_length(rows.k) - rows.k) * kBytes<kRow>;
  const auto reads_beyond = [&](std::int64_t row) __attribute__((always_inline)) {
    return row * stride + beyond <= (rows.count - 1) * stride;
  };
  // Of the 32 registers of AVX-512 four rows take eight for their sums; AVX2 has 16.
  constexpr int kCount = kSize > kNarrow ? 4 : 2;
  std::int64_t r = 0;
  for (; r + 4 <= rows.count; r += 4) {
    Four even[4], odd[4], sums, others;
    for (int i = 0; i < 4; i += kCount)
      products<kRow, kOther, kSize, kHasFma, kCount>(rows.at + (r + i) * stride, stride, x, rows.k,
                                                     ends, reads_beyond(r + i + kCount - 1), seen,
                                                     even + i, odd + i);
    sums_of(even, sums);
    if constexpr (Sums::kByParity) {
      sums_of(odd, others);
      sums += others;
    }
    reinterpret_cast<InMemory<Four>*>(out + r)->value = sums;
  }
  for (; r < rows.count; ++r) {
    Four even, odd;
    products<kRow, kOther, kSize, kHasFma, 1>(rows.at + r * stride, stride, x, rows.k, ends,
                                              reads_beyond(r), seen, &even, &odd);
    out[r] = Sums::kByParity ? sum_of(even) + sum_of(odd) : sum_of(even);
  }
  if constexpr (kRow == Row::rounded_f32) {
    constexpr Row kSettled = kOther == Row::rounded_f32 ? Row::settled_f32 : kOther;
    if (has_nan(seen[0] + seen[1])) [[unlikely]]
      multiply_rows<Row::settled_f32, kSettled, kSize, kHasFma>(rows, x, out);
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
