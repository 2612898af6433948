// SPDX-License-Identifier: Apache-2.0
// bf16 as vectors of f32. g++ 12 would widen a vector element by element.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

typedef u32 WordVector __attribute__((vector_size(kVectorBytes)));
typedef u16 HalfVector __attribute__((vector_size(kVectorBytes / 2)));

// A vector's number of halves, in the upper half of each word: bf16 as f32.
UNDERSTUDY_INLINE WordVector widened_halves(const void* at) {
#if defined(__AVX512F__)
  // Half i of a word is half i / 2 of the operand where i is odd, else 0.
  const __m512i from = _mm512_set_epi16(15, 0, 14, 0, 13, 0, 12, 0, 11, 0, 10, 0, 9, 0, 8, 0, 7, 0,
                                        6, 0, 5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0);
  const __m256i y = _mm256_loadu_si256(static_cast<const __m256i*>(at));
  const __m512i wide = _mm512_maskz_inserti64x4(0xff, _mm512_setzero_si512(), y, 0);
  return __builtin_bit_cast(WordVector, _mm512_maskz_permutexvar_epi16(0xaaaaaaaa, from, wide));
#elif defined(__AVX2__)
  const __m128i y = _mm_loadu_si128(static_cast<const __m128i*>(at));
  return __builtin_bit_cast(WordVector, _mm256_cvtepu16_epi32(y)) << 16;
#else
  HalfVector y;
  __builtin_memcpy(&y, at, sizeof(y));
  return __builtin_convertvector(y, WordVector) << 16;
#endif
}

UNDERSTUDY_INLINE Vector<float> widened_bf16(const u16* at) {
  return __builtin_bit_cast(Vector<float>, widened_halves(at));
}

}  // namespace
}  // namespace understudy::program::kernels
