// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: functions of vectors; T is Floats, Ints or Words.
#pragma once

#include "program/kernels/chain/chain_halves.inl.h"

namespace understudy::program::kernels {
namespace {

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

// As Maximum and Minimum of binary.inl.h: of zeros the positive one is larger, and a NaN wins.
template <bool kLarger>
UNDERSTUDY_INLINE Floats extreme(Floats a, Floats b) {
#if defined(__AVX512F__)
  // 4: the smaller, with its own sign; 5: the larger.
  const Floats y = _mm512_maskz_range_ps(0xffff, a, b, kLarger ? 5 : 4);
#else
  // Equal zeros give the second operand, so both orders differ in their signs alone.
#if defined(__AVX2__)
  const Floats y0 = kLarger ? _mm256_max_ps(a, b) : _mm256_min_ps(a, b);
  const Floats y1 = kLarger ? _mm256_max_ps(b, a) : _mm256_min_ps(b, a);
#else
  const Floats y0 = kLarger ? (a > b ? a : b) : (a < b ? a : b);
  const Floats y1 = kLarger ? (b > a ? b : a) : (b < a ? b : a);
#endif
  const Floats y = floats(kLarger ? words(y0) & words(y1) : words(y0) | words(y1));
#endif
  return (a != a) | (b != b) ? Floats{} + kNan32 : y;
}
// Left and right by numbers of bits that make 32.
UNDERSTUDY_INLINE Words turned(Words x, Words by) {
#if defined(__AVX512F__)
  return __builtin_bit_cast(Words, _mm512_maskz_rolv_epi32(0xffff, __builtin_bit_cast(__m512i, x),
                                                           __builtin_bit_cast(__m512i, by)));
#else
  return shifted_left(x, by) | shifted_right(x, 32U - by);
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
  if constexpr (kOp == BinaryOp::maximum || kOp == BinaryOp::minimum) {
    constexpr bool kLarger = kOp == BinaryOp::maximum;
    if constexpr (kFloat) {
      return words(extreme<kLarger>(a, b));
    } else {
      return __builtin_bit_cast(Words, kLarger ? (a > b ? a : b) : (a < b ? a : b));
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

}  // namespace
}  // namespace understudy::program::kernels
