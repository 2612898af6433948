// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_few_results.h"

#include <algorithm>
#include <cstring>

#include "worker/chip/copy.h"
#include "worker/chip/copy_lines.h"
#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/mxu/mxu_vector_lanes.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker {
namespace few_results {
namespace {

using program::ElementType;
using vector_lanes::Vectors;

constexpr int kEight = 8;
constexpr std::int64_t kSixteen = 16;
// Beyond the last row, which is read as whole vectors.
constexpr std::int64_t kPadding = 16;
// Shorter sums, and fewer products, are sooner done by others. The tiles of the matrix unit do
// more than so many vectors of products for each of the sums in less time.
constexpr std::int64_t kShortest = 2 * kPartOfSums, kFewestProducts = 1 << 15, kMostVectors = 12;
// The most rows and columns where both operands are dense along the sums: one is transposed.
constexpr std::int64_t kMostTransposed = 8;

std::int64_t vectors_of(std::int64_t n) { return (n + kSixteen - 1) / kSixteen; }

// Numbers k of the left operand are `a_step` apart, its rows `a_row`; rows of the right one b_step.
struct Strides {
  std::int64_t a_row, a_step, b_step, c_row;
};

// Adds kTall rows of kSize columns; depth is a multiple of 4.
template <int kSize, bool kHasFma, int kTall>
[[gnu::always_inline]] inline void add_rows(const Strides& s, std::int64_t depth, const float* a,
                                            const float* b, float* c) {
  using V = typename Vectors<kSize>::Floats;
  constexpr int kSplit = split_of_sums(kTall);
  V sums[kTall][kSplit];
#pragma GCC unroll 8
  for (auto& row : sums)
#pragma GCC unroll 4
    for (V& sum : row) sum = V{};
  for (std::int64_t k = 0; k < depth; k += kSplit) {
#pragma GCC unroll 4
    for (int part = 0; part < kSplit; ++part) {
      const V right = reinterpret_cast<const InMemory<V>*>(b + (k + part) * s.b_step)->value;
#pragma GCC unroll 8
      for (int i = 0; i < kTall; ++i)
        add_product<kHasFma>(a[i * s.a_row + (k + part) * s.a_step] - V{}, right, sums[i][part]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kTall; ++i) {
    auto* const to = reinterpret_cast<InMemory<V>*>(c + i * s.c_row);
    V sum = sums[i][0];
    if constexpr (kSplit == 2) sum += sums[i][1];
    if constexpr (kSplit == 4) sum = (sum + sums[i][2]) + (sums[i][1] + sums[i][3]);
    to->value += sum;
  }
}

template <int kSize, bool kHasFma>
[[gnu::always_inline]] inline void add_columns(const Strides& s, std::int64_t m, std::int64_t depth,
                                               const float* a, const float* b, float* c) {
  const auto add = [&]<int kTall>() __attribute__((always_inline)) {
    add_rows<kSize, kHasFma, kTall>(s, depth, a, b, c);
    a += kTall * s.a_row;
    c += kTall * s.c_row;
  };
  for (; m > kRowsOfResults; m -= kRowsOfResults) add.template operator()<kRowsOfResults>();
  switch (m) {
    case 1:
      return add.template operator()<1>();
    case 2:
      return add.template operator()<2>();
    case 3:
      return add.template operator()<3>();
    case 4:
      return add.template operator()<4>();
    case 5:
      return add.template operator()<5>();
    case 6:
      return add.template operator()<6>();
    case 7:
      return add.template operator()<7>();
    default:
      return add.template operator()<8>();
  }
}

void add_part(const Strides& s, std::int64_t m, std::int64_t n, std::int64_t depth, const float* a,
              const float* b, float* c) {
  with_fused_vectors([&]<int kBytes, bool kHasFma>() __attribute__((always_inline)) {
    constexpr int kSize = kBytes / 4;
    std::int64_t i = 0;
    for (; n - i > kEight; i += kSize) add_columns<kSize, kHasFma>(s, m, depth, a, b + i, c + i);
    if (i < n) add_columns<kEight, kHasFma>(s, m, depth, a, b + i, c + i);
  });
}

// An operand whose elements k of the sums are staged as f32, `length` lines of them.
class Side {
 public:
  Side(const program::kernels::KernelTable& kernels, const std::byte* at, ElementType element,
       std::int64_t step, std::int64_t across, std::int64_t length)
      : kernels_(kernels),
        at_(at),
        element_(element),
        bytes_(static_cast<std::int64_t>(program::byte_size(element))),
        step_(step),
        across_(across),
        length_(length) {}

  // Whether it is dense along the sums and not across them.
  bool is_along() const { return across_ != 1 && step_ == 1; }
  bool is_taken() const {
    return (element_ == ElementType::f32 || element_ == ElementType::bf16) &&
           (step_ == 1 || across_ == 1 || length_ == 1);
  }
  static std::int64_t room(std::int64_t length) { return length * kPartOfSums + kPadding; }

  // `depth` of them from k on, with zeros up to a multiple of 4 and beyond.
  void stage_along(std::int64_t k, std::int64_t depth, float* to) const {
    for (std::int64_t i = 0; i < length_; ++i, to += kPartOfSums) {
      round(at_ + (k * step_ + i * across_) * bytes_, to, depth);
      std::fill(to + depth, to + (depth + 3) / 4 * 4, 0.0F);
    }
  }
  void stage_across(std::int64_t k, std::int64_t depth, float* room, float* to) const {
    if (is_along()) {
      stage_along(k, depth, room);
      ops::transpose_plane({{depth, 4, length_ * 4}, {length_, kPartOfSums * 4, 4}, 4},
                           reinterpret_cast<const std::byte*>(room),
                           reinterpret_cast<std::byte*>(to));
    } else if (step_ == length_) {
      round(at_ + k * step_ * bytes_, to, depth * length_);
    } else {
      ops::CopyPlan({depth, length_}, {step_, across_}, {length_, 1},
                    static_cast<std::size_t>(bytes_))
          .run(at_ + k * step_ * bytes_, reinterpret_cast<std::byte*>(room));
      round(reinterpret_cast<const std::byte*>(room), to, depth * length_);
    }
    std::fill(to + depth * length_, to + (depth + 3) / 4 * 4 * length_ + kPadding, 0.0F);
  }

 private:
  void round(const std::byte* from, float* to, std::int64_t n) const {
    if (element_ == ElementType::f32)
      return round_to_bf16(reinterpret_cast<const float*>(from), to, n);
    kernels_.convert(element_, ElementType::f32)(from, reinterpret_cast<std::byte*>(to),
                                                 static_cast<std::size_t>(n));
  }

  const program::kernels::KernelTable& kernels_;
  const std::byte* at_;
  ElementType element_;
  std::int64_t bytes_, step_, across_, length_;
};

}  // namespace
}  // namespace few_results

bool swaps_few_results(const Product& p) {
  // An operand that is dense along the sums must be transposed to be the right one.
  const bool left_is_along = p.lhs.row_stride != 1, right_is_along = p.rhs.column_stride != 1;
  if (left_is_along != right_is_along) return right_is_along;
  return p.n * few_results::vectors_of(p.m) < p.m * few_results::vectors_of(p.n);
}

bool multiply_few_results(const Product& p, const program::kernels::KernelTable& kernels,
                          const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem) {
  using namespace few_results;
  const bool swaps = swaps_few_results(p);
  const Side left(kernels, lhs, p.lhs.element, p.lhs.column_stride, p.lhs.row_stride, p.m),
      right(kernels, rhs, p.rhs.element, p.rhs.row_stride, p.rhs.column_stride, p.n);
  const std::int64_t m = swaps ? p.n : p.m, n = swaps ? p.m : p.n;
  if (p.k < kShortest || m * vectors_of(n) > kMostVectors || p.m * p.n * p.k < kFewestProducts ||
      !left.is_taken() || !right.is_taken() ||
      (left.is_along() && right.is_along() && std::max(m, n) > kMostTransposed) ||
      (p.out != ElementType::f32 && p.out != ElementType::bf16))
    return false;
  const std::int64_t padded = vectors_of(n) * kSixteen;
  const std::int64_t floats =
      2 * m * padded + Side::room(m) + Side::room(n) + Side::room(std::max(m, n));
  if (static_cast<std::uint64_t>(floats) * 4 + 1024 > vmem.left()) return false;
  const Vmem::Scope scope(vmem);
  const auto take = [&](std::int64_t size) {
    return vmem.take_as<float>(static_cast<std::uint64_t>(size));
  };
  const Side &a = swaps ? right : left, &b = swaps ? left : right;
  float *const sums = take(m * padded), *const dense = take(m * padded);
  float *const a_at = take(Side::room(m)), *const b_at = take(Side::room(n)),
               *const room = take(Side::room(std::max(m, n)));
  std::fill_n(sums, m * padded, 0.0F);
  const Strides strides{a.is_along() ? kPartOfSums : 1, a.is_along() ? 1 : m, n, padded};
  for (std::int64_t k = 0; k < p.k; k += kPartOfSums) {
    const std::int64_t depth = std::min(kPartOfSums, p.k - k);
    if (a.is_along())
      a.stage_along(k, depth, a_at);
    else
      a.stage_across(k, depth, room, a_at);
    b.stage_across(k, depth, room, b_at);
    add_part(strides, m, n, (depth + 3) / 4 * 4, a_at, b_at, sums);
  }
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      dense[swaps ? j * m + i : i * n + j] = sums[i * padded + j];
  kernels.convert(ElementType::f32, p.out)(reinterpret_cast<const std::byte*>(dense), out,
                                           static_cast<std::size_t>(m * n));
  return true;
}

}  // namespace understudy::worker
