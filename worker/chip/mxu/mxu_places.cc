// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_places.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/vector_code.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {
namespace {

#if defined(__x86_64__)
#define UNDERSTUDY_FMA __attribute__((target("avx2,fma")))

constexpr std::int64_t kPanel = PlacesProduct::kPanel;
// 6 x 2 sums, two vectors of b and an element of a fill the 16 registers.
constexpr std::int64_t kTallest = 6;

// kTall rows of one panel.
template <std::int64_t kTall>
UNDERSTUDY_FMA void tile(const PlacesProduct& p, std::int64_t row, const float* b, float* c,
                         const std::int64_t* c_rows) {
  const float* a[kTall];
  __m256 low[kTall], high[kTall];
#pragma GCC unroll 6
  for (std::int64_t i = 0; i < kTall; ++i) {
    a[i] = p.a + p.rows[row + i];
    low[i] = high[i] = _mm256_setzero_ps();
  }
  const std::int64_t* const columns = p.columns;
  for (std::int64_t k = 0; k < p.k; ++k, b += p.b_step) {
    const std::int64_t column = columns[k];
    const __m256 first = _mm256_loadu_ps(b), second = _mm256_loadu_ps(b + 8);
#pragma GCC unroll 6
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m256 left = _mm256_broadcast_ss(a[i] + column);
      low[i] = _mm256_fmadd_ps(left, first, low[i]);
      high[i] = _mm256_fmadd_ps(left, second, high[i]);
    }
  }
#pragma GCC unroll 6
  for (std::int64_t i = 0; i < kTall; ++i) {
    _mm256_storeu_ps(c + c_rows[i], low[i]);
    _mm256_storeu_ps(c + c_rows[i] + 8, high[i]);
  }
}

using Tile = void (*)(const PlacesProduct&, std::int64_t, const float*, float*,
                      const std::int64_t*);
constexpr std::array<Tile, kTallest> kTiles = {&tile<1>, &tile<2>, &tile<3>,
                                               &tile<4>, &tile<5>, &tile<6>};

// The last panel, which has fewer than kPanel columns: whole rows go beside the result.
void last_panel(const PlacesProduct& p, std::int64_t row, std::int64_t tall, const float* b,
                std::int64_t column) {
  static constexpr std::int64_t kRows[kTallest] = {0,          kPanel,     2 * kPanel,
                                                   3 * kPanel, 4 * kPanel, 5 * kPanel};
  float beside[kTallest * kPanel];
  kTiles[static_cast<std::size_t>(tall - 1)](p, row, b, beside, kRows);
  for (std::int64_t i = 0; i < tall; ++i)
    std::memcpy(p.c + p.c_rows[row + i] + column, beside + kRows[i],
                static_cast<std::size_t>(p.n - column) * sizeof(float));
}
#endif

UNDERSTUDY_VECTOR_CODE void round_numbers(const float* in, float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(in[i]);
    const std::uint32_t nearest = (bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U;
    out[i] = std::bit_cast<float>(in[i] == in[i] ? nearest : bits | 0x00400000U);
  }
}

}  // namespace

void pack_panels(const float* b, std::int64_t b_row, std::int64_t k, std::int64_t n,
                 float* panels) {
  constexpr std::int64_t kWidth = PlacesProduct::kPanel;
  for (std::int64_t column = 0; column < n; column += kWidth) {
    const std::int64_t count = std::min(kWidth, n - column);
    for (std::int64_t i = 0; i < k; ++i, panels += kWidth) {
      std::copy_n(b + i * b_row + column, count, panels);
      std::fill(panels + count, panels + kWidth, 0.0F);
    }
  }
}

void round_to_bf16(const float* in, float* out, std::int64_t n) { round_numbers(in, out, n); }

#if defined(__x86_64__)
bool multiplies_places() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}

void multiply_places(const PlacesProduct& p) {
  static const bool is_wide = __builtin_cpu_supports("avx512f") != 0;
  is_wide ? multiply_places_512(p) : multiply_places_avx2(p);
}

// A panel of b stays in the first-level cache while the rows of a pass are multiplied.
void multiply_places_avx2(const PlacesProduct& p) {
  constexpr std::int64_t kRowsAtOnce = 40 * kTallest;  // of a, in the second-level cache
  for (std::int64_t first = 0; first < p.m; first += kRowsAtOnce) {
    const std::int64_t end = std::min(p.m, first + kRowsAtOnce);
    for (std::int64_t column = 0; column < p.n; column += kPanel) {
      const float* const b = p.b + column / kPanel * p.b_panel;
      const bool is_whole = column + kPanel <= p.n;
      // Tiles of like heights: a low one has too few sums to hide their latency.
      std::int64_t tall = 0;
      for (std::int64_t row = first; row < end; row += tall) {
        const std::int64_t tiles = (end - row + kTallest - 1) / kTallest;
        tall = (end - row + tiles - 1) / tiles;
        if (is_whole) {
          kTiles[static_cast<std::size_t>(tall - 1)](p, row, b, p.c + column, p.c_rows + row);
        } else {
          last_panel(p, row, tall, b, column);
        }
      }
    }
  }
}
#else
bool multiplies_places() { return false; }
void multiply_places(const PlacesProduct&) { UNDERSTUDY_ASSERT(false); }
void multiply_places_avx2(const PlacesProduct&) { UNDERSTUDY_ASSERT(false); }
#endif

}  // namespace understudy::worker
