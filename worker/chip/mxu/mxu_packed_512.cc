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
#define UNDERSTUDY_PACKED_BYTES __attribute__((target("avx512f,avx512bw")))
#define UNDERSTUDY_PAIRS [[gnu::always_inline]] UNDERSTUDY_PACKED_BYTES inline

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

constexpr std::int64_t kTileInPlace = 32;  // columns of bf16: a line of the cache

// kTall rows of kTileInPlace columns of bf16: the even and the odd ones are a vector of f32 each.
static_assert(kTileInPlace == 2 * kPackedPanel);

struct PairFrame {
  std::int64_t depth, right_row, row;
  bool adds;
  __mmask32 columns;  // that the result has
};

// a: the lanes of both whose numbers are in `first`; b: those `apart` further on.
UNDERSTUDY_PAIRS void permute(__m512& a, __m512& b, __m512i first, int apart) {
  const __m512 low = _mm512_permutex2var_ps(a, first, b);
  b = _mm512_permutex2var_ps(a, _mm512_add_epi32(first, _mm512_set1_epi32(apart)), b);
  a = low;
}
// Of two vectors with every other element: their first and their last half side by side.
UNDERSTUDY_PAIRS void interleave(__m512& even, __m512& odd) {
  permute(even, odd, _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0), 8);
}
// The reverse.
UNDERSTUDY_PAIRS void part(__m512& low, __m512& high) {
  permute(low, high, _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0),
          1);
}

template <std::int64_t kTall>
UNDERSTUDY_PACKED_BYTES void pair_tile(const PairFrame& frame, const float* left,
                                       const std::uint16_t* right, float* out) {
  const auto low = static_cast<__mmask16>(frame.columns),
             high = static_cast<__mmask16>(frame.columns >> kPackedPanel);
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000U));
  __m512 sums[kTall][2];
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i) {
    sums[i][0] = sums[i][1] = _mm512_setzero_ps();
    if (!frame.adds) continue;
    sums[i][0] = _mm512_maskz_loadu_ps(low, out + i * frame.row);
    sums[i][1] = _mm512_maskz_loadu_ps(high, out + i * frame.row + kPackedPanel);
    part(sums[i][0], sums[i][1]);
  }
  for (std::int64_t k = 0; k < frame.depth; ++k, left += kPackedPanel, right += frame.right_row) {
    const __m512i both = _mm512_maskz_loadu_epi16(frame.columns, right);
    const __m512 even = _mm512_castsi512_ps(_mm512_slli_epi32(both, 16));
    const __m512 odd = _mm512_castsi512_ps(_mm512_and_si512(both, upper));
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m512 one = _mm512_set1_ps(left[i]);
      sums[i][0] = _mm512_fmadd_ps(one, even, sums[i][0]);
      sums[i][1] = _mm512_fmadd_ps(one, odd, sums[i][1]);
    }
  }
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i) {
    interleave(sums[i][0], sums[i][1]);
    _mm512_mask_storeu_ps(out + i * frame.row, low, sums[i][0]);
    _mm512_mask_storeu_ps(out + i * frame.row + kPackedPanel, high, sums[i][1]);
  }
}

using PairTile = void (*)(const PairFrame&, const float*, const std::uint16_t*, float*);
constexpr std::array<PairTile, kTallest> kPairTiles = {&pair_tile<1>, &pair_tile<2>, &pair_tile<3>,
                                                       &pair_tile<4>, &pair_tile<5>, &pair_tile<6>,
                                                       &pair_tile<7>, &pair_tile<8>};

void multiply_in_place(const PackedBlock& block, const float* left, const std::uint16_t* right,
                       std::int64_t right_row, float* out, std::int64_t row, bool adds) {
  for (std::int64_t n = 0; n < block.columns; n += kTileInPlace) {
    const auto beyond =
        static_cast<unsigned>(kTileInPlace - std::min(kTileInPlace, block.columns - n));
    const PairFrame frame{block.depth, right_row, row, adds, ~__mmask32{0} >> beyond};
    for (std::int64_t m = 0; m < block.rows; m += kTallest)
      kPairTiles[static_cast<std::size_t>(std::min(kTallest, block.rows - m) - 1)](
          frame, left + m / kPackedPanel * kPackedPanel * block.depth + m % kPackedPanel, right + n,
          out + m * row + n);
  }
}

constexpr PackedLoops kLoops = {"avx512",  {96, 480, 384},     &pack_lines_512,
                                &multiply, &multiply_in_place, kTileInPlace};

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
