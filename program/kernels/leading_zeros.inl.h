// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: the leading zeros of integers. With AVX2, numbers of 8 and 16 bits look up
// those of each four bits; the lower part counts where the upper one has no bit.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "program/kernels/whole_numbers.inl.h"

namespace understudy::program::kernels {
namespace {

#if defined(__AVX2__)
// Of each byte.
UNDERSTUDY_INLINE __m256i zeros_of_bytes(__m256i x) {
  const __m256i table =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(4, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i low = _mm256_set1_epi8(0x0f);
  const __m256i upper = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
  const __m256i lower = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
  const __m256i is_empty = _mm256_cmpeq_epi8(upper, _mm256_set1_epi8(4));
  return _mm256_add_epi8(upper, _mm256_and_si256(is_empty, lower));
}
UNDERSTUDY_INLINE __m256i zeros_of_halves(__m256i x) {
  const __m256i bytes = zeros_of_bytes(x);
  const __m256i upper = _mm256_srli_epi16(bytes, 8);
  const __m256i lower = _mm256_and_si256(bytes, _mm256_set1_epi16(0xff));
  const __m256i is_empty = _mm256_cmpeq_epi16(upper, _mm256_set1_epi16(8));
  return _mm256_add_epi16(upper, _mm256_and_si256(is_empty, lower));
}
#endif

template <class Tag>
UNDERSTUDY_ONCE void leading_zeros_of(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<typename Tag::Stored*>(out);
  std::size_t i = 0;
#if defined(__AVX2__)
  if constexpr (Tag::bits == 8 || Tag::bits == 16) {
    constexpr std::size_t kLanes = sizeof(__m256i) / sizeof(*x);
    for (; i + kLanes <= n; i += kLanes) {
      const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i),
                          Tag::bits == 8 ? zeros_of_bytes(some) : zeros_of_halves(some));
    }
  }
#endif
  map_one<Tag, Tag, CountLeadingZeros<Tag>>(x + i, y + i, n - i);
}

}  // namespace
}  // namespace understudy::program::kernels
