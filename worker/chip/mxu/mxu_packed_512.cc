// SPDX-License-Identifier: Apache-2.0
// PackedLoops of CPUs with AVX-512: tiles of 8 rows and 48 columns.
#include <algorithm>
#include <array>
#include <cstdint>

#include "worker/chip/mxu/mxu_packed_panels_512.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace packed_512 {
namespace {

#define UNDERSTUDY_PACKED __attribute__((target("avx512f")))

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

void multiply(const PackedBlock& block, const float* left, const float* right, float* out,
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

constexpr PackedLoops kLoops = {"avx512", {96, 480, 384}, &pack_lines_512, &multiply};

}  // namespace
}  // namespace packed_512

const PackedLoops* packed_loops_avx512() {
  static const bool has = __builtin_cpu_supports("avx512f") != 0 &&
                          __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0;
  return has ? &packed_512::kLoops : nullptr;
}
#else
const PackedLoops* packed_loops_avx512() { return nullptr; }
#endif

}  // namespace understudy::worker
