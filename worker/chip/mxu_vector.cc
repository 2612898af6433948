// SPDX-License-Identifier: Apache-2.0
// Products of a matrix and a vector: the matrix is read once, in place, and rounded in registers.
// Sums have 32 lanes, lane l takes elements l, l + 32, ..., joined by a fixed tree: the same bits
// on every instruction set.
#include <cstring>

#include "worker/chip/bf16_rounding.h"
#include "worker/chip/copy.h"
#include "worker/chip/mxu_batch.h"
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
  std::int64_t count, stride_bytes, k;
};

template <Row kRow>
[[gnu::always_inline]] inline void multiply_rows(const Rows& rows, const float* x, float* out) {
  for (std::int64_t r = 0; r < rows.count; ++r)
    out[r] = product<kRow>(rows.at + r * rows.stride_bytes, x, rows.k);
}
UNDERSTUDY_VECTOR_CODE void multiply_f32(const Rows& rows, const float* x, float* out) {
  multiply_rows<Row::f32>(rows, x, out);
}
UNDERSTUDY_VECTOR_CODE void multiply_rounded(const Rows& rows, const float* x, float* out) {
  multiply_rows<Row::rounded_f32>(rows, x, out);
}
UNDERSTUDY_VECTOR_CODE void multiply_bf16(const Rows& rows, const float* x, float* out) {
  multiply_rows<Row::bf16>(rows, x, out);
}

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
  const bool has_type = matrix.element == ElementType::f32 || matrix.element == ElementType::bf16;
  if (step != 1 || !has_type || (p.out != ElementType::f32 && p.out != ElementType::bf16))
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
  const std::int64_t count = is_left ? p.m : p.n;
  const Rows rows{is_left ? lhs : rhs, count,
                  (is_left ? matrix.row_stride : matrix.column_stride) *
                      static_cast<std::int64_t>(program::byte_size(matrix.element)),
                  p.k};
  const auto* const x = reinterpret_cast<const float*>(wide);
  std::byte* const sums = p.out == ElementType::f32 ? out : take(count);
  auto* const y = reinterpret_cast<float*>(sums);
  if (matrix.element == ElementType::bf16) {
    multiply_bf16(rows, x, y);
  } else if (plan.multiply == ElementType::bf16) {
    multiply_rounded(rows, x, y);
  } else {
    multiply_f32(rows, x, y);
  }
  if (p.out != ElementType::f32) convert(ElementType::f32, sums, p.out, out, count);
  return true;
}

}  // namespace understudy::worker
