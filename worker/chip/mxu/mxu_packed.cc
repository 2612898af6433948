// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_packed.h"

#include <algorithm>
#include <cstdint>

#include "worker/chip/mxu/mxu_packed_loops.h"

namespace understudy::worker {
namespace packed {
namespace {

using program::ElementType;

// With fewer rows the packing of the right operand takes longer than its products.
constexpr std::int64_t kFewestRows = 8;
// With no more rows a right operand of bf16 that stays in the second-level cache is widened for
// each eight of them, which is sooner done than packing it.
constexpr std::int64_t kMostRowsInPlace = 32, kMostInPlace = 1 << 20;

bool multiplies_in_place(const PackedLoops& loops, const Product& p) {
  // The last tile of a row computes all of its columns: about a tenth may be wasted.
  const std::int64_t tile = loops.columns_in_place, computed = (p.n + tile - 1) / tile * tile;
  return p.m >= kFewestRows && p.m <= kMostRowsInPlace && computed * 10 <= p.n * 11 &&
         p.rhs.element == ElementType::bf16 && p.rhs.column_stride == 1 && p.rhs.row_stride > 0 &&
         p.k * p.rhs.row_stride * 2 <= kMostInPlace;
}

class Packed {
 public:
  Packed(const PackedLoops& loops, const Product& p, const program::kernels::KernelTable& kernels,
         const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem)
      : loops_(loops),
        most_(loops.most),
        p_(p),
        kernels_(kernels),
        lhs_(lhs),
        rhs_(rhs),
        out_(out),
        in_place_(multiplies_in_place(loops, p)),
        left_(vmem.take_as<float>(static_cast<std::uint64_t>(most_.rows * most_.depth))),
        right_(vmem.take_as<float>(static_cast<std::uint64_t>(most_.columns * most_.depth))),
        sums_(is_direct() ? nullptr
                          : vmem.take_as<float>(static_cast<std::uint64_t>(sums_of(loops, p)))) {}

  // Elements beside a result that is not f32 itself: of all rows where the depth is divided.
  static std::int64_t sums_of(const PackedLoops& loops, const Product& p) {
    if (p.out == ElementType::f32) return 0;
    return (p.k > loops.most.depth ? p.m : std::min(p.m, loops.most.rows)) *
           std::min(p.n, loops.most.columns);
  }

  void run() {
    for (std::int64_t n = 0; n < p_.n; n += most_.columns)
      for (std::int64_t k = 0; k < p_.k; k += most_.depth) {
        PackedBlock block{0, std::min(most_.columns, p_.n - n), std::min(most_.depth, p_.k - k)};
        const PackedSource right = source(p_.rhs, rhs_, k, n, true);
        if (!in_place_) loops_.pack_lines(right, block.depth, block.columns, right_);
        for (std::int64_t m = 0; m < p_.m; m += most_.rows) {
          block.rows = std::min(most_.rows, p_.m - m);
          multiply(block, right, m, n, k);
        }
      }
  }

 private:
  bool is_direct() const { return p_.out == ElementType::f32; }

  static PackedSource source(const MatrixView& view, const std::byte* at, std::int64_t row,
                             std::int64_t column, bool is_right) {
    const auto bytes = static_cast<std::int64_t>(program::byte_size(view.element));
    return {at + (row * view.row_stride + column * view.column_stride) * bytes, view.element,
            is_right ? view.row_stride : view.column_stride,
            is_right ? view.column_stride : view.row_stride};
  }

  void add(const PackedBlock& block, const PackedSource& right, float* out, std::int64_t row,
           bool adds) {
    if (!in_place_) return loops_.multiply(block, left_, right_, out, row, adds);
    loops_.multiply_in_place(block, left_, reinterpret_cast<const std::uint16_t*>(right.at),
                             right.depth_stride, out, row, adds);
  }

  void multiply(const PackedBlock& block, const PackedSource& right, std::int64_t m, std::int64_t n,
                std::int64_t k) {
    loops_.pack_lines(source(p_.lhs, lhs_, m, k, false), block.depth, block.rows, left_);
    if (is_direct())
      return add(block, right, reinterpret_cast<float*>(out_) + m * p_.n + n, p_.n, k > 0);
    float* const sums = sums_ + (p_.k > most_.depth ? m * block.columns : 0);
    add(block, right, sums, block.columns, k > 0);
    if (k + block.depth < p_.k) return;
    const auto convert = kernels_.convert(ElementType::f32, p_.out);
    const auto bytes = static_cast<std::int64_t>(program::byte_size(p_.out));
    for (std::int64_t i = 0; i < block.rows; ++i)
      convert(sums + i * block.columns, out_ + ((m + i) * p_.n + n) * bytes,
              static_cast<std::size_t>(block.columns));
  }

  const PackedLoops& loops_;
  const PackedBlock& most_;
  const Product& p_;
  const program::kernels::KernelTable& kernels_;
  const std::byte *lhs_, *rhs_;
  std::byte* out_;
  const bool in_place_;  // the right operand is not packed
  float *left_, *right_, *sums_;
};

bool is_taken(const MatrixView& view) {
  return (view.element == ElementType::bf16 || view.element == ElementType::f32) &&
         (view.row_stride == 1 || view.column_stride == 1);
}

std::uint64_t room_of(const PackedLoops& loops, const Product& p) {
  const PackedBlock& most = loops.most;
  const std::int64_t floats = (most.rows + most.columns) * most.depth + Packed::sums_of(loops, p);
  return static_cast<std::uint64_t>(floats) * sizeof(float) + 1024;
}

}  // namespace
}  // namespace packed

const PackedLoops* packed_loops() {
  const PackedLoops* const widest = packed_loops_avx512();
  return widest != nullptr ? widest : packed_loops_avx2();
}

bool takes_packed(const PackedLoops& loops, const Product& p) {
  const std::int64_t fewest =
      packed::multiplies_in_place(loops, p) ? kFewestInPlace : kFewestPacked;
  return packed::is_taken(p.lhs) && packed::is_taken(p.rhs) && p.m >= packed::kFewestRows &&
         p.m * p.n * p.k >= fewest &&
         (p.out == program::ElementType::bf16 || p.out == program::ElementType::f32);
}

bool multiply_packed(const PackedLoops& loops, const Product& p,
                     const program::kernels::KernelTable& kernels, const std::byte* lhs,
                     const std::byte* rhs, std::byte* out, Vmem& vmem) {
  if (!takes_packed(loops, p) || packed::room_of(loops, p) > vmem.left()) return false;
  const Vmem::Scope scope(vmem);
  packed::Packed(loops, p, kernels, lhs, rhs, out, vmem).run();
  return true;
}

}  // namespace understudy::worker
