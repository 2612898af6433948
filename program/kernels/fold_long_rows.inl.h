// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: sums, products and functions of bits of rows of more than kLanes elements,
// up to as many rows at once as a vector has lanes. The end of a row that does not fill a vector is
// read under a mask, with the neutral element behind it, which changes no bit but those of a NaN.
// The bits of fold().
#pragma once

#include "program/kernels/fold_side_by_side.inl.h"

namespace understudy::program::kernels {
namespace {

template <class Tag, Reduction kReduction>
constexpr bool kFoldsLongRows = kFoldsSideBySide<Tag, kReduction> && !kIsExtreme<kReduction>;

template <class Tag, Reduction kReduction>
struct LongRows {
  using Side = SideBySide<Tag, kReduction>;
  using Stored = typename Side::Stored;
  using Wide = typename Side::Wide;
  using Real = typename Side::Real;
  using Lanes = typename Side::Lanes;
  static constexpr std::size_t kWidth = Side::kWidth;

  // The first n elements, fewer than kWidth.
  static UNDERSTUDY_INLINE Lanes load_some(const Stored* x, std::size_t n) {
    const Stored neutral = Tag::store(identity<Wide, kReduction>());
#if defined(__AVX2__) && !defined(__AVX512F__)
    if constexpr (sizeof(Stored) == sizeof(Real)) {
      typename Side::Index used;
      for (std::size_t l = 0; l < kWidth; ++l) used[l] = l < n ? -1 : 0;
      const __m256i mask = __builtin_bit_cast(__m256i, used);
      __m256i some;
      if constexpr (sizeof(Stored) == 8) {
        some = _mm256_maskload_epi64(reinterpret_cast<const long long*>(x), mask);
      } else {
        some = _mm256_maskload_epi32(reinterpret_cast<const int*>(x), mask);
      }
      return used ? __builtin_bit_cast(Lanes, some) : neutral - Lanes{};
    }
#endif
    alignas(kVectorBytes) Stored some[kWidth];
#if defined(__AVX512F__)
    const auto mask = static_cast<u16>((1U << n) - 1);
    if constexpr (sizeof(Stored) == 8) {
      const __m512i all = _mm512_set1_epi64(__builtin_bit_cast(i64, neutral));
      _mm512_store_si512(some, _mm512_mask_loadu_epi64(all, static_cast<u8>(mask), x));
    } else if constexpr (sizeof(Stored) == 4) {
      const __m512i all = _mm512_set1_epi32(__builtin_bit_cast(i32, neutral));
      _mm512_store_si512(some, _mm512_mask_loadu_epi32(all, mask, x));
    } else {
      const __m256i all = _mm256_set1_epi16(__builtin_bit_cast(i16, neutral));
      _mm256_store_si256(reinterpret_cast<__m256i*>(some), _mm256_mask_loadu_epi16(all, mask, x));
    }
#else
    for (std::size_t l = 0; l < kWidth; ++l) some[l] = neutral;
    for (std::size_t l = 0; l < n; ++l) some[l] = x[l];
#endif
    return Side::load(some);
  }

  // Fewer elements than there are lanes.
  template <std::size_t kPart = 0, std::size_t kParts>
  static UNDERSTUDY_INLINE void add_end(Lanes (&parts)[kParts], const Stored* x, std::size_t n) {
    if constexpr (kPart < kParts) {
      if (n < kWidth) {
        if (n > 0) parts[kPart] = Side::apply(parts[kPart], load_some(x, n));
        return;
      }
      parts[kPart] = Side::apply(parts[kPart], Side::load(x));
      add_end<kPart + 1>(parts, x + kWidth, n - kWidth);
    }
  }

  // The lanes of n elements, at least kCount, joined to one vector.
  template <std::size_t kCount>
  static UNDERSTUDY_INLINE Lanes lanes_of(const Stored* x, std::size_t n) {
    constexpr std::size_t kParts = kCount / kWidth;
    Lanes parts[kParts];
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p) parts[p] = Side::load(x + p * kWidth);
    std::size_t i = kCount;
    for (; i + kCount <= n; i += kCount)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kParts; ++p)
        parts[p] = Side::apply(parts[p], Side::load(x + i + p * kWidth));
    add_end(parts, x + i, n - i);
    return Side::joined_parts(parts);
  }

  template <std::size_t kCount>
  static UNDERSTUDY_INLINE void lanes_of_rows(const Stored* x, std::size_t rows, std::size_t stride,
                                              std::size_t n, Lanes* all) {
    for (std::size_t r = 0; r < rows; ++r) all[r] = lanes_of<kCount>(x + r * stride, n);
  }

  // The sums of `rows` rows in the first lanes: the tree of kRows rows, or of twice as many ...
  template <std::size_t kRows = 1>
  static UNDERSTUDY_INLINE Lanes joined_rows(Lanes (&all)[kWidth], std::size_t rows) {
    if constexpr (kRows < kWidth) {
      if (rows > kRows) return joined_rows<2 * kRows>(all, rows);
    }
    for (std::size_t r = rows; r < kRows; ++r) all[r] = all[0];
    return Side::template join<kWidth, false, kRows>(all);
  }

  static void run(const Stored* x, std::size_t rows, std::size_t stride, std::size_t n, Real* y) {
    Lanes all[kWidth];
    if (n < kLongFold) {
      lanes_of_rows<kLanes>(x, rows, stride, n, all);
    } else {
      lanes_of_rows<kLongLanes<Tag>>(x, rows, stride, n, all);
    }
    const Lanes sums = joined_rows(all, rows);
    if (rows == kWidth) return Side::finish_all(y, sums);
    for (std::size_t r = 0; r < rows; ++r)
      y[r] = finish<Wide>(Step<Wide, kReduction>::apply(y[r], sums[r]));
  }
};

}  // namespace
}  // namespace understudy::program::kernels
