// SPDX-License-Identifier: Apache-2.0
// multiply_places() by vectors of 512 bits, two panels at once.
#include <algorithm>
#include <array>
#include <cstdint>

#include "configs/base/error.h"
#include "worker/chip/mxu/mxu_places.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace places_512 {
namespace {

#define UNDERSTUDY_PLACES_512 __attribute__((target("avx512f")))

constexpr std::int64_t kPanel = PlacesProduct::kPanel;
// 8 x 2 sums hide the latency of each other, with the addresses of all rows in registers.
constexpr std::int64_t kTallest = 8, kPanelsAtOnce = 2;

// kTall rows of kPanels panels; `last`: the columns of the last panel that the result has.
template <std::int64_t kTall, std::int64_t kPanels>
UNDERSTUDY_PLACES_512 void tile(const PlacesProduct& p, std::int64_t row, const float* b, float* c,
                                __mmask16 last) {
  const auto mask = [&](std::int64_t v) { return v + 1 == kPanels ? last : __mmask16(0xffff); };
  const float* a[kTall];
  __m512 sums[kTall][kPanels];
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i) {
    a[i] = p.a + p.rows[row + i];
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kPanels; ++v) sums[i][v] = _mm512_setzero_ps();
  }
  const std::int64_t* const columns = p.columns;
  for (std::int64_t k = 0; k < p.k; ++k, b += p.b_step) {
    const std::int64_t column = columns[k];
    __m512 right[kPanels];
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kPanels; ++v) right[v] = _mm512_loadu_ps(b + v * p.b_panel);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m512 left = _mm512_set1_ps(a[i][column]);
#pragma GCC unroll 2
      for (std::int64_t v = 0; v < kPanels; ++v)
        sums[i][v] = _mm512_fmadd_ps(left, right[v], sums[i][v]);
    }
  }
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kPanels; ++v)
      _mm512_mask_storeu_ps(c + p.c_rows[row + i] + v * kPanel, mask(v), sums[i][v]);
}

using Tile = void (*)(const PlacesProduct&, std::int64_t, const float*, float*, __mmask16);
template <std::int64_t kPanels>
constexpr std::array<Tile, kTallest> kTiles = {
    &tile<1, kPanels>, &tile<2, kPanels>, &tile<3, kPanels>, &tile<4, kPanels>,
    &tile<5, kPanels>, &tile<6, kPanels>, &tile<7, kPanels>, &tile<8, kPanels>};

void multiply(const PlacesProduct& p) {
  constexpr std::int64_t kRowsAtOnce = 32 * kTallest;  // of a, in the second-level cache
  for (std::int64_t first = 0; first < p.m; first += kRowsAtOnce) {
    const std::int64_t end = std::min(p.m, first + kRowsAtOnce);
    for (std::int64_t column = 0; column < p.n; column += kPanelsAtOnce * kPanel) {
      const std::int64_t left = std::min(p.n - column, kPanelsAtOnce * kPanel);
      const auto& tiles = left > kPanel ? kTiles<2> : kTiles<1>;
      const std::int64_t lanes = left > kPanel ? left - kPanel : left;
      const auto last = static_cast<__mmask16>((1U << static_cast<unsigned>(lanes)) - 1);
      const float* const b = p.b + column / kPanel * p.b_panel;
      for (std::int64_t row = first; row < end; row += kTallest)
        tiles[static_cast<std::size_t>(std::min(kTallest, end - row) - 1)](p, row, b, p.c + column,
                                                                           last);
    }
  }
}
}  // namespace
}  // namespace places_512

void multiply_places_512(const PlacesProduct& p) { places_512::multiply(p); }
#else
void multiply_places_512(const PlacesProduct&) { UNDERSTUDY_ASSERT(false); }
#endif

}  // namespace understudy::worker
