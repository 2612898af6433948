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
        loops_.pack_lines(source(p_.rhs, rhs_, k, n, true), block.depth, block.columns, right_);
        for (std::int64_t m = 0; m < p_.m; m += most_.rows) {
          block.rows = std::min(most_.rows, p_.m - m);
          multiply(block, m, n, k);
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

  void multiply(const PackedBlock& block, std::int64_t m, std::int64_t n, std::int64_t k) {
    loops_.pack_lines(source(p_.lhs, lhs_, m, k, false), block.depth, block.rows, left_);
    if (is_direct())
      return loops_.multiply(block, left_, right_, reinterpret_cast<float*>(out_) + m * p_.n + n,
                             p_.n, k > 0);
    float* const sums = sums_ + (p_.k > most_.depth ? m * block.columns : 0);
    loops_.multiply(block, left_, right_, sums, block.columns, k > 0);
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
  float *left_, *right_, *sums_;
};

bool is_taken(const MatrixView& view) {
  return (view.element == ElementType::bf16 || view.element == ElementType::f32) &&
         (view.row_stride == 1 || view.column_stride == 1);
}

bool is_taken(const Product& p) {
  return is_taken(p.lhs) && is_taken(p.rhs) && p.m >= kFewestRows &&
         p.m * p.n * p.k >= kFewestPacked &&
         (p.out == ElementType::bf16 || p.out == ElementType::f32);
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

bool multiply_packed(const PackedLoops& loops, const Product& p,
                     const program::kernels::KernelTable& kernels, const std::byte* lhs,
                     const std::byte* rhs, std::byte* out, Vmem& vmem) {
  if (!packed::is_taken(p) || packed::room_of(loops, p) > vmem.left()) return false;
  const Vmem::Scope scope(vmem);
  packed::Packed(loops, p, kernels, lhs, rhs, out, vmem).run();
  return true;
}

}  // namespace understudy::worker
