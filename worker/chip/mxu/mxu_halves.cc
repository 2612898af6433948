// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_halves.h"

#include <algorithm>
#include <array>

#include "configs/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace halves {
namespace {

#define UNDERSTUDY_HALVES __attribute__((target("avx2,fma")))

constexpr std::int64_t kLanes = 8;
// 4 x 3 vectors of sums, three of b and an element of a fill the 16 registers.
constexpr std::int64_t kTallest = 4, kWidest = 3;

struct HalvesFrame {
  std::int64_t k, a_row, a_column, b_row, c_row;
  bool adds;
};

template <std::int64_t kTall, std::int64_t kVectors>
UNDERSTUDY_HALVES void halves_tile(const HalvesFrame& frame, const float* a, const std::uint16_t* b,
                                   float* c) {
  __m256 sums[kTall][kVectors];
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kVectors; ++v)
      sums[i][v] =
          frame.adds ? _mm256_loadu_ps(c + i * frame.c_row + v * kLanes) : _mm256_setzero_ps();
  const std::int64_t a_row = frame.a_row, a_column = frame.a_column, b_row = frame.b_row;
  for (std::int64_t k = frame.k; k > 0; --k, a += a_column, b += b_row) {
    __m256 right[kVectors];
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kVectors; ++v)
      right[v] = _mm256_castsi256_ps(_mm256_slli_epi32(
          _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b + v * kLanes))),
          16));
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m256 left = _mm256_broadcast_ss(a + i * a_row);
#pragma GCC unroll 3
      for (std::int64_t v = 0; v < kVectors; ++v)
        sums[i][v] = _mm256_fmadd_ps(left, right[v], sums[i][v]);
    }
  }
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 3
    for (std::int64_t v = 0; v < kVectors; ++v)
      _mm256_storeu_ps(c + i * frame.c_row + v * kLanes, sums[i][v]);
}

using Tile = void (*)(const HalvesFrame&, const float*, const std::uint16_t*, float*);
template <std::int64_t kVectors>
constexpr std::array<Tile, kTallest> kTiles = {&halves_tile<1, kVectors>, &halves_tile<2, kVectors>,
                                               &halves_tile<3, kVectors>,
                                               &halves_tile<4, kVectors>};
constexpr std::array<const std::array<Tile, kTallest>*, kWidest> kTilesOf = {&kTiles<1>, &kTiles<2>,
                                                                             &kTiles<3>};

// `size` divided into parts of like sizes of at most `most`: the next of them. Small tiles have too
// few sums to hide their latency.
std::int64_t next_part(std::int64_t size, std::int64_t most) {
  const std::int64_t parts = (size + most - 1) / most;
  return (size + parts - 1) / parts;
}

// Columns of the result that one tile makes: the last `columns` of its `vectors`. The first ones
// belong to the tile before where the last vector would reach beyond the rows.
struct Span {
  std::int64_t first, vectors, columns;

  bool is_whole() const { return columns == vectors * kLanes; }
};

// Adds a tile with columns of the one before, of which c keeps what it has.
void cut_tile(Tile tile, HalvesFrame frame, std::int64_t tall, const Span& span, const float* a,
              const std::uint16_t* b, float* c) {
  const std::int64_t width = span.vectors * kLanes, skipped = width - span.columns;
  float beside[kTallest * kWidest * kLanes];
  const std::int64_t c_row = frame.c_row;
  for (std::int64_t i = 0; i < tall; ++i) std::copy_n(c + i * c_row, width, beside + i * width);
  frame.c_row = width;
  tile(frame, a, b, beside);
  for (std::int64_t i = 0; i < tall; ++i)
    std::copy_n(beside + i * width + skipped, span.columns, c + i * c_row + skipped);
}

void multiply_span(const HalvesProduct& p, const Span& span) {
  const HalvesFrame frame{p.k, p.a_row, p.a_column, p.b_row, p.c_row, p.adds};
  const auto& tiles = *kTilesOf[static_cast<std::size_t>(span.vectors - 1)];
  const std::uint16_t* const b = p.b + span.first;
  for (std::int64_t start = 0; start < p.m; start += p.group_rows) {
    const float* a = p.a + start / p.group_rows * p.group;
    const std::int64_t end = std::min(p.m, start + p.group_rows);
    std::int64_t tall = 0;
    for (std::int64_t row = start; row < end; row += tall, a += tall * p.a_row) {
      tall = next_part(end - row, kTallest);
      const Tile tile = tiles[static_cast<std::size_t>(tall - 1)];
      float* const c = p.c + row * p.c_row + span.first;
      // A sum that is made twice is the same, but one that is added twice is not.
      if (span.is_whole() || !p.adds)
        tile(frame, a, b, c);
      else
        cut_tile(tile, frame, tall, span, a, b, c);
    }
  }
}

void multiply(const HalvesProduct& p) {
  UNDERSTUDY_ASSERT(p.n >= HalvesProduct::kFewestColumns);
  std::int64_t vectors = 0;
  for (std::int64_t first = 0; first < p.n; first += vectors * kLanes) {
    vectors = next_part((p.n - first + kLanes - 1) / kLanes, kWidest);
    const std::int64_t columns = std::min(p.n - first, vectors * kLanes);
    const std::int64_t fits = std::min(first, p.n - vectors * kLanes);
    // A result of fewer columns than the vectors of its only tile has one tile for each of them.
    if (fits < 0) {
      multiply_span(p, {0, 1, kLanes});
      vectors = 1;
      continue;
    }
    multiply_span(p, {fits, vectors, columns});
  }
}

}  // namespace
}  // namespace halves

void multiply_halves(const HalvesProduct& product) { halves::multiply(product); }
#else
void multiply_halves(const HalvesProduct&) { UNDERSTUDY_ASSERT(false); }
#endif

}  // namespace understudy::worker
