// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: bf16 and f16, of which lanes have the f32 of their value. Loads, stores and
// roundings give the bits of Bf16Tag and F16Tag; the bits of a value that no bf16 or f16 has are 0,
// also those of a NaN.
#pragma once

#include "program/kernels/chain/chain_vectors.inl.h"
#include "program/kernels/f16_vectors.inl.h"

namespace understudy::program::kernels {
namespace {

constexpr u32 kSignBit = 0x80000000U, kQuietBit = 0x400000U, kQuietNan = 0x7fc00000U;

// kChainLanes halves as words, and the lower halves of words.
UNDERSTUDY_INLINE Words words_of_halves(const std::byte* at) { return widened_halves(at) >> 16; }
UNDERSTUDY_INLINE HalfVector lower_halves(Words x) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  const __m256i all = __builtin_bit_cast(__m256i, x);
  // Packed within halves of a register. The operand has no bits above.
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(all, all), 8);
  return __builtin_bit_cast(HalfVector, _mm256_castsi256_si128(packed));
#else
  return __builtin_convertvector(x, HalfVector);
#endif
}

// ---- f16: its own exponents, and denormal values that are normal f32

constexpr u32 kLeastF16 = 113U << 23;  // the smallest normal value

// Of codes, as F16Format::widen_bits().
UNDERSTUDY_INLINE Words f16_of_codes(Words codes) {
  const Words rest = codes & 0x7fffU, placed = rest << 13;
  const Words denormal = words(floats(placed + kLeastF16) - floats(Words{} + kLeastF16));
  const Words normal = placed + (kLeastF16 - (1U << 23));
  const Words special = placed + (0x7f800000U - (0x7c00U << 13));
  const Words finite = rest < 0x400U ? denormal : normal;
  return ((codes & 0x8000U) << 16) | (rest < 0x7c00U ? finite : special);
}
// kKeepsNan: else a NaN may become quiet, as the processor's conversion makes it.
template <bool kKeepsNan>
UNDERSTUDY_INLINE Words f16_at(const std::byte* at) {
#if defined(__F16C__)
  const Words y = words(widened_f16(reinterpret_cast<const u16*>(at)));
  if constexpr (!kKeepsNan) return y;
  const Words kept = y & ((words_of_halves(at) << 13) | ~kQuietBit);
  return floats(y) == floats(y) ? y : kept;
#else
  return f16_of_codes(words_of_halves(at));
#endif
}
// To nearest even. A NaN stays one.
UNDERSTUDY_INLINE Words rounded_to_f16(Words x) {
#if defined(__AVX512F__)
  const __m256i codes = _mm512_maskz_cvtps_ph(0xffff, floats(x), _MM_FROUND_TO_NEAREST_INT);
  return words(Floats(_mm512_maskz_cvtph_ps(0xffff, codes)));
#elif defined(__F16C__)
  return words(Floats(_mm256_cvtph_ps(_mm256_cvtps_ph(floats(x), _MM_FROUND_TO_NEAREST_INT))));
#else
  const Words rest = x & ~kSignBit;
  const Words normal = (rest + 0xfffU + ((rest >> 13) & 1U)) & ~0x1fffU;
  const Words large = normal < 0x47800000U ? normal : Words{} + 0x7f800000U;  // 2^16
  // The unit of a number between 0.5 and 1 is that of a denormal value.
  const Words small = words((floats(rest) + 0.5F) - 0.5F);
  const Words finite = rest < kLeastF16 ? small : large;
  return (x & kSignBit) | (rest > 0x7f800000U ? Words{} + kQuietNan : finite);
#endif
}
// The codes of values.
UNDERSTUDY_INLINE HalfVector f16_codes_of(Words x) {
#if defined(__F16C__)
#if defined(__AVX512F__)
  const __m256i codes = _mm512_maskz_cvtps_ph(0xffff, floats(x), _MM_FROUND_TO_NEAREST_INT);
#else
  const __m128i codes = _mm256_cvtps_ph(floats(x), _MM_FROUND_TO_NEAREST_INT);
#endif
  // Every NaN became quiet.
  const Words added = floats(x) == floats(x) ? Words{} : (~x & kQuietBit) >> 13;
  return __builtin_bit_cast(HalfVector, codes) ^ lower_halves(added);
#else
  const Words rest = x & ~kSignBit;
  const Words denormal = words(floats(rest) + 0.5F) - words(Floats{} + 0.5F);
  const Words normal = (rest - (kLeastF16 - (1U << 23))) >> 13;
  const Words special = (rest - (0x7f800000U - (0x7c00U << 13))) >> 13;
  const Words finite = rest < kLeastF16 ? denormal : normal;
  return lower_halves(((x & kSignBit) >> 16) | (rest < 0x7f800000U ? finite : special));
#endif
}

// ---- of either type

// Vector `v` of an operand in memory at element i.
template <ElementType kType, ChainSource kFrom, bool kKeepsNan>
UNDERSTUDY_INLINE Words half(const std::byte* at, std::size_t i, std::size_t v) {
  if constexpr (kFrom == ChainSource::dense) {
    const std::byte* const present = at + 2 * (i + v * kChainLanes);
    if constexpr (kType == ElementType::f16) return f16_at<kKeepsNan>(present);
    return widened_halves(present);
  } else {
    u16 one;
    __builtin_memcpy(&one, at, sizeof(one));
    if constexpr (kType == ElementType::f16) return f16_of_codes(Words{} + one);
    return Words{} + (static_cast<u32>(one) << 16);
  }
}
// Of any type. kKeepsNan: the bits of a NaN show in the step's result.
template <ElementType kType, ChainSource kFrom, bool kKeepsNan = false>
UNDERSTUDY_INLINE Words operand_of(const std::byte* at, std::size_t i, std::size_t v, Words x) {
  constexpr bool kInMemory = kFrom == ChainSource::dense || kFrom == ChainSource::shared;
  if constexpr (kInMemory && kType == ElementType::pred) return mask<kFrom>(at, i, v);
  if constexpr (kInMemory && is_byte(kType)) return byte_operand<kType, kFrom>(at, i, v);
  if constexpr (kInMemory && is_half(kType)) return half<kType, kFrom, kKeepsNan>(at, i, v);
  return operand<kFrom>(at, i, v, x);
}

// The upper halves of two vectors.
UNDERSTUDY_INLINE void put_bf16(std::byte* at, Words x, Words y) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  const __m256i both = _mm256_packus_epi32(_mm256_srli_epi32(__builtin_bit_cast(__m256i, x), 16),
                                           _mm256_srli_epi32(__builtin_bit_cast(__m256i, y), 16));
  // Packed within halves of a register: x, y, x, y.
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(at),
                      _mm256_permute4x64_epi64(both, _MM_SHUFFLE(3, 1, 2, 0)));
#else
  const HalfVector first = lower_halves(x >> 16), second = lower_halves(y >> 16);
  __builtin_memcpy(at, &first, sizeof(first));
  __builtin_memcpy(at + sizeof(first), &second, sizeof(second));
#endif
}
template <ElementType kType>
UNDERSTUDY_INLINE void put_halves(std::byte* at, Words x, Words y) {
  if constexpr (kType == ElementType::bf16) return put_bf16(at, x, y);
  const HalfVector first = f16_codes_of(x), second = f16_codes_of(y);
  __builtin_memcpy(at, &first, sizeof(first));
  __builtin_memcpy(at + sizeof(first), &second, sizeof(second));
}

// To nearest even, as Bf16Tag::store(). The lower half of a NaN in a chain of bf16 is 0 in every
// operand, so that adding below 0x10000 leaves it a NaN.
UNDERSTUDY_INLINE Words rounded_to_bf16(Words x) {
  return (x + 0x7fffU + ((x >> 16) & 1U)) & 0xffff0000U;
}
// A result of f32 in the type of the chain.
template <ElementType kType>
UNDERSTUDY_INLINE Words rounded_to(Words x) {
  if constexpr (kType == ElementType::bf16) return rounded_to_bf16(x);
  if constexpr (kType == ElementType::f16) return rounded_to_f16(x);
  if constexpr (is_byte(kType)) return byte_of<kType>(x);
  return x;
}
// A NaN as kernels store it: of bf16 the upper half of its bits, made quiet, of f16 its sign alone.
template <ElementType kType>
UNDERSTUDY_INLINE Words stored_nan(Words x) {
  if constexpr (kType == ElementType::f16) return (x & kSignBit) | kQuietNan;
  return (x & 0xffff0000U) | kQuietBit;
}
// Of any f32.
template <ElementType kType>
UNDERSTUDY_INLINE Words narrowed_to(Words x) {
  return floats(x) == floats(x) ? rounded_to<kType>(x) : stored_nan<kType>(x);
}

}  // namespace
}  // namespace understudy::program::kernels
