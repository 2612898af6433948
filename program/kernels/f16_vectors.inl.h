// SPDX-License-Identifier: Apache-2.0
// f16 as vectors of f32, where the instruction set converts them. Its conversions round to nearest
// even and keep denormal values, as F16Tag does; of a NaN they keep other bits.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

#if defined(__F16C__)

constexpr bool kWidensF16 = true;

UNDERSTUDY_INLINE Vector<float> widened_f16(const u16* at) {
#if defined(__AVX512F__)
  return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
#else
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
#endif
}
UNDERSTUDY_INLINE bool has_nan(Vector<float> x) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) != 0;
#else
  return _mm256_movemask_ps(_mm256_cmp_ps(x, x, _CMP_UNORD_Q)) != 0;
#endif
}
// Every NaN becomes the one with an empty payload; it keeps its sign.
UNDERSTUDY_INLINE void put_f16(u16* at, Vector<float> x) {
  typedef u32 Bits __attribute__((vector_size(kVectorBytes)));
  const Bits bits = __builtin_bit_cast(Bits, x);
  const Bits nan = (bits & 0x80000000U) | 0x7fc00000U;
  const Vector<float> y = x == x ? x : __builtin_bit_cast(Vector<float>, nan);
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(at),
                      _mm512_maskz_cvtps_ph(0xffff, y, _MM_FROUND_TO_NEAREST_INT));
#else
  _mm_storeu_si128(reinterpret_cast<__m128i*>(at), _mm256_cvtps_ph(y, _MM_FROUND_TO_NEAREST_INT));
#endif
}

#else

constexpr bool kWidensF16 = false;

#endif

}  // namespace
}  // namespace understudy::program::kernels
