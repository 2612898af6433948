// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: the vectors of a piece, and how operands come from memory and go there. The
// accumulator is a piece of vectors, which the calling convention passes in registers; every step
// ends in a call that compilers turn into a jump. Preds are masks in it: all bits of a lane set or
// none.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "program/kernels/bf16_vectors.inl.h"
#include "program/kernels/chain/chain_kernels.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"

namespace understudy::program::kernels {
namespace {

using Floats = VectorOf<float>::type;
using Ints = VectorOf<float>::index;
using Words = WordVector;
typedef u8 Bytes __attribute__((vector_size(kVectorBytes / 4)));

constexpr std::size_t kChainLanes = kVectorBytes / 4;

// One vector under each type.
UNDERSTUDY_INLINE Floats floats(Words x) { return __builtin_bit_cast(Floats, x); }
UNDERSTUDY_INLINE Words words(Floats x) { return __builtin_bit_cast(Words, x); }
UNDERSTUDY_INLINE Words words(Ints x) { return __builtin_bit_cast(Words, x); }
template <class T>
UNDERSTUDY_INLINE T as(Words x) {
  return __builtin_bit_cast(T, x);
}

// The vectors of a piece: all that the calling convention passes in registers. A step waits for the
// one before it and costs a jump; both cost less where more vectors share them.
constexpr std::size_t kChainVectors = 8;
constexpr std::size_t kChainPiece = kChainVectors * kChainLanes;
#define UNDERSTUDY_PIECE \
  Words x0, Words x1, Words x2, Words x3, Words x4, Words x5, Words x6, Words x7
// What a step of a chain may use for itself: two pieces in memory.
using ChainRoom = Words[2][kChainVectors];
using ChainCall = void (*)(const ChainStep*, std::size_t, ChainRoom& room, UNDERSTUDY_PIECE);
#define UNDERSTUDY_NEXT_STEP \
  return reinterpret_cast<ChainCall>(step[1].run)(step + 1, i, room, x0, x1, x2, x3, x4, x5, x6, x7)

using enum ChainSource;

// Vector `v` of a 32-bit operand at element i.
template <ChainSource kFrom>
UNDERSTUDY_INLINE Words operand(const std::byte* at, std::size_t i, std::size_t v, Words x) {
  if constexpr (kFrom == ChainSource::accumulator) {
    return x;
  } else if constexpr (kFrom == ChainSource::dense) {
    Words y;
    __builtin_memcpy(&y, at + 4 * (i + v * kChainLanes), sizeof(y));
    return y;
  } else if constexpr (kFrom == ChainSource::held) {
    Words y;
    __builtin_memcpy(&y, at + v * sizeof(y), sizeof(y));
    return y;
  } else {
    u32 one;
    __builtin_memcpy(&one, at, sizeof(one));
    return Words{} + one;
  }
}
// kChainLanes bytes as words. g++ 12 widens a vector element by element where it is not told.
UNDERSTUDY_INLINE Words widened(const std::byte* at) {
#if defined(__AVX512F__)
  return __builtin_bit_cast(
      Words,
      _mm512_maskz_cvtepu8_epi32(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at))));
#elif defined(__AVX2__)
  return __builtin_bit_cast(
      Words, _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at))));
#else
  Bytes y;
  __builtin_memcpy(&y, at, sizeof(y));
  return __builtin_convertvector(y, Words);
#endif
}
// The word of an integer's lowest byte.
template <ElementType kType>
UNDERSTUDY_INLINE Words byte_of(Words x) {
  if constexpr (kType == ElementType::ui8) return x & 0xffU;
  return words(Ints(as<Ints>(x << 24U) >> 24));
}
// Vector `v` of an operand of bytes at element i.
template <ElementType kType, ChainSource kFrom>
UNDERSTUDY_INLINE Words byte_operand(const std::byte* at, std::size_t i, std::size_t v) {
  if constexpr (kFrom == ChainSource::dense)
    return byte_of<kType>(widened(at + i + v * kChainLanes));
  return byte_of<kType>(Words{} + static_cast<u32>(at[0]));
}
// The lowest bytes of words below 256.
UNDERSTUDY_INLINE void put_narrowed(std::byte* at, Words x) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  const __m256i all = __builtin_bit_cast(__m256i, x);
  const __m128i halves =
      _mm_packs_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(at), _mm_packus_epi16(halves, halves));
#else
  const Bytes y = __builtin_convertvector(x, Bytes);
  __builtin_memcpy(at, &y, sizeof(y));
#endif
}
// The same of a pred in memory.
template <ChainSource kFrom>
UNDERSTUDY_INLINE Words mask(const std::byte* at, std::size_t i, std::size_t v) {
  if constexpr (kFrom == ChainSource::dense) {
    return Words{} - widened(at + i + v * kChainLanes);
  } else {
    return Words{} - static_cast<u32>(at[0]);
  }
}

}  // namespace
}  // namespace understudy::program::kernels
