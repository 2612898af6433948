// SPDX-License-Identifier: Apache-2.0
// The lanes beyond the elements of a row hold zeros. So a row is a vector or two, with zeros in
// place of what follows it in memory; rows of at most four elements are turned instead, to vectors
// of rows.
#include "worker/chip/mxu/mxu_short_rows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "worker/chip/interleave.h"
#include "worker/chip/mxu/mxu_vector_lanes.h"
#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

using namespace vector_lanes;

constexpr std::int64_t kFewest = 4, kAtOnce = 4;

// The sums of rows from vectors of their elements. Of the zeros beyond them one is added, as it
// takes the sign from a zero.
template <Row kRow, bool kHasFma, class V, class Bits>
[[gnu::always_inline]] inline void add_turned(const Bits* elements, const float* x, std::int64_t k,
                                              float* out) {
  V lanes[kFewest] = {};
  for (std::int64_t i = 0; i < k; ++i) {
    V value = reinterpret_cast<V>(elements[i]);
    if constexpr (kRow == Row::rounded_f32) round_to_bf16<Bits>(value);
    add_product<kHasFma>(value, V{} + x[i], lanes[i]);
  }
  reinterpret_cast<InMemory<V>*>(out)->value =
      ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3])) + V{};
}

// kSize rows of at most kFewest elements: vectors of rows, one for each lane.
template <Row kRow, int kSize, bool kHasFma>
[[gnu::always_inline]] inline void turned_rows(const std::byte* row, std::int64_t stride,
                                               const float* x, std::int64_t k, float* out) {
  using Bits = typename Vectors<kSize>::Bits;
  alignas(64) std::uint32_t turned[kFewest][kSize];
  for (std::int64_t r = 0; r < kSize; ++r)
    for (std::int64_t i = 0; i < k; ++i) {
      const std::byte* const from = row + r * stride + i * kBytes<kRow>;
      if constexpr (kRow == Row::bf16) {
        turned[i][r] = std::uint32_t{*reinterpret_cast<const std::uint16_t*>(from)} << 16;
      } else {
        turned[i][r] = *reinterpret_cast<const std::uint32_t*>(from);
      }
    }
  Bits elements[kFewest] = {};
  for (std::int64_t i = 0; i < k; ++i)
    elements[i] = reinterpret_cast<const InMemory<Bits>*>(turned[i])->value;
  add_turned<kRow, kHasFma, typename Vectors<kSize>::Floats>(elements, x, k, out);
}

// The same of kCount elements that follow each other in memory.
template <int kSize>
struct Halves {
  typedef std::uint16_t Value __attribute__((vector_size(2 * kSize)));
};
template <Row kRow, int kSize, int kCount, bool kHasFma>
[[gnu::always_inline]] inline void dense_rows(const std::byte* row, const float* x, float* out) {
  using Bits = typename Vectors<kSize>::Bits;
  using Half = typename Halves<kSize>::Value;
  Bits all[kCount], elements[kCount];
#pragma GCC unroll 4
  for (int v = 0; v < kCount; ++v) {
    const std::byte* const from = row + v * kSize * kBytes<kRow>;
    if constexpr (kRow == Row::bf16) {
      all[v] = __builtin_convertvector(reinterpret_cast<const InMemory<Half>*>(from)->value, Bits)
               << 16;
    } else {
      all[v] = reinterpret_cast<const InMemory<Bits>*>(from)->value;
    }
  }
  ops::deinterleave(all, elements);
  add_turned<kRow, kHasFma, typename Vectors<kSize>::Floats>(elements, x, kCount, out);
}

// Rows of which kUsed registers of kSize lanes hold all elements; those of bf16 are widened.
template <Row kRow, int kSize, int kUsed, bool kHasFma>
class MaskedRows {
 public:
  [[gnu::always_inline]] MaskedRows(const float* x, std::int64_t k) {
    float padded[kLanes] = {};
    std::memcpy(padded, x, static_cast<std::size_t>(k) * sizeof(float));
    Sums::template read<Row::f32>(padded, 0, right_, nullptr);
    std::uint32_t ones[kLanes] = {};
    std::fill_n(ones, k, 0xFFFFFFFFU);
    for (int m = 0; m < kUsed; ++m)
      masks_[m] = reinterpret_cast<const InMemory<Bits>*>(ones + m * kSize)->value;
  }

  // Returns of how many rows, whose vectors end inside of the matrix.
  [[gnu::always_inline]] std::int64_t run(const VectorRows& rows, float* out) {
    const std::int64_t end =
        (rows.count - 1) * rows.stride_bytes + (rows.k - kUsed * kSize) * kBytes<kRow>;
    std::int64_t r = 0;
    for (; (r + kAtOnce - 1) * rows.stride_bytes <= end && r + kAtOnce <= rows.count; r += kAtOnce)
      some_rows(rows.at + r * rows.stride_bytes, rows.stride_bytes, out + r);
    return r;
  }
  [[gnu::always_inline]] bool has_nan() const {
    for (int l = 0; l < kSize; ++l)
      if (seen_[l] != seen_[l]) return true;
    return false;
  }

 private:
  using Sums = Lanes<Row::f32, kSize>;
  using V = typename Vectors<kSize>::Floats;
  using Bits = typename Vectors<kSize>::Bits;
  static constexpr Row kInMemory = kRow == Row::bf16 ? Row::bf16 : Row::f32;

  [[gnu::always_inline]] void some_rows(const std::byte* row, std::int64_t stride, float* out) {
    Four even[kAtOnce], none, sums;
#pragma GCC unroll 4
    for (std::int64_t r = 0; r < kAtOnce; ++r) {
      Sums lanes;
#pragma GCC unroll 4
      for (int m = 0; m < kUsed; ++m) {
        V value, same;
        load<kInMemory, kSize>(row + r * stride, m * kSize, value, same);
        value = reinterpret_cast<V>(reinterpret_cast<Bits>(value) & masks_[m]);
        if constexpr (kRow == Row::rounded_f32) {
          seen_ += value;
          round_number_to_bf16<Bits>(value);
        } else if constexpr (kRow == Row::settled_f32) {
          round_to_bf16<Bits>(value);
        }
        add_product<kHasFma>(value, right_[m], lanes.parts[m]);
      }
      lanes.fold(even[r], none);
    }
    sums_of(even, sums);
    reinterpret_cast<InMemory<Four>*>(out)->value = sums;
  }

  V right_[Sums::kParts], seen_ = {};
  Bits masks_[kUsed];
};

template <Row kRow, int kSize, int kUsed, bool kHasFma>
[[gnu::always_inline]] inline std::int64_t masked_rows(const VectorRows& rows, const float* x,
                                                       float* out) {
  MaskedRows<kRow, kSize, kUsed, kHasFma> some(x, rows.k);
  const std::int64_t done = some.run(rows, out);
  if constexpr (kRow == Row::rounded_f32) {
    if (some.has_nan()) [[unlikely]]
      return MaskedRows<Row::settled_f32, kSize, kUsed, kHasFma>(x, rows.k).run(rows, out);
  }
  return done;
}

// kSize: of the CPU's registers.
template <Row kRow, int kSize, bool kHasFma>
[[gnu::always_inline]] inline std::int64_t rows_of(const VectorRows& rows, const float* x,
                                                   float* out) {
  if (rows.k <= kFewest) {
    const bool is_dense = rows.stride_bytes == rows.k * kBytes<kRow>;
    std::int64_t r = 0;
    for (; r + kSize <= rows.count; r += kSize) {
      const std::byte* const at = rows.at + r * rows.stride_bytes;
      if (is_dense && rows.k == 2) {
        dense_rows<kRow, kSize, 2, kHasFma>(at, x, out + r);
      } else if (is_dense && rows.k == 3) {
        dense_rows<kRow, kSize, 3, kHasFma>(at, x, out + r);
      } else if (is_dense && rows.k == 4) {
        dense_rows<kRow, kSize, 4, kHasFma>(at, x, out + r);
      } else {
        turned_rows<kRow, kSize, kHasFma>(at, rows.stride_bytes, x, rows.k, out + r);
      }
    }
    return r;
  }
  if (rows.k <= kNarrow) return masked_rows<kRow, kNarrow, 1, kHasFma>(rows, x, out);
  if (rows.k <= 2 * kNarrow)
    return masked_rows<kRow, kSize, 2 * kNarrow / kSize, kHasFma>(rows, x, out);
  return masked_rows<kRow, kSize, kLanes / kSize, kHasFma>(rows, x, out);
}

template <Row kRow>
std::int64_t short_rows(const VectorRows& rows, const float* x, float* out) {
  std::int64_t done = 0;
  with_fused_vectors([&]<int kBytes, bool kHasFma>() __attribute__((always_inline)) {
    done = rows_of<kRow, kBytes / 4, kHasFma>(rows, x, out);
  });
  return done;
}

}  // namespace

std::int64_t multiply_short_rows(const VectorRows& rows, VectorKind kind, const float* x,
                                 float* out) {
  switch (kind) {
    case VectorKind::f32:
      return short_rows<Row::f32>(rows, x, out);
    case VectorKind::bf16:
      return short_rows<Row::bf16>(rows, x, out);
    default:
      return short_rows<Row::rounded_f32>(rows, x, out);
  }
}

}  // namespace understudy::worker
