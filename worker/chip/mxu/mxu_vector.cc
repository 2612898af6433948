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
// `kSize` lanes. Sixteen are a register of AVX-512 and two of AVX2.
template <int kSize>
struct Vectors {
  typedef float Floats __attribute__((vector_size(4 * kSize)));
  typedef std::uint32_t Bits __attribute__((vector_size(4 * kSize)));
  typedef std::uint16_t Halves __attribute__((vector_size(2 * kSize)));
};
constexpr int kWide = 16, kNarrow = 8;
constexpr std::int64_t kLanes = 2 * kWide;

// f32 is rounded without a look at NaN, and its sum tells whether there was one: then `settled_f32`
// begins again, which rounds each NaN to a NaN.
enum class Row { f32, rounded_f32, settled_f32, bf16 };
template <Row kRow>
constexpr std::int64_t kBytes = kRow == Row::bf16 ? 2 : 4;

// `seen`: the numbers as they are in memory, of which rounded_f32 keeps the sum.
template <Row kRow, int kSize, class V>
[[gnu::always_inline]] inline void load(const void* row, std::int64_t k, V& value, V& seen) {
  using Of = Vectors<kSize>;
  if constexpr (kRow == Row::bf16) {
    using Halves = typename Of::Halves;
    const auto* const from = static_cast<const std::uint16_t*>(row) + k;
    const Halves narrow = reinterpret_cast<const InMemory<Halves>*>(from)->value;
    value = reinterpret_cast<V>(__builtin_convertvector(narrow, typename Of::Bits) << 16);
  } else {
    const auto* const from = static_cast<const float*>(row) + k;
    value = reinterpret_cast<const InMemory<V>*>(from)->value;
    seen = value;
    if constexpr (kRow == Row::rounded_f32) round_number_to_bf16<typename Of::Bits>(value);
    if constexpr (kRow == Row::settled_f32) round_to_bf16<typename Of::Bits>(value);
  }
}

// The next lines of a large matrix: the processor's own prefetch is late for a single stream.
template <Row kRow>
[[gnu::always_inline]] inline void prefetch(const void* row, std::int64_t k) {
  constexpr std::int64_t kLine = 64, kAhead = 128 * kLine;
  const auto* const ahead = static_cast<const std::byte*>(row) + k * kBytes<kRow> + kAhead;
  for (std::int64_t at = 0; at < kLanes * kBytes<kRow>; at += kLine) __builtin_prefetch(ahead + at);
}

// The 32 lanes of a sum.
struct Lanes {
  using V = Vectors<kWide>::Floats;
  V low = {}, high = {};

  template <Row kRow>
  [[gnu::always_inline]] void add(const void* row, const float* x, std::int64_t k, V* seen) {
    V left, right, seen_left, seen_right;
    load<kRow, kWide>(row, k, left, seen_left);
    load<kRow, kWide>(row, k + kWide, right, seen_right);
    low += left * reinterpret_cast<const InMemory<V>*>(x + k)->value;
    high += right * reinterpret_cast<const InMemory<V>*>(x + k + kWide)->value;
    if constexpr (kRow == Row::rounded_f32) {
      seen[0] += seen_left;
      seen[1] += seen_right;
    }
  }
  [[gnu::always_inline]] float sum() const {
    const V both = low + high;
    const auto all = __builtin_shufflevector(both, both, 0, 1, 2, 3, 4, 5, 6, 7) +
                     __builtin_shufflevector(both, both, 8, 9, 10, 11, 12, 13, 14, 15);
    return ((all[0] + all[4]) + (all[2] + all[6])) + ((all[1] + all[5]) + (all[3] + all[7]));
  }
};

template <class V>
[[gnu::always_inline]] inline bool has_nan(const V& seen) {
  bool found = false;
  for (std::size_t l = 0; l < sizeof(V) / sizeof(float); ++l) found |= seen[l] != seen[l];
  return found;
}

template <Row kRow>
[[gnu::always_inline]] inline float product(const void* row, const float* x, std::int64_t k,
                                            Lanes::V* seen) {
  Lanes lanes;
  std::int64_t i = 0;
  for (; i + kLanes <= k; i += kLanes) {
    prefetch<kRow>(row, i);
    lanes.add<kRow>(row, x, i, seen);
  }
  if (i < k) {  // the rest with zeros beside it
    alignas(64) std::byte some[kLanes * 4] = {};
    float right[kLanes] = {};
    std::memcpy(some, static_cast<const std::byte*>(row) + i * kBytes<kRow>,
                static_cast<std::size_t>((k - i) * kBytes<kRow>));
    std::memcpy(right, x + i, static_cast<std::size_t>(k - i) * sizeof(float));
    lanes.add<kRow>(some, right, 0, seen);
  }
  return lanes.sum();
}

struct Rows {
  const std::byte* at;
  std::int64_t count, stride_bytes, k;  // k: elements of a row
};

template <Row kRow>
[[gnu::always_inline]] inline void multiply_rows(const Rows& rows, const float* x, float* out) {
  Lanes::V seen[2] = {};
  for (std::int64_t r = 0; r < rows.count; ++r)
    out[r] = product<kRow>(rows.at + r * rows.stride_bytes, x, rows.k, seen);
  if constexpr (kRow == Row::rounded_f32) {
    if (has_nan(seen[0] + seen[1])) [[unlikely]]
      multiply_rows<Row::settled_f32>(rows, x, out);
  }
}

// The sums of a vector of results go through kAcross rows: as many streams as the prefetchers
// follow.
constexpr int kAcross = 8;

// Products of kCount rows from r on, joined by a tree, in the order that needs the fewest
// registers.
template <Row kRow, int kSize, int kCount, class V>
[[gnu::always_inline]] inline void join_rows(const Rows& rows, std::int64_t r, std::int64_t i,
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
[[gnu::always_inline]] inline void add_across(const Rows& rows, std::int64_t first,
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
[[gnu::always_inline]] inline std::int64_t add_block(const Rows& rows, std::int64_t first,
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
template <Row kRow>
[[gnu::always_inline]] inline void multiply_across(const Rows& rows, const float* x, float* out) {
  constexpr std::int64_t kBlock = 2048;  // 8 KiB of sums stay in the first-level cache
  const std::int64_t whole = rows.k / kNarrow * kNarrow;
  bool found_nan = false;
  std::memset(out, 0, static_cast<std::size_t>(rows.k) * sizeof(float));
  for (std::int64_t block = 0; block < whole; block += kBlock) {
    const std::int64_t end = std::min(block + kBlock, whole);
    for (std::int64_t r = 0; r < rows.count; r += kAcross) {
      const std::int64_t last = std::min(r + kAcross, rows.count);
      const std::int64_t i = add_block<kRow, kWide>(rows, r, last, block, end, x, out, found_nan);
      add_block<kRow, kNarrow>(rows, r, last, i, end, x, out, found_nan);
    }
  }
  if (whole < rows.k) {
    float* const rest = out + rows.k - kNarrow;
    float sums[kNarrow] = {};
    const Rows end{rows.at + (rows.k - kNarrow) * kBytes<kRow>, rows.count, rows.stride_bytes,
                   kNarrow};
    add_block<kRow, kNarrow>(end, 0, rows.count, 0, kNarrow, x, sums, found_nan);
    std::memcpy(rest, sums, sizeof(sums));
  }
  if constexpr (kRow == Row::rounded_f32) {
    if (found_nan) [[unlikely]]
      multiply_across<Row::settled_f32>(rows, x, out);
  }
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
