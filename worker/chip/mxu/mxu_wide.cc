// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_wide.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "configs/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace {

#define UNDERSTUDY_WIDE __attribute__((target("avx512f")))

constexpr std::int64_t kWideLanes = 16;
// 8 x 2 sums: enough to hide the latency of each other, with the addresses of all rows in
// registers.
constexpr std::int64_t kWideRows = 8;

struct WideStrides {
  std::int64_t k, a_row, a_column, b_row, c_row;
};

// kTall rows of kVectors vectors, of which `last` are the lanes of the last one.
template <std::int64_t kTall, std::int64_t kVectors>
UNDERSTUDY_WIDE void wide_tile(const WideStrides& s, const float* a, const float* b, float* c,
                               __mmask16 last) {
  __m512 sums[kTall][kVectors];
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kVectors; ++v) sums[i][v] = _mm512_setzero_ps();
  for (std::int64_t k = 0; k < s.k; ++k, a += s.a_column, b += s.b_row) {
    __m512 right[kVectors];
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kVectors; ++v)
      right[v] = v + 1 == kVectors ? _mm512_maskz_loadu_ps(last, b + v * kWideLanes)
                                   : _mm512_loadu_ps(b + v * kWideLanes);
#pragma GCC unroll 8
    for (std::int64_t i = 0; i < kTall; ++i) {
      const __m512 left = _mm512_set1_ps(a[i * s.a_row]);
#pragma GCC unroll 2
      for (std::int64_t v = 0; v < kVectors; ++v)
        sums[i][v] = _mm512_fmadd_ps(left, right[v], sums[i][v]);
    }
  }
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kTall; ++i, c += s.c_row)
#pragma GCC unroll 2
    for (std::int64_t v = 0; v < kVectors; ++v)
      _mm512_mask_storeu_ps(c + v * kWideLanes, v + 1 == kVectors ? last : __mmask16(0xffff),
                            sums[i][v]);
}

using WideTile = void (*)(const WideStrides&, const float*, const float*, float*, __mmask16);
template <std::int64_t kVectors>
constexpr std::array<WideTile, kWideRows> kWideTiles = {
    &wide_tile<1, kVectors>, &wide_tile<2, kVectors>, &wide_tile<3, kVectors>,
    &wide_tile<4, kVectors>, &wide_tile<5, kVectors>, &wide_tile<6, kVectors>,
    &wide_tile<7, kVectors>, &wide_tile<8, kVectors>};

void multiply_matrix(const MxuTile& t, const float* a, const float* b, float* c) {
  const WideStrides s{t.k, t.a_row, t.a_column, t.b_row, t.c_row};
  for (std::int64_t n = 0; n < t.n; n += 2 * kWideLanes) {
    const std::int64_t columns = std::min(t.n - n, 2 * kWideLanes);
    const auto& tiles = columns > kWideLanes ? kWideTiles<2> : kWideTiles<1>;
    const std::int64_t lanes = columns > kWideLanes ? columns - kWideLanes : columns;
    const auto last = static_cast<__mmask16>((1U << lanes) - 1);
    for (std::int64_t m = 0; m < t.m; m += kWideRows)
      tiles[static_cast<std::size_t>(std::min(kWideRows, t.m - m) - 1)](s, a + m * t.a_row, b + n,
                                                                        c + m * t.c_row + n, last);
  }
}

}  // namespace

bool multiplies_wide() { return __builtin_cpu_supports("avx512f") != 0; }

void multiply_wide(const MxuTile& t) {
  for (std::int64_t i = 0; i < t.batches; ++i)
    multiply_matrix(t, static_cast<const float*>(t.a) + i * t.a_batch,
                    static_cast<const float*>(t.b) + i * t.b_batch,
                    static_cast<float*>(t.c) + i * t.c_batch);
}
#else
bool multiplies_wide() { return false; }
void multiply_wide(const MxuTile&) { UNDERSTUDY_ASSERT(false); }
#endif

}  // namespace understudy::worker
