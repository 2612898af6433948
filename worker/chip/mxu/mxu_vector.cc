// SPDX-License-Identifier: Apache-2.0
// Products of a matrix and a vector: the matrix is read once, in place, and rounded in registers.
// Where it is dense along the sums, these have 32 lanes, lane l takes elements l, l + 32, ...,
// joined by a fixed tree. Where it is dense across them, each takes eight products at a time,
// joined by a tree. Both give the same bits on every instruction set.
#include <algorithm>
#include <cstring>

#include "worker/chip/bf16_rounding.h"
#include "worker/chip/copy.h"
#include "worker/chip/mxu/mxu_batch.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using V = FloatVector;
using U = BitsVector;
using Narrow [[gnu::vector_size(16)]] = std::uint16_t;
constexpr std::int64_t kVectors = 4, kLanes = 8 * kVectors;

enum class Row { f32, rounded_f32, bf16 };
template <Row kRow>
constexpr std::int64_t kBytes = kRow == Row::bf16 ? 2 : 4;

template <Row kRow>
[[gnu::always_inline]] inline void load(const void* row, std::int64_t k, V& value) {
  if constexpr (kRow == Row::bf16) {
    const auto* const from = static_cast<const std::uint16_t*>(row) + k;
    const Narrow narrow = reinterpret_cast<const InMemory<Narrow>*>(from)->value;
    value = reinterpret_cast<V>(__builtin_convertvector(narrow, U) << 16);
  } else {
    const auto* const from = static_cast<const float*>(row) + k;
    value = reinterpret_cast<const InMemory<V>*>(from)->value;
    if constexpr (kRow == Row::rounded_f32) round_to_bf16(value);
  }
}

// The next lines of a large matrix: the processor's own prefetch is late for a single stream.
template <Row kRow>
[[gnu::always_inline]] inline void prefetch(const void* row, std::int64_t k) {
  constexpr std::int64_t kLine = 64, kAhead = 128 * kLine;
  const auto* const ahead = static_cast<const std::byte*>(row) + k * kBytes<kRow> + kAhead;
  for (std::int64_t at = 0; at < kLanes * kBytes<kRow>; at += kLine) __builtin_prefetch(ahead + at);
}

template <Row kRow>
[[gnu::always_inline]] inline void add_lanes(const void* row, const float* x, std::int64_t k,
                                             V* sums) {
  for (std::int64_t i = 0; i < kVectors; ++i) {
    V left;
    load<kRow>(row, k + 8 * i, left);
    sums[i] += left * reinterpret_cast<const InMemory<V>*>(x + k + 8 * i)->value;
  }
}

template <Row kRow>
[[gnu::always_inline]] inline float product(const void* row, const float* x, std::int64_t k) {
  V sums[kVectors] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    prefetch<kRow>(row, i);
    add_lanes<kRow>(row, x, i, sums);
  }
  if (i < k) {  // the rest with zeros beside it
    alignas(32) std::byte some[kLanes * 4] = {};
    float right[kLanes] = {};
    std::memcpy(some, static_cast<const std::byte*>(row) + i * kBytes<kRow>,
                static_cast<std::size_t>((k - i) * kBytes<kRow>));
    std::memcpy(right, x + i, static_cast<std::size_t>(k - i) * sizeof(float));
    add_lanes<kRow>(some, right, 0, sums);
  }
  const V all = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
}

struct Rows {
  const std::byte* at;
  std::int64_t count, stride_bytes, k;  // k: elements of a row
};

template <Row kRow>
[[gnu::always_inline]] inline void multiply_rows(const Rows& rows, const float* x, float* out) {
  for (std::int64_t r = 0; r < rows.count; ++r)
    out[r] = product<kRow>(rows.at + r * rows.stride_bytes, x, rows.k);
}
// The sums of eight results at a time go through kAcross rows: as many streams as the prefetchers
// follow.
constexpr std::int64_t kAcross = 8;

template <Row kRow>
[[gnu::always_inline]] inline void add_eight_rows(const Rows& rows, std::int64_t r, std::int64_t i,
                                                  const float* x, V& sum) {
  V at[kAcross];
  for (std::int64_t l = 0; l < kAcross; ++l) {
    load<kRow>(rows.at + (r + l) * rows.stride_bytes, i, at[l]);
    at[l] *= x[r + l];
  }
  sum += ((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7]));
}

// Adds rows [first, last) to the sums of elements [i, i + 8) of a row.
template <Row kRow>
[[gnu::always_inline]] inline void add_across(const Rows& rows, std::int64_t first,
                                              std::int64_t last, std::int64_t i, const float* x,
                                              V& sum) {
  std::int64_t r = first;
  for (; r + kAcross <= last; r += kAcross) add_eight_rows<kRow>(rows, r, i, x, sum);
  for (; r < last; ++r) {
    V one;
    load<kRow>(rows.at + r * rows.stride_bytes, i, one);
    sum += one * x[r];
  }
}

// out[i] = the sum over rows r of x[r] row[r][i]. *Requires*: rows of at least eight elements. The
// last eight may overlap the ones before, so they are computed apart, from all rows.
template <Row kRow>
[[gnu::always_inline]] inline void multiply_across(const Rows& rows, const float* x, float* out) {
  constexpr std::int64_t kBlock = 2048;  // 8 KiB of sums stay in the first-level cache
  const std::int64_t whole = rows.k / 8 * 8;
  std::memset(out, 0, static_cast<std::size_t>(rows.k) * sizeof(float));
  for (std::int64_t block = 0; block < whole; block += kBlock) {
    const std::int64_t end = std::min(block + kBlock, whole);
    for (std::int64_t r = 0; r < rows.count; r += kAcross) {
      const std::int64_t last = std::min(r + kAcross, rows.count);
      for (std::int64_t i = block; i < end; i += 8) {
        auto* const at = reinterpret_cast<InMemory<V>*>(out + i);
        V sum = at->value;
        add_across<kRow>(rows, r, last, i, x, sum);
        at->value = sum;
      }
    }
  }
  if (whole == rows.k) return;
  V sum = {};
  add_across<kRow>(rows, 0, rows.count, rows.k - 8, x, sum);
  reinterpret_cast<InMemory<V>*>(out + rows.k - 8)->value = sum;
}
#define UNDERSTUDY_MULTIPLY(row)                                                           \
  UNDERSTUDY_VECTOR_CODE void across_##row(const Rows& rows, const float* x, float* out) { \
    multiply_across<Row::row>(rows, x, out);                                               \
  }                                                                                        \
  UNDERSTUDY_VECTOR_CODE void along_##row(const Rows& rows, const float* x, float* out) {  \
    multiply_rows<Row::row>(rows, x, out);                                                 \
  }
UNDERSTUDY_MULTIPLY(f32)
UNDERSTUDY_MULTIPLY(rounded_f32)
UNDERSTUDY_MULTIPLY(bf16)
#undef UNDERSTUDY_MULTIPLY

}  // namespace

// Over 40 lines: one decision after the other whether this way may be taken, then the loop over the
// batch.
bool multiply_vector(const BatchUnits& units, const BatchPlan& plan, const Product& p,
                     const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem) {
  // The vector times the transposed matrix is the same sum.
  const bool is_left = p.n == 1;
  if (!is_left && p.m != 1) return false;
  const MatrixView& matrix = is_left ? p.lhs : p.rhs;
  const MatrixView& vector = is_left ? p.rhs : p.lhs;
  const std::int64_t step = is_left ? matrix.column_stride : matrix.row_stride;  // along k
  const std::int64_t across = is_left ? matrix.row_stride : matrix.column_stride;
  const std::int64_t count = is_left ? p.m : p.n;
  const bool has_type = matrix.element == ElementType::f32 || matrix.element == ElementType::bf16;
  const bool goes_across = step != 1 && across == 1 && count >= 8;
  if ((step != 1 && !goes_across) || !has_type ||
      (p.out != ElementType::f32 && p.out != ElementType::bf16))
    return false;
  const Vmem::Scope scope(vmem);
  const auto convert = [&](ElementType from, const std::byte* in, ElementType to, std::byte* at,
                           std::int64_t n) {
    units.kernels.convert(from, to)(in, at, static_cast<std::size_t>(n));
  };
  const auto take = [&](std::int64_t n) { return vmem.take(static_cast<std::uint64_t>(n) * 8); };
  // The vector: dense, in the type of the products, then in f32.
  std::byte* const dense = take(2 * p.k);
  std::byte* const narrow = take(p.k);
  std::byte* const wide = take(p.k);
  ops::CopyPlan({p.k}, {is_left ? vector.row_stride : vector.column_stride}, {1},
                program::byte_size(vector.element))
      .run(is_left ? rhs : lhs, dense);
  convert(vector.element, dense, plan.multiply, narrow, p.k);
  convert(plan.multiply, narrow, ElementType::f32, wide, p.k);
  const Rows rows{
      is_left ? lhs : rhs, goes_across ? p.k : count,
      (goes_across ? step : across) * static_cast<std::int64_t>(program::byte_size(matrix.element)),
      goes_across ? count : p.k};
  const auto* const x = reinterpret_cast<const float*>(wide);
  std::byte* const sums = p.out == ElementType::f32 ? out : take(count);
  auto* const y = reinterpret_cast<float*>(sums);
  if (matrix.element == ElementType::bf16) {
    (goes_across ? across_bf16 : along_bf16)(rows, x, y);
  } else if (plan.multiply == ElementType::bf16) {
    (goes_across ? across_rounded_f32 : along_rounded_f32)(rows, x, y);
  } else {
    (goes_across ? across_f32 : along_f32)(rows, x, y);
  }
  if (p.out != ElementType::f32) convert(ElementType::f32, sums, p.out, out, count);
  return true;
}

}  // namespace understudy::worker
