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
constexpr std::int64_t kVector = 8;
// Rows of a tile by its vectors: with the vectors of b and an element of a, the sums fill the 16
// registers; of one vector, the addresses of the rows do.
constexpr std::int64_t kTallest[] = {8, 6, 4};

// kTall rows of kVectors vectors, of which the third is the first one of the next panel.
template <std::int64_t kTall, std::int64_t kVectors>
UNDERSTUDY_FMA void tile(const PlacesProduct& p, std::int64_t row, const float* b, float* c,
                         const std::int64_t* c_rows) {
  const float* a[kTall];
  __m256 sums[kTall][kVectors];
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i) {
    a[i] = p.a + p.rows[row + i];
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kVectors; ++v) sums[i][v] = _mm256_setzero_ps();
  }
  const std::int64_t* const columns = p.columns;
  for (std::int64_t k = 0; k < p.k; ++k, b += p.b_step) {
    const std::int64_t column = columns[k];
    __m256 right[kVectors];
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kVectors; ++v)
      right[v] = _mm256_loadu_ps(v < 2 ? b + v * kVector : b + p.b_panel);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m256 left = _mm256_broadcast_ss(a[i] + column);
#pragma GCC unroll 3
      for (std::int64_t v = 0; v < kVectors; ++v)
        sums[i][v] = _mm256_fmadd_ps(left, right[v], sums[i][v]);
    }
  }
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kVectors; ++v)
      _mm256_storeu_ps(c + c_rows[i] + v * kVector, sums[i][v]);
}

using Tile = void (*)(const PlacesProduct&, std::int64_t, const float*, float*,
                      const std::int64_t*);
// By vectors and rows.
constexpr std::array<std::array<Tile, 8>, 3> kTiles = {
    {{&tile<1, 1>, &tile<2, 1>, &tile<3, 1>, &tile<4, 1>, &tile<5, 1>, &tile<6, 1>, &tile<7, 1>,
      &tile<8, 1>},
     {&tile<1, 2>, &tile<2, 2>, &tile<3, 2>, &tile<4, 2>, &tile<5, 2>, &tile<6, 2>},
     {&tile<1, 3>, &tile<2, 3>, &tile<3, 3>, &tile<4, 3>}}};

// A tile with fewer columns than its vectors have: whole rows go beside the result.
void last_columns(const PlacesProduct& p, Tile tile, std::int64_t row, std::int64_t tall,
                  const float* b, std::int64_t column) {
  constexpr std::int64_t kWidest = 3 * kVector;
  static constexpr std::int64_t kRows[] = {0,           kWidest,     2 * kWidest, 3 * kWidest,
                                           4 * kWidest, 5 * kWidest, 6 * kWidest, 7 * kWidest};
  float beside[8 * kWidest];
  tile(p, row, b, beside, kRows);
  for (std::int64_t i = 0; i < tall; ++i)
    std::memcpy(p.c + p.c_rows[row + i] + column, beside + kRows[i],
                static_cast<std::size_t>(p.n - column) * sizeof(float));
}

// Vectors of the next tile: a panel, or what is left where that needs one vector, alone or beside a
// panel.
std::int64_t vectors_of(std::int64_t left) {
  if (left <= kVector) return 1;
  return left > kPanel && left <= kPanel + kVector ? 3 : 2;
}

// The rows from `first` to `end` by tiles of `vectors` vectors at `column`.
void multiply_rows(const PlacesProduct& p, std::int64_t first, std::int64_t end,
                   std::int64_t column, std::int64_t vectors) {
  const float* const b = p.b + column / kPanel * p.b_panel;
  const bool is_whole = column + vectors * kVector <= p.n;
  const auto& tiles = kTiles[static_cast<std::size_t>(vectors - 1)];
  const std::int64_t tallest = kTallest[vectors - 1];
  // Tiles of like heights: a low one has too few sums to hide their latency.
  std::int64_t tall = 0;
  for (std::int64_t row = first; row < end; row += tall) {
    const std::int64_t count = (end - row + tallest - 1) / tallest;
    tall = (end - row + count - 1) / count;
    const Tile tile = tiles[static_cast<std::size_t>(tall - 1)];
    if (is_whole) {
      tile(p, row, b, p.c + column, p.c_rows + row);
    } else {
      last_columns(p, tile, row, tall, b, column);
    }
  }
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
  constexpr std::int64_t kRowsAtOnce = 240;  // of a, in the second-level cache
  for (std::int64_t first = 0; first < p.m; first += kRowsAtOnce) {
    const std::int64_t end = std::min(p.m, first + kRowsAtOnce);
    for (std::int64_t column = 0; column < p.n;) {
      const std::int64_t vectors = vectors_of(p.n - column);
      multiply_rows(p, first, end, column, vectors);
      column += vectors * kVector;
    }
  }
}
#else
bool multiplies_places() { return false; }
void multiply_places(const PlacesProduct&) { UNDERSTUDY_ASSERT(false); }
void multiply_places_avx2(const PlacesProduct&) { UNDERSTUDY_ASSERT(false); }
#endif

}  // namespace understudy::worker
