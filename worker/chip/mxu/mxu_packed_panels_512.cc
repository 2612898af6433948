// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_packed_panels_512.h"

#include <algorithm>

#include "configs/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker {

#if defined(__x86_64__)
namespace packed_512 {
namespace {

#define UNDERSTUDY_PACK __attribute__((target("avx512f,avx512bw,avx512vl")))

constexpr std::int64_t kLanes = kPackedPanel;

// GCC 12 warns of the undefined operand of intrinsics without a mask.
constexpr __mmask16 kAll = 0xffff;
constexpr __mmask16 first_lanes(std::int64_t count) {
  return count >= kLanes ? kAll : static_cast<__mmask16>((1U << static_cast<unsigned>(count)) - 1);
}

struct Bf16 {
  static constexpr std::int64_t kBytes = 2;
  UNDERSTUDY_PACK static __m512 load(const std::byte* at, __mmask16 mask) {
    const __m256i halves = _mm256_maskz_loadu_epi16(mask, at);
    return _mm512_castsi512_ps(
        _mm512_maskz_slli_epi32(kAll, _mm512_maskz_cvtepu16_epi32(kAll, halves), 16));
  }
};

// Rounded to the nearest bf16, ties to even; NaN stays one.
struct Rounded {
  static constexpr std::int64_t kBytes = 4;
  UNDERSTUDY_PACK static __m512 load(const std::byte* at, __mmask16 mask) {
    const __m512 x = _mm512_maskz_loadu_ps(mask, at);
    const __m512i bits = _mm512_castps_si512(x), one = _mm512_set1_epi32(1);
    const __m512i odd = _mm512_and_si512(_mm512_maskz_srli_epi32(kAll, bits, 16), one);
    const __m512i more = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
    const __m512i nearest =
        _mm512_and_si512(_mm512_add_epi32(bits, more), _mm512_set1_epi32(-0x10000));
    const __mmask16 is_nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    return _mm512_castsi512_ps(
        _mm512_mask_or_epi32(nearest, is_nan, bits, _mm512_set1_epi32(0x400000)));
  }
};

// Lines are side by side: four panels at once, so that whole cache lines of the operand are used.
template <class Source>
UNDERSTUDY_PACK void pack_side_by_side(const std::byte* at, std::int64_t jump, std::int64_t depth,
                                       std::int64_t lines, float* panels) {
  constexpr std::int64_t kAtOnce = 4;
  for (std::int64_t first = 0; first < lines; first += kAtOnce * kLanes) {
    const std::int64_t count = std::min(kAtOnce, (lines - first + kLanes - 1) / kLanes);
    float* const to = panels + first * depth;
    const std::byte* row = at + first * Source::kBytes;
    for (std::int64_t k = 0; k < depth; ++k, row += jump * Source::kBytes)
      for (std::int64_t v = 0; v < count; ++v)
        _mm512_storeu_ps(to + (v * depth + k) * kLanes,
                         Source::load(row + v * kLanes * Source::kBytes,
                                      first_lanes(lines - first - v * kLanes)));
  }
}

UNDERSTUDY_PACK inline __m512 low_pairs(__m512 a, __m512 b) {
  return _mm512_castpd_ps(
      _mm512_maskz_unpacklo_pd(__mmask8(kAll), _mm512_castps_pd(a), _mm512_castps_pd(b)));
}
UNDERSTUDY_PACK inline __m512 high_pairs(__m512 a, __m512 b) {
  return _mm512_castpd_ps(
      _mm512_maskz_unpackhi_pd(__mmask8(kAll), _mm512_castps_pd(a), _mm512_castps_pd(b)));
}

// Exchanges rows and columns of 16 x 16 elements: blocks of 1, 2, 4 and 8 elements in turn.
UNDERSTUDY_PACK void transpose(__m512 (&x)[kLanes]) {
  __m512 y[kLanes];
#pragma GCC unroll 8
  for (std::int64_t i = 0; i < kLanes; i += 2) {
    y[i] = _mm512_maskz_unpacklo_ps(kAll, x[i], x[i + 1]);
    y[i + 1] = _mm512_maskz_unpackhi_ps(kAll, x[i], x[i + 1]);
  }
  // x[4 g + c]: column c of each quarter of four rows.
#pragma GCC unroll 4
  for (std::int64_t g = 0; g < kLanes; g += 4) {
    x[g] = low_pairs(y[g], y[g + 2]);
    x[g + 1] = high_pairs(y[g], y[g + 2]);
    x[g + 2] = low_pairs(y[g + 1], y[g + 3]);
    x[g + 3] = high_pairs(y[g + 1], y[g + 3]);
  }
#pragma GCC unroll 4
  for (std::int64_t c = 0; c < 4; ++c) {
    const __m512 a = _mm512_maskz_shuffle_f32x4(kAll, x[c], x[c + 4], 0x88);
    const __m512 b = _mm512_maskz_shuffle_f32x4(kAll, x[c], x[c + 4], 0xdd);
    const __m512 d = _mm512_maskz_shuffle_f32x4(kAll, x[c + 8], x[c + 12], 0x88);
    const __m512 e = _mm512_maskz_shuffle_f32x4(kAll, x[c + 8], x[c + 12], 0xdd);
    y[c] = _mm512_maskz_shuffle_f32x4(kAll, a, d, 0x88);
    y[c + 8] = _mm512_maskz_shuffle_f32x4(kAll, a, d, 0xdd);
    y[c + 4] = _mm512_maskz_shuffle_f32x4(kAll, b, e, 0x88);
    y[c + 12] = _mm512_maskz_shuffle_f32x4(kAll, b, e, 0xdd);
  }
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kLanes; ++i) x[i] = y[i];
}

// Each line is dense, `jump` elements from the next.
template <class Source>
UNDERSTUDY_PACK void pack_one_by_one(const std::byte* at, std::int64_t jump, std::int64_t depth,
                                     std::int64_t lines, float* panels) {
  for (std::int64_t first = 0; first < lines; first += kLanes, panels += kLanes * depth) {
    const std::int64_t count = std::min(kLanes, lines - first);
    const std::byte* const line = at + first * jump * Source::kBytes;
    for (std::int64_t k = 0; k < depth; k += kLanes) {
      const __mmask16 mask = first_lanes(depth - k);
      __m512 square[kLanes];
#pragma GCC unroll 16
      for (std::int64_t j = 0; j < kLanes; ++j)
        square[j] = j < count ? Source::load(line + (j * jump + k) * Source::kBytes, mask)
                              : _mm512_setzero_ps();
      transpose(square);
      const std::int64_t rows = std::min(kLanes, depth - k);
      if (rows == kLanes) {
#pragma GCC unroll 16
        for (std::int64_t i = 0; i < kLanes; ++i)
          _mm512_storeu_ps(panels + (k + i) * kLanes, square[i]);
      } else {
        for (std::int64_t i = 0; i < rows; ++i)
          _mm512_storeu_ps(panels + (k + i) * kLanes, square[i]);
      }
    }
  }
}

}  // namespace
}  // namespace packed_512

void pack_lines_512(const PackedSource& from, std::int64_t depth, std::int64_t lines,
                    float* panels) {
  using namespace packed_512;
  const bool is_bf16 = from.element == program::ElementType::bf16;
  if (from.line_stride == 1)
    return is_bf16 ? pack_side_by_side<Bf16>(from.at, from.depth_stride, depth, lines, panels)
                   : pack_side_by_side<Rounded>(from.at, from.depth_stride, depth, lines, panels);
  return is_bf16 ? pack_one_by_one<Bf16>(from.at, from.line_stride, depth, lines, panels)
                 : pack_one_by_one<Rounded>(from.at, from.line_stride, depth, lines, panels);
}
#else
void pack_lines_512(const PackedSource&, std::int64_t, std::int64_t, float*) {
  UNDERSTUDY_ASSERT(false);
}
#endif

}  // namespace understudy::worker
