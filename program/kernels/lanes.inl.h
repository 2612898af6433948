// SPDX-License-Identifier: Apache-2.0
// Several vectors that a function computes side by side, as a processor could start an operation
// long before the one before it on the same vector has ended. The functions of f32_math.inl.h are
// written once, for a type T that is float or FloatLanes; a lane has the bits of the float.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "program/kernels/math.inl.h"
#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

using FloatVector = VectorOf<float>::type;
using IndexVector = VectorOf<float>::index;
typedef u32 BitVector __attribute__((vector_size(kVectorBytes)));
using DoubleVector = VectorOf<double>::type;
using WideIndexVector = VectorOf<double>::index;
typedef u64 WideBitVector __attribute__((vector_size(kVectorBytes)));

// Vectors of floats, of doubles, or of integers of their width. `One` stands for a value that all
// lanes have.
template <class V, class One>
struct Lanes {
  V v0, v1, v2, v3;

  Lanes() = default;
  // x - 0 keeps the sign of -0.
  UNDERSTUDY_INLINE Lanes(One x) : v0(x - V{}), v1(x - V{}), v2(x - V{}), v3(x - V{}) {}
};
using FloatLanes = Lanes<FloatVector, float>;
using IndexLanes = Lanes<IndexVector, i32>;
using BitLanes = Lanes<BitVector, u32>;
using DoubleLanes = Lanes<DoubleVector, double>;
using WideIndexLanes = Lanes<WideIndexVector, i64>;
constexpr std::size_t kLaneCount = 4 * kVectorSize<float>;

// The lanes of vectors of one kind, by the type of an element.
template <class V>
using LanesOf = Lanes<V, decltype(+V{}[0])>;

// f of the vectors of its arguments, one by one.
template <class F, class... L>
UNDERSTUDY_INLINE auto each_vector(const F& f, const L&... x) {
  LanesOf<decltype(f(x.v0...))> y;
  y.v0 = f(x.v0...);
  y.v1 = f(x.v1...);
  y.v2 = f(x.v2...);
  y.v3 = f(x.v3...);
  return y;
}

// Operators of two lanes, of which one may be a number: it is converted.
#define UNDERSTUDY_OPERATOR(L, V, op)                                          \
  UNDERSTUDY_INLINE auto operator op(const L& a, const L& b) {                 \
    return each_vector(                                                        \
        [](V x, V y) __attribute__((always_inline)) { return x op y; }, a, b); \
  }
#define UNDERSTUDY_OPERATORS(L, V, Mask)                                                        \
  UNDERSTUDY_OPERATOR(L, V, +)                                                                  \
  UNDERSTUDY_OPERATOR(L, V, -)                                                                  \
  UNDERSTUDY_OPERATOR(L, V, <)                                                                  \
  UNDERSTUDY_OPERATOR(L, V, >)                                                                  \
  UNDERSTUDY_OPERATOR(L, V, ==)                                                                 \
  UNDERSTUDY_OPERATOR(L, V, !=)                                                                 \
  UNDERSTUDY_INLINE L operator-(const L& x) {                                                   \
    return each_vector(                                                                         \
        [](V a) __attribute__((always_inline)) { return -a; }, x);                              \
  }                                                                                             \
  UNDERSTUDY_INLINE L choose(const Mask& which, const L& a, const L& b) {                       \
    const auto one = [](auto w, V x, V y) __attribute__((always_inline)) { return w ? x : y; }; \
    return each_vector(one, which, a, b);                                                       \
  }
#define UNDERSTUDY_FLOAT_OPERATORS(L, V, Mask) \
  UNDERSTUDY_OPERATORS(L, V, Mask)             \
  UNDERSTUDY_OPERATOR(L, V, *)                 \
  UNDERSTUDY_OPERATOR(L, V, /)
#define UNDERSTUDY_BIT_OPERATORS(L, V)   \
  UNDERSTUDY_OPERATORS(L, V, IndexLanes) \
  UNDERSTUDY_OPERATOR(L, V, &)           \
  UNDERSTUDY_OPERATOR(L, V, |)           \
  UNDERSTUDY_OPERATOR(L, V, ^)           \
  UNDERSTUDY_OPERATOR(L, V, <<)          \
  UNDERSTUDY_OPERATOR(L, V, >>)
UNDERSTUDY_FLOAT_OPERATORS(FloatLanes, FloatVector, IndexLanes)
UNDERSTUDY_FLOAT_OPERATORS(DoubleLanes, DoubleVector, WideIndexLanes)
UNDERSTUDY_BIT_OPERATORS(IndexLanes, IndexVector)
UNDERSTUDY_BIT_OPERATORS(BitLanes, BitVector)
#undef UNDERSTUDY_BIT_OPERATORS
#undef UNDERSTUDY_FLOAT_OPERATORS
#undef UNDERSTUDY_OPERATORS
#undef UNDERSTUDY_OPERATOR

// One function of vectors for all of them.
#define UNDERSTUDY_EACH_VECTOR(Out, name, In, expression)                         \
  UNDERSTUDY_INLINE Out name(const In& lanes) {                                   \
    return each_vector(                                                           \
        [](auto x) __attribute__((always_inline)) { return expression; }, lanes); \
  }
UNDERSTUDY_EACH_VECTOR(BitLanes, bits_of, FloatLanes, __builtin_bit_cast(BitVector, x))
UNDERSTUDY_EACH_VECTOR(BitLanes, bits_of, IndexLanes, __builtin_bit_cast(BitVector, x))
UNDERSTUDY_EACH_VECTOR(FloatLanes, float_of, BitLanes, __builtin_bit_cast(FloatVector, x))
UNDERSTUDY_EACH_VECTOR(IndexLanes, signed_of, BitLanes, __builtin_bit_cast(IndexVector, x))
UNDERSTUDY_EACH_VECTOR(FloatLanes, to_float, IndexLanes, __builtin_convertvector(x, FloatVector))

// ---- instructions that GCC has no operator for

// a * b + c, rounded once. Without the instruction the C library's fmaf, which gives the same bits.
UNDERSTUDY_INLINE FloatVector fused_vector(FloatVector a, FloatVector b, FloatVector c) {
#if defined(__AVX512F__)
  return _mm512_maskz_fmadd_ps(0xffff, a, b, c);
#elif defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  FloatVector y;
  for (std::size_t i = 0; i < kVectorSize<float>; ++i) y[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return y;
#endif
}
UNDERSTUDY_INLINE FloatVector root_vector(FloatVector x) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_ps(0xffff, x);
#elif defined(__AVX2__)
  return _mm256_sqrt_ps(x);
#else
  FloatVector y;
  for (std::size_t i = 0; i < kVectorSize<float>; ++i) y[i] = __builtin_sqrtf(x[i]);
  return y;
#endif
}
UNDERSTUDY_INLINE bool all_of_vector(IndexVector mask) {
#if defined(__AVX512F__)
  return _mm512_movepi32_mask(__builtin_bit_cast(__m512i, mask)) == 0xffff;
#elif defined(__AVX2__)
  return _mm256_movemask_ps(__builtin_bit_cast(__m256, mask)) == 0xff;
#else
  i32 all = -1;
  for (std::size_t i = 0; i < kVectorSize<float>; ++i) all &= mask[i];
  return all != 0;
#endif
}
UNDERSTUDY_EACH_VECTOR(FloatLanes, root_of, FloatLanes, root_vector(x))
#undef UNDERSTUDY_EACH_VECTOR
UNDERSTUDY_INLINE FloatLanes fused(const FloatLanes& a, const FloatLanes& b, const FloatLanes& c) {
  const auto one = [](FloatVector x, FloatVector y, FloatVector z) __attribute__((always_inline)) {
    return fused_vector(x, y, z);
  };
  return each_vector(one, a, b, c);
}
UNDERSTUDY_INLINE bool all_of(const IndexLanes& x) {
  return all_of_vector((x.v0 & x.v1) & (x.v2 & x.v3));
}
// Machine code of chains decides otherwise.
UNDERSTUDY_INLINE bool all_usually(const IndexLanes& x) { return all_of(x); }
UNDERSTUDY_INLINE FloatLanes settle(const FloatLanes& x) {
  return choose(x != x, FloatLanes(kNan32), x);
}

// ---- the same of one float

inline float choose(bool which, float a, float b) { return which ? a : b; }
inline u32 choose(bool which, u32 a, u32 b) { return which ? a : b; }
inline i32 choose(bool which, i32 a, i32 b) { return which ? a : b; }
inline u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
inline u32 bits_of(i32 x) { return static_cast<u32>(x); }
inline float float_of(u32 x) { return __builtin_bit_cast(float, x); }
inline i32 signed_of(u32 x) { return static_cast<i32>(x); }
inline float to_float(i32 x) { return static_cast<float>(x); }
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline float root_of(float x) { return __builtin_sqrtf(x); }
// For one float the text that holds for every argument is as good.
inline bool all_of(bool) { return false; }
inline bool all_usually(bool) { return false; }

}  // namespace
}  // namespace understudy::program::kernels
