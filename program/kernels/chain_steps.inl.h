// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: the steps. The accumulator is a piece of vectors, which the calling
// convention passes in registers; every step ends in a call that compilers turn into a jump. Preds
// are masks in it: all bits of a lane set or none.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "program/kernels/chain_kernels.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"
#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

using Floats = VectorOf<float>::type;
using Ints = VectorOf<float>::index;
typedef u32 Words __attribute__((vector_size(kVectorBytes)));
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

// The vectors of a piece: all that the calling convention passes in registers, as a step's jump
// costs more than its arithmetic. Four of AVX-512 have as many elements.
#if defined(__AVX512F__)
constexpr std::size_t kChainVectors = 4;
#define UNDERSTUDY_MORE(...)
#else
constexpr std::size_t kChainVectors = 8;
#define UNDERSTUDY_MORE(...) __VA_ARGS__
#endif
constexpr std::size_t kChainPiece = kChainVectors * kChainLanes;
#define UNDERSTUDY_PIECE \
  Words x0, Words x1, Words x2, Words x3 UNDERSTUDY_MORE(, Words x4, Words x5, Words x6, Words x7)
using ChainCall = void (*)(const ChainStep*, std::size_t, UNDERSTUDY_PIECE);
#define UNDERSTUDY_NEXT_STEP                                               \
  return reinterpret_cast<ChainCall>(step[1].run)(step + 1, i, x0, x1, x2, \
                                                  x3 UNDERSTUDY_MORE(, x4, x5, x6, x7))

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
// The same of a pred.
template <ChainSource kFrom>
UNDERSTUDY_INLINE Words mask(const std::byte* at, std::size_t i, std::size_t v, Words x) {
  if constexpr (kFrom == ChainSource::accumulator) {
    return x;
  } else if constexpr (kFrom == ChainSource::dense) {
    return Words{} - widened(at + i + v * kChainLanes);
  } else {
    return Words{} - static_cast<u32>(at[0]);
  }
}
template <ElementType kType, ChainSource kFrom>
UNDERSTUDY_INLINE Words operand_of(const std::byte* at, std::size_t i, std::size_t v, Words x) {
  if constexpr (kType == ElementType::pred) return mask<kFrom>(at, i, v, x);
  return operand<kFrom>(at, i, v, x);
}

// ---- functions of vectors; T is Floats, Ints or Words

// Shifts by 32 or more give 0, as the instructions of AVX2 do.
UNDERSTUDY_INLINE Words shifted_left(Words x, Words by) {
#if defined(__AVX512F__)
  return __builtin_bit_cast(Words, _mm512_maskz_sllv_epi32(0xffff, __builtin_bit_cast(__m512i, x),
                                                           __builtin_bit_cast(__m512i, by)));
#elif defined(__AVX2__)
  return __builtin_bit_cast(
      Words, _mm256_sllv_epi32(__builtin_bit_cast(__m256i, x), __builtin_bit_cast(__m256i, by)));
#else
  return by >= 32U ? Words{} : x << (by & 31U);
#endif
}
UNDERSTUDY_INLINE Words shifted_right(Words x, Words by) {
#if defined(__AVX512F__)
  return __builtin_bit_cast(Words, _mm512_maskz_srlv_epi32(0xffff, __builtin_bit_cast(__m512i, x),
                                                           __builtin_bit_cast(__m512i, by)));
#elif defined(__AVX2__)
  return __builtin_bit_cast(
      Words, _mm256_srlv_epi32(__builtin_bit_cast(__m256i, x), __builtin_bit_cast(__m256i, by)));
#else
  return by >= 32U ? Words{} : x >> (by & 31U);
#endif
}

template <BinaryOp kOp, class T>
UNDERSTUDY_INLINE Words combined(Words left, Words right) {
  const T a = as<T>(left);
  const T b = as<T>(right);
  constexpr bool kFloat = __is_same(T, Floats);
  // Integers wrap, whatever the sign.
  if constexpr (kOp == BinaryOp::add && kFloat) return words(a + b);
  if constexpr (kOp == BinaryOp::add && !kFloat) return left + right;
  if constexpr (kOp == BinaryOp::subtract && kFloat) return words(a - b);
  if constexpr (kOp == BinaryOp::subtract && !kFloat) return left - right;
  if constexpr (kOp == BinaryOp::multiply && kFloat) return words(a * b);
  if constexpr (kOp == BinaryOp::multiply && !kFloat) return left * right;
  if constexpr (kOp == BinaryOp::divide) return words(a / b);
  // As Maximum and Minimum of binary.inl.h.
  if constexpr (kOp == BinaryOp::maximum || kOp == BinaryOp::minimum) {
    const T plain = kOp == BinaryOp::maximum ? (a > b ? a : b) : (a < b ? a : b);
    if constexpr (kFloat) {
      const T both = floats(kOp == BinaryOp::maximum ? left & right : left | right);
      const T y = a == b ? both : plain;
      return words((a != a) | (b != b) ? Floats{} + kNan32 : y);
    } else {
      return __builtin_bit_cast(Words, plain);
    }
  }
  if constexpr (kOp == BinaryOp::logical_and) return left & right;
  if constexpr (kOp == BinaryOp::logical_or) return left | right;
  if constexpr (kOp == BinaryOp::logical_xor) return left ^ right;
  if constexpr (kOp == BinaryOp::shift_left) return shifted_left(left, right);
  if constexpr (kOp == BinaryOp::shift_right_logical) return shifted_right(left, right);
  if constexpr (kOp == BinaryOp::shift_right_arithmetic) {
    const Words by = right >= 32U ? Words{} + 31U : right;
    return words(as<Ints>(left) >> as<Ints>(by));
  }
}
template <Direction kDirection, class T>
UNDERSTUDY_INLINE Words compared(Words left, Words right) {
  const T a = as<T>(left);
  const T b = as<T>(right);
  if constexpr (kDirection == Direction::eq) return words(Ints(a == b));
  if constexpr (kDirection == Direction::ne) return words(Ints(a != b));
  if constexpr (kDirection == Direction::ge) return words(Ints(a >= b));
  if constexpr (kDirection == Direction::gt) return words(Ints(a > b));
  if constexpr (kDirection == Direction::le) return words(Ints(a <= b));
  if constexpr (kDirection == Direction::lt) return words(Ints(a < b));
}
UNDERSTUDY_INLINE Floats roots(Floats x) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_ps(0xffff, x);
#elif defined(__AVX2__)
  return _mm256_sqrt_ps(x);
#else
  Floats y;
  for (std::size_t i = 0; i < kChainLanes; ++i) y[i] = __builtin_sqrtf(x[i]);
  return y;
#endif
}
UNDERSTUDY_INLINE Words settled_words(Words x) {
  const Floats y = floats(x);
  return words(y == y ? y : Floats{} + kNan32);
}
template <UnaryOp kOp, class T>
UNDERSTUDY_INLINE Words changed(Words x) {
  if constexpr (kOp == UnaryOp::negate && __is_same(T, Floats)) return x ^ 0x80000000U;
  if constexpr (kOp == UnaryOp::negate && !__is_same(T, Floats)) return Words{} - x;
  if constexpr (kOp == UnaryOp::abs && __is_same(T, Floats)) return x & 0x7fffffffU;
  if constexpr (kOp == UnaryOp::abs && !__is_same(T, Floats))
    return as<Ints>(x) < 0 ? Words{} - x : x;
  if constexpr (kOp == UnaryOp::sqrt) return words(roots(floats(x)));
  if constexpr (kOp == UnaryOp::rsqrt) return words(1.0F / roots(floats(x)));
  if constexpr (kOp == UnaryOp::square && __is_same(T, Floats)) return words(floats(x) * floats(x));
  if constexpr (kOp == UnaryOp::square && !__is_same(T, Floats)) return x * x;
  if constexpr (kOp == UnaryOp::logical_not) return ~x;
}

// ---- steps

// x_v = f(v, x_v) of all vectors of the piece.
#define UNDERSTUDY_EACH(f) \
  x0 = f(0, x0);           \
  x1 = f(1, x1);           \
  x2 = f(2, x2);           \
  x3 = f(3, x3) UNDERSTUDY_MORE(; x4 = f(4, x4); x5 = f(5, x5); x6 = f(6, x6); x7 = f(7, x7))

template <class F, ElementType kType, ChainSource kA, ChainSource kB>
void binary_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return F::apply(operand_of<kType, kA>(step->a, i, v, x),
                    operand_of<kType, kB>(step->b, i, v, x));
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <class F>
void unary_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const auto one = [](std::size_t, Words x) __attribute__((always_inline)) { return F::apply(x); };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <ChainSource kA, ChainSource kB>
void select_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return x != 0U ? operand<kA>(step->a, i, v, x) : operand<kB>(step->b, i, v, x);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// (x << b) | (x >> c): a rotation where b and c make 32.
template <ChainSource kA>
void rotate_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const Words left = operand<shared>(step->b, 0, 0, x0);
  const Words right = operand<shared>(step->c, 0, 0, x0);
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    const Words y = operand<kA>(step->a, i, v, x);
    return shifted_left(y, left) | shifted_right(y, right);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType, ChainSource kA>
void load_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return operand_of<kType, kA>(step->a, i, v, x);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void store_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    __builtin_memcpy(step->out + 4 * (i + v * kChainLanes), &x, sizeof(x));
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void store_pred_step(const ChainStep* step, std::size_t i, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    put_narrowed(step->out + i + v * kChainLanes, x & 1U);
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void end_step(const ChainStep*, std::size_t, Words, Words, Words,
              Words UNDERSTUDY_MORE(, Words, Words, Words, Words)) {}

void run_chain(const ChainStep* steps, std::size_t n) noexcept {
  const auto first = reinterpret_cast<ChainCall>(steps[0].run);
  const Words none{};
  for (std::size_t i = 0; i < n; i += kChainPiece)
    first(steps, i, none, none, none, none UNDERSTUDY_MORE(, none, none, none, none));
}

}  // namespace
}  // namespace understudy::program::kernels
