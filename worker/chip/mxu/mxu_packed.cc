// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_packed.h"

#include <algorithm>
#include <array>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>

#include "worker/chip/mxu/mxu_packed_panels.h"
#else
#include "configs/base/error.h"
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace packed {
namespace {

using program::ElementType;

#define UNDERSTUDY_PACKED __attribute__((target("avx512f")))

// Packed blocks of both operands and the sums of one block stay in the second-level cache, the
// panels of one tile in the first-level one.
constexpr std::int64_t kRows = 96, kColumns = 480, kDepth = 384;
// With fewer rows the packing of the right operand takes longer than its products.
constexpr std::int64_t kFewestRows = 8;
// 8 x 3 vectors of sums, three of the right operand and an element of the left one are in
// registers.
constexpr std::int64_t kTallest = 8, kWidest = 3;

// What the tiles of a block have in common. `panel`: elements from one panel to the next; `last`:
// the columns of the last panel that the result has.
struct TileFrame {
  std::int64_t depth, panel, row;
  bool adds;
  __mmask16 last;
};

// kTall rows of kPanels panels: sums in the order of the depth.
template <std::int64_t kTall, std::int64_t kPanels>
UNDERSTUDY_PACKED void tile(const TileFrame& frame, const float* left, const float* right,
                            float* out) {
  const auto mask = [&](std::int64_t v) {
    return v + 1 == kPanels ? frame.last : __mmask16(0xffff);
  };
  __m512 sums[kTall][kPanels];
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kPanels; ++v) sums[i][v] = _mm512_setzero_ps();
  if (frame.adds) {
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
      for (std::int64_t v = 0; v < kPanels; ++v)
        sums[i][v] = _mm512_maskz_loadu_ps(mask(v), out + i * frame.row + v * kPackedPanel);
  }
  for (std::int64_t k = 0; k < frame.depth; ++k, left += kPackedPanel, right += kPackedPanel) {
    __m512 columns[kPanels];
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kPanels; ++v)
      columns[v] = _mm512_loadu_ps(right + v * frame.panel);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m512 one = _mm512_set1_ps(left[i]);
#pragma GCC unroll 3
      for (std::int64_t v = 0; v < kPanels; ++v)
        sums[i][v] = _mm512_fmadd_ps(one, columns[v], sums[i][v]);
    }
  }
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kPanels; ++v)
      _mm512_mask_storeu_ps(out + i * frame.row + v * kPackedPanel, mask(v), sums[i][v]);
}

using Tile = void (*)(const TileFrame&, const float*, const float*, float*);
template <std::int64_t kPanels>
constexpr std::array<Tile, kTallest> kTiles = {
    &tile<1, kPanels>, &tile<2, kPanels>, &tile<3, kPanels>, &tile<4, kPanels>,
    &tile<5, kPanels>, &tile<6, kPanels>, &tile<7, kPanels>, &tile<8, kPanels>};

struct Block {
  std::int64_t rows, columns, depth;
};

// The product of packed operands; rows of the result are `row` elements apart.
void multiply_block(const Block& block, const float* left, const float* right, float* out,
                    std::int64_t row, bool adds) {
  const std::int64_t panel = kPackedPanel * block.depth;
  for (std::int64_t n = 0; n < block.columns; n += kWidest * kPackedPanel) {
    const std::int64_t columns = std::min(kWidest * kPackedPanel, block.columns - n);
    const std::int64_t panels = (columns + kPackedPanel - 1) / kPackedPanel;
    const auto& tiles = panels == 1 ? kTiles<1> : panels == 2 ? kTiles<2> : kTiles<3>;
    const std::int64_t lanes = columns - (panels - 1) * kPackedPanel;
    const TileFrame frame{block.depth, panel, row, adds,
                          static_cast<__mmask16>((1U << static_cast<unsigned>(lanes)) - 1)};
    for (std::int64_t m = 0; m < block.rows; m += kTallest)
      tiles[static_cast<std::size_t>(std::min(kTallest, block.rows - m) - 1)](
          frame, left + m / kPackedPanel * panel + m % kPackedPanel,
          right + n / kPackedPanel * panel, out + m * row + n);
  }
}

class Packed {
 public:
  Packed(const Product& p, const program::kernels::KernelTable& kernels, const std::byte* lhs,
         const std::byte* rhs, std::byte* out, Vmem& vmem)
      : p_(p),
        kernels_(kernels),
        lhs_(lhs),
        rhs_(rhs),
        out_(out),
        left_(vmem.take_as<float>(static_cast<std::uint64_t>(kRows * kDepth))),
        right_(vmem.take_as<float>(static_cast<std::uint64_t>(kColumns * kDepth))),
        sums_(is_direct() ? nullptr : vmem.take_as<float>(static_cast<std::uint64_t>(sums_of(p)))) {
  }

  // Elements beside a result that is not f32 itself: of all rows where the depth is divided.
  static std::int64_t sums_of(const Product& p) {
    if (p.out == ElementType::f32) return 0;
    return (p.k > kDepth ? p.m : std::min(p.m, kRows)) * std::min(p.n, kColumns);
  }

  void run() {
    for (std::int64_t n = 0; n < p_.n; n += kColumns)
      for (std::int64_t k = 0; k < p_.k; k += kDepth) {
        Block block{0, std::min(kColumns, p_.n - n), std::min(kDepth, p_.k - k)};
        pack_lines(source(p_.rhs, rhs_, k, n, true), block.depth, block.columns, right_);
        for (std::int64_t m = 0; m < p_.m; m += kRows) {
          block.rows = std::min(kRows, p_.m - m);
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

  void multiply(const Block& block, std::int64_t m, std::int64_t n, std::int64_t k) {
    pack_lines(source(p_.lhs, lhs_, m, k, false), block.depth, block.rows, left_);
    if (is_direct())
      return multiply_block(block, left_, right_, reinterpret_cast<float*>(out_) + m * p_.n + n,
                            p_.n, k > 0);
    float* const sums = sums_ + (p_.k > kDepth ? m * block.columns : 0);
    multiply_block(block, left_, right_, sums, block.columns, k > 0);
    if (k + block.depth < p_.k) return;
    const auto convert = kernels_.convert(ElementType::f32, p_.out);
    const auto bytes = static_cast<std::int64_t>(program::byte_size(p_.out));
    for (std::int64_t i = 0; i < block.rows; ++i)
      convert(sums + i * block.columns, out_ + ((m + i) * p_.n + n) * bytes,
              static_cast<std::size_t>(block.columns));
  }

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

std::uint64_t room_of(const Product& p) {
  return static_cast<std::uint64_t>((kRows + kColumns) * kDepth + Packed::sums_of(p)) *
             sizeof(float) +
         1024;
}

}  // namespace
}  // namespace packed

bool multiplies_packed() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
}

bool multiply_packed(const Product& p, const program::kernels::KernelTable& kernels,
                     const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem) {
  if (!packed::is_taken(p) || packed::room_of(p) > vmem.left()) return false;
  const Vmem::Scope scope(vmem);
  packed::Packed(p, kernels, lhs, rhs, out, vmem).run();
  return true;
}
#else
bool multiplies_packed() { return false; }
bool multiply_packed(const Product&, const program::kernels::KernelTable&, const std::byte*,
                     const std::byte*, std::byte*, Vmem&) {
  UNDERSTUDY_ASSERT(false);
  return false;
}
#endif

}  // namespace understudy::worker
