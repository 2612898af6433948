// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_complex.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "worker/chip/copy.h"
#include "worker/chip/mxu/mxu_vector_lanes.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace {

constexpr std::int64_t kNumber = 2;  // floats of one
constexpr std::int64_t kNumberBytes = 8;
// Of the operands of a batch that are staged at once: the second-level cache.
constexpr std::int64_t kChunkFloats = 32 * 1024;

const float* floats(const std::byte* at) { return reinterpret_cast<const float*>(at); }
float* floats(std::byte* at) { return reinterpret_cast<float*>(at); }

// ---- two vectors ------------------------------------------------------------------------------

template <class V>
[[gnu::always_inline]] inline void exchange_parts(const V& in, V& out) {
  if constexpr (sizeof(V) == 64) {
    out = __builtin_shufflevector(in, in, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  } else {
    out = __builtin_shufflevector(in, in, 1, 0, 3, 2, 5, 4, 7, 6);
  }
}

// The products of the same parts, and of each part with the other one, in 32 lanes each.
template <int kSize>
struct ComplexLanes {
  using V = typename vector_lanes::Vectors<kSize>::Floats;
  static constexpr std::int64_t kLanes = vector_lanes::kLanes, kParts = kLanes / kSize;
  V same[kParts] = {}, crossed[kParts] = {};

  template <bool kHasFma>
  [[gnu::always_inline]] void add(const float* a, const float* b) {
#pragma GCC unroll 4
    for (std::int64_t p = 0; p < kParts; ++p) {
      const V left = reinterpret_cast<const InMemory<V>*>(a + p * kSize)->value;
      const V right = reinterpret_cast<const InMemory<V>*>(b + p * kSize)->value;
      V other;
      exchange_parts(right, other);
      add_product<kHasFma>(left, right, same[p]);
      add_product<kHasFma>(left, other, crossed[p]);
    }
  }
  // Lane l and lane l + 16, then l + 8, l + 4, l + 2; two are left: of real and imaginary parts.
  [[gnu::always_inline]] static void fold(const V* parts, float* two) {
    float lanes[kLanes];
    std::memcpy(lanes, parts, sizeof(lanes));
    for (std::int64_t half = kLanes / 2; half > 1; half /= 2)
      for (std::int64_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
    two[0] = lanes[0];
    two[1] = lanes[1];
  }
};

template <int kSize, bool kHasFma>
[[gnu::always_inline]] inline void complex_dot(const float* a, const float* b, std::int64_t n,
                                               float* out) {
  using Lanes = ComplexLanes<kSize>;
  Lanes lanes;
  std::int64_t i = 0;
  for (; i + Lanes::kLanes <= n; i += Lanes::kLanes) lanes.template add<kHasFma>(a + i, b + i);
  if (i < n) {
    float left[Lanes::kLanes] = {}, right[Lanes::kLanes] = {};
    std::memcpy(left, a + i, static_cast<std::size_t>(n - i) * sizeof(float));
    std::memcpy(right, b + i, static_cast<std::size_t>(n - i) * sizeof(float));
    lanes.template add<kHasFma>(left, right);
  }
  float same[2], crossed[2];
  Lanes::fold(lanes.same, same);
  Lanes::fold(lanes.crossed, crossed);
  out[0] = same[0] - same[1];
  out[1] = crossed[0] + crossed[1];
}

// The products of `count` rows of `n` floats, `stride` apart, with one vector.
void multiply_complex_rows(const float* rows, std::int64_t count, std::int64_t stride,
                           const float* vector, std::int64_t n, float* out) {
  with_fused_vectors([&]<int kBytes, bool kHasFma>() __attribute__((always_inline)) {
    for (std::int64_t i = 0; i < count; ++i)
      complex_dot<kBytes / 4, kHasFma>(rows + i * stride, vector, n, out + kNumber * i);
  });
}

// ---- matrices ---------------------------------------------------------------------------------

// (-im, re) of each number.
UNDERSTUDY_VECTOR_CODE void turn_numbers(const InMemory<std::uint64_t>* in,
                                         InMemory<std::uint64_t>* out, std::int64_t n) {
  static_assert(std::endian::native == std::endian::little);
  for (std::int64_t i = 0; i < n; ++i)
    out[i].value = ((in[i].value >> 32) | (in[i].value << 32)) ^ 0x80000000U;
}

// out = (a's real part) * b + i (a's imaginary part) * b, of which both products are there.
UNDERSTUDY_VECTOR_CODE void join_parts(const float* of_re, const float* of_im, float* out,
                                       std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    out[2 * i] = of_re[2 * i] - of_im[2 * i + 1];
    out[2 * i + 1] = of_re[2 * i + 1] + of_im[2 * i];
  }
}

class ComplexProduct {
 public:
  ComplexProduct(const Product& product, const Batches& batches, Vmem& vmem,
                 const RealProducts& reals)
      : p_(product),
        batches_(batches),
        vmem_(vmem),
        reals_(reals),
        room_(static_cast<std::int64_t>(vmem.left() / 4 / sizeof(float))) {}

  bool run(const std::byte* lhs, const std::byte* rhs, std::byte* out) {
    const bool has_vector = p_.m == 1 || p_.n == 1;
    if (has_vector && room_ >= kNumber * p_.k + 2 * kNumber * std::max(p_.m, p_.n) &&
        multiply_vectors(lhs, rhs, out))
      return true;
    if (room_ < 2 * kNumber * p_.k) return false;
    // Columns and rows of one part, and products of a batch.
    const std::int64_t right = 2 * kNumber * p_.k, left = kNumber * p_.k;
    const std::int64_t n = std::clamp<std::int64_t>(room_ / right, 1, p_.n);
    const std::int64_t m =
        std::clamp<std::int64_t>(std::min(room_ / left, room_ / (kNumber * n)), 1, p_.m);
    const bool is_whole = m == p_.m && n == p_.n;
    const std::int64_t fit = std::min(room_, kChunkFloats) / std::max(right * n, left * m);
    const std::int64_t chunk = is_whole ? std::clamp<std::int64_t>(fit, 1, batches_.count) : 1;
    for (std::int64_t i = 0; i < batches_.count; i += chunk)
      multiply_parts(
          std::min(chunk, batches_.count - i), m, n, lhs + i * batches_.lhs_stride * kNumberBytes,
          rhs + i * batches_.rhs_stride * kNumberBytes, out + i * p_.m * p_.n * kNumberBytes);
    return true;
  }

 private:
  float* take(std::int64_t n) {
    return floats(vmem_.take(static_cast<std::uint64_t>(n) * sizeof(float)));
  }
  // Copies a matrix for each product; dense row after row.
  static void copy(const std::byte* in, std::int64_t count, std::int64_t step, std::int64_t rows,
                   std::int64_t columns, const MatrixView& view, std::byte* out) {
    ops::CopyPlan({count, rows, columns}, {step, view.row_stride, view.column_stride},
                  {rows * columns, columns, 1}, kNumberBytes)
        .run(in, out);
  }

  // The matrix is read once, in place; false where it is dense in neither direction. Two vectors
  // have the sums of dense ones, so that those of x and its conjugate are real.
  bool multiply_vectors(const std::byte* lhs, const std::byte* rhs, std::byte* out) {
    const bool is_left = p_.n == 1;  // the matrix is the left operand
    const MatrixView& matrix = is_left ? p_.lhs : p_.rhs;
    const std::int64_t step = is_left ? matrix.column_stride : matrix.row_stride;
    const std::int64_t across = is_left ? matrix.row_stride : matrix.column_stride;
    const std::int64_t count = is_left ? p_.m : p_.n;
    const std::int64_t vector_step = is_left ? p_.rhs.row_stride : p_.lhs.column_stride;
    const bool goes_along = step == 1 || p_.k == 1 || count == 1;
    if (!goes_along && across != 1) return false;
    for (std::int64_t i = 0; i < batches_.count; ++i) {
      const Vmem::Scope scope(vmem_);
      const std::byte* const left = lhs + i * batches_.lhs_stride * kNumberBytes;
      const std::byte* const right = rhs + i * batches_.rhs_stride * kNumberBytes;
      const std::byte* const vector = dense(is_left ? right : left, vector_step);
      float* const to = floats(out) + i * count * kNumber;
      const std::byte* const from = is_left ? left : right;
      if (goes_along) {
        multiply_complex_rows(floats(count == 1 ? dense(from, step) : from), count,
                              across * kNumber, floats(vector), kNumber * p_.k, to);
      } else {
        multiply_across(floats(from), step, count, floats(vector), to);
      }
    }
    return true;
  }

  // A vector of k numbers.
  const std::byte* dense(const std::byte* in, std::int64_t step) {
    if (step == 1 || p_.k == 1) return in;
    auto* const out = reinterpret_cast<std::byte*>(take(kNumber * p_.k));
    ops::CopyPlan({p_.k}, {step}, {1}, kNumberBytes).run(in, out);
    return out;
  }

  // The parts of the vector are two rows of floats.
  void multiply_across(const float* matrix, std::int64_t step, std::int64_t count,
                       const float* vector, float* out) {
    float* const parts = take(kNumber * p_.k);
    for (std::int64_t k = 0; k < p_.k; ++k) {
      parts[k] = vector[2 * k];
      parts[p_.k + k] = vector[2 * k + 1];
    }
    const std::int64_t columns = kNumber * count;
    float* const products = take(2 * columns);
    real({2, columns, p_.k, {}, {}, {}, {}}, {p_.k, 1}, {kNumber * step, 1}, {}, parts, matrix,
         products);
    join_parts(products, products + columns, out, count);
  }

  // Products of f32 with these steps from row to row and from column to column.
  struct Steps {
    std::int64_t row, column;
  };
  void real(Product product, Steps lhs, Steps rhs, const Batches& batches, const float* left,
            const float* right, float* out) const {
    constexpr auto kF32 = program::ElementType::f32;
    product.lhs = {kF32, lhs.row, lhs.column};
    product.rhs = {kF32, rhs.row, rhs.column};
    product.out = kF32;
    product.passes = Passes::full;
    reals_(product, batches, reinterpret_cast<const std::byte*>(left),
           reinterpret_cast<const std::byte*>(right), reinterpret_cast<std::byte*>(out));
  }

  // m rows times n columns at a time, of `count` products.
  void multiply_parts(std::int64_t count, std::int64_t m, std::int64_t n, const std::byte* lhs,
                      const std::byte* rhs, std::byte* out) {
    for (std::int64_t j = 0; j < p_.n; j += n) {
      const Vmem::Scope scope(vmem_);
      const std::int64_t columns = std::min(n, p_.n - j);
      const float* const right =
          staged_right(count, columns, rhs + j * p_.rhs.column_stride * kNumberBytes);
      for (std::int64_t i = 0; i < p_.m; i += m) {
        const Vmem::Scope rows_scope(vmem_);
        const std::int64_t rows = std::min(m, p_.m - i);
        const std::byte* left = lhs + i * p_.lhs.row_stride * kNumberBytes;
        std::int64_t row = p_.lhs.row_stride, step = batches_.lhs_stride;
        if (p_.lhs.column_stride != 1 && p_.k > 1) {
          auto* const dense = reinterpret_cast<std::byte*>(take(count * rows * p_.k * kNumber));
          copy(left, count, step, rows, p_.k, p_.lhs, dense);
          left = dense;
          row = p_.k;
          step = rows * p_.k;
        }
        float* const to = floats(out) + (i * p_.n + j) * kNumber;
        float* const results = columns == p_.n ? to : take(rows * columns * kNumber);
        real({rows, kNumber * columns, kNumber * p_.k, {}, {}, {}, {}}, {kNumber * row, 1},
             {kNumber * columns, 1}, {count, kNumber * step, 2 * kNumber * p_.k * columns},
             floats(left), right, results);
        if (columns == p_.n) continue;
        for (std::int64_t r = 0; r < rows; ++r)
          std::memcpy(to + r * p_.n * kNumber, results + r * columns * kNumber,
                      static_cast<std::size_t>(columns * kNumberBytes));
      }
    }
  }

  // Of each product the rows (re, im) and (-im, re), for each row of `columns` columns.
  const float* staged_right(std::int64_t count, std::int64_t columns, const std::byte* in) {
    float* const out = take(count * p_.k * columns * 2 * kNumber);
    const Vmem::Scope scope(vmem_);
    std::int64_t row = p_.rhs.row_stride, step = batches_.rhs_stride;
    if (p_.rhs.column_stride != 1 && columns > 1) {
      auto* const dense = reinterpret_cast<std::byte*>(take(count * p_.k * columns * kNumber));
      copy(in, count, step, p_.k, columns, p_.rhs, dense);
      in = dense;
      row = columns;
      step = p_.k * columns;
    }
    auto* to = reinterpret_cast<InMemory<std::uint64_t>*>(out);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t k = 0; k < p_.k; ++k, to += 2 * columns) {
        const std::byte* const from = in + (i * step + k * row) * kNumberBytes;
        std::memcpy(to, from, static_cast<std::size_t>(columns * kNumberBytes));
        turn_numbers(reinterpret_cast<const InMemory<std::uint64_t>*>(from), to + columns, columns);
      }
    return out;
  }

  const Product& p_;
  const Batches& batches_;
  Vmem& vmem_;
  const RealProducts& reals_;
  std::int64_t room_;  // floats of each of the staged operands
};

}  // namespace

bool multiply_complex(const Product& product, const Batches& batches, const std::byte* lhs,
                      const std::byte* rhs, std::byte* out, Vmem& vmem, const RealProducts& reals) {
  const Vmem::Scope scope(vmem);
  return ComplexProduct(product, batches, vmem, reals).run(lhs, rhs, out);
}

}  // namespace understudy::worker
