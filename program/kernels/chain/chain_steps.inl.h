// SPDX-License-Identifier: Apache-2.0
// Part of chain.inl.h: the functions of vectors and the steps that apply them to a piece.
#pragma once

#include "program/kernels/chain/chain_vectors.inl.h"
#include "program/kernels/lane_functions.inl.h"

namespace understudy::program::kernels {
namespace {

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
// To nearest even, as Bf16Tag::store(). The lower half of a NaN in a chain of bf16 is 0 in every
// operand, so that adding below 0x10000 leaves it a NaN.
UNDERSTUDY_INLINE Words rounded_to_bf16(Words x) {
  return (x + 0x7fffU + ((x >> 16) & 1U)) & 0xffff0000U;
}
// Of any f32: a NaN keeps the upper half of its bits.
UNDERSTUDY_INLINE Words narrowed_to_bf16(Words x) {
  const Floats y = floats(x);
  return y == y ? rounded_to_bf16(x) : ((x & 0xffff0000U) | 0x400000U);
}
// What a kernel of f32 gives, in the type of the chain.
template <ElementType kType>
UNDERSTUDY_INLINE Words result_of_call(Words x) {
  if constexpr (kType == ElementType::bf16) return rounded_to_bf16(x);
  return x;
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
void binary_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return F::apply(operand_of<kType, kA>(step->a, i, v, x),
                    operand_of<kType, kB>(step->b, i, v, x));
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <class F>
void unary_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [](std::size_t, Words x) __attribute__((always_inline)) { return F::apply(x); };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType, ChainSource kA, ChainSource kB>
void select_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return x != 0U ? operand_of<kType, kA>(step->a, i, v, x)
                   : operand_of<kType, kB>(step->b, i, v, x);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
// (x << b) | (x >> c): a rotation where b and c make 32.
template <ChainSource kA>
void rotate_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
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
void load_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return operand_of<kType, kA>(step->a, i, v, x);
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void store_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    __builtin_memcpy(step->out + 4 * (i + v * kChainLanes), &x, sizeof(x));
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void store_pred_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto one = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    put_narrowed(step->out + i + v * kChainLanes, x & 1U);
    return x;
  };
  UNDERSTUDY_EACH(one);
  UNDERSTUDY_NEXT_STEP;
}
void store_bf16_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  std::byte* const at = step->out + 2 * i;
  constexpr std::size_t kPair = 4 * kChainLanes;  // bytes of two vectors of halves
  put_halves(at, x0, x1);
  put_halves(at + kPair, x2, x3);
  UNDERSTUDY_MORE(put_halves(at + 2 * kPair, x4, x5); put_halves(at + 3 * kPair, x6, x7);)
  UNDERSTUDY_NEXT_STEP;
}
// Functions that have no step of their own: a kernel of f32 from one piece in memory to another.
template <ElementType kType>
void call_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto put = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    return room[0][v] = x;
  };
  const auto got = [&](std::size_t v, Words) __attribute__((always_inline)) {
    return result_of_call<kType>(room[1][v]);
  };
  UNDERSTUDY_EACH(put);
  reinterpret_cast<UnaryKernel>(step->kernel)(room[0], room[1], kChainPiece);
  UNDERSTUDY_EACH(got);
  UNDERSTUDY_NEXT_STEP;
}
template <ElementType kType, ChainSource kA, ChainSource kB>
void call_two_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  const auto put = [&](std::size_t v, Words x) __attribute__((always_inline)) {
    room[0][v] = operand_of<kType, kA>(step->a, i, v, x);
    return room[1][v] = operand_of<kType, kB>(step->b, i, v, x);
  };
  const auto got = [&](std::size_t v, Words) __attribute__((always_inline)) {
    return result_of_call<kType>(room[0][v]);
  };
  UNDERSTUDY_EACH(put);
  reinterpret_cast<BinaryKernel>(step->kernel)(room[0], room[1], room[0], kChainPiece);
  UNDERSTUDY_EACH(got);
  UNDERSTUDY_NEXT_STEP;
}
// A function over lanes. Of bf16 its result is rounded.
template <class F, ElementType kType>
UNDERSTUDY_INLINE void apply_lanes(Words& x0, Words& x1, Words& x2, Words& x3) {
  FloatLanes x;
  x.v0 = floats(x0);
  x.v1 = floats(x1);
  x.v2 = floats(x2);
  x.v3 = floats(x3);
  x = F::apply(x);
  x0 = result_of_call<kType>(words(x.v0));
  x1 = result_of_call<kType>(words(x.v1));
  x2 = result_of_call<kType>(words(x.v2));
  x3 = result_of_call<kType>(words(x.v3));
}
template <class F, ElementType kType>
void lanes_step(const ChainStep* step, std::size_t i, ChainRoom& room, UNDERSTUDY_PIECE) {
  apply_lanes<F, kType>(x0, x1, x2, x3);
  UNDERSTUDY_MORE((apply_lanes<F, kType>(x4, x5, x6, x7));)
  UNDERSTUDY_NEXT_STEP;
}
void end_step(const ChainStep*, std::size_t, ChainRoom&, Words, Words, Words,
              Words UNDERSTUDY_MORE(, Words, Words, Words, Words)) {}

void run_chain(const ChainStep* steps, std::size_t n) noexcept {
  const auto first = reinterpret_cast<ChainCall>(steps[0].run);
  const Words none{};
  ChainRoom room;
  for (std::size_t i = 0; i < n; i += kChainPiece)
    first(steps, i, room, none, none, none, none UNDERSTUDY_MORE(, none, none, none, none));
}

}  // namespace
}  // namespace understudy::program::kernels
