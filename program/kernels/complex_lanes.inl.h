// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: quotients, roots and absolute value of complex<f32> over vectors, in
// double and rounded once; complex_parts.inl.h has what is computed in f32. Compilers leave such
// loops scalar, or move each part on its own.
#pragma once

#include <utility>

#include "program/kernels/complex.inl.h"
#include "program/kernels/wide_lanes.inl.h"

namespace understudy::program::kernels {
namespace {

using Narrow = Complex<float>;
inline bool is_finite(float x) { return (x - x) == 0.0F; }
// What the formulas below hold for: finite, and, as a divisor or under a root, not zero.
inline bool is_finite(Narrow x) { return is_finite(x.re) & is_finite(x.im); }
inline bool is_plain(Narrow x) { return is_finite(x) & ((x.re != 0.0F) | (x.im != 0.0F)); }

// As many complex numbers as a vector has floats: two vectors of memory.
constexpr std::size_t kComplexCount = kVectorSize<float>;
struct ComplexVectors {
  FloatVector re, im;
};
// Half of them in double.
struct WideComplex {
  DoubleVector re, im;
};

// Element i of the result is element kAt(i) of a followed by b.
template <auto kAt, std::size_t... kElement>
UNDERSTUDY_INLINE FloatVector gathered(FloatVector a, FloatVector b,
                                       std::index_sequence<kElement...> /*all*/) {
  return __builtin_shufflevector(a, b, static_cast<int>(kAt(kElement))...);
}
template <auto kAt>
UNDERSTUDY_INLINE FloatVector gathered(FloatVector a, FloatVector b) {
  return gathered<kAt>(a, b, std::make_index_sequence<kComplexCount>{});
}

// The numbers that a vector of parts holds: in the order of memory, or with AVX2 in that of the
// halves of two registers, which parts need not leave: 0 1 4 5 2 3 6 7.
#if defined(__AVX2__) && !defined(__AVX512F__)
constexpr std::size_t number_at(std::size_t i) { return i % 2 + i / 2 % 2 * 4 + i / 4 * 2; }
#else
constexpr std::size_t number_at(std::size_t i) { return i; }
#endif
constexpr std::size_t real_at(std::size_t i) { return 2 * number_at(i); }
constexpr std::size_t imaginary_at(std::size_t i) { return 2 * number_at(i) + 1; }
// number_at() is its own inverse.
constexpr std::size_t lower_part(std::size_t i) { return number_at(i / 2) + i % 2 * kComplexCount; }
constexpr std::size_t upper_part(std::size_t i) { return lower_part(i + kComplexCount); }

UNDERSTUDY_INLINE FloatVector in_order(FloatVector x) { return gathered<number_at>(x, x); }
UNDERSTUDY_INLINE ComplexVectors complex_at(const Narrow* x) {
  FloatVector a, b;
  __builtin_memcpy(&a, x, sizeof(a));
  __builtin_memcpy(&b, x + kComplexCount / 2, sizeof(b));
  return {gathered<real_at>(a, b), gathered<imaginary_at>(a, b)};
}
UNDERSTUDY_INLINE void put_complex(Narrow* y, ComplexVectors x) {
  const FloatVector a = gathered<lower_part>(x.re, x.im);
  const FloatVector b = gathered<upper_part>(x.re, x.im);
  __builtin_memcpy(y, &a, sizeof(a));
  __builtin_memcpy(y + kComplexCount / 2, &b, sizeof(b));
}

template <bool kUpper>
UNDERSTUDY_INLINE WideComplex widened_part(ComplexVectors x) {
  return {widened_part<kUpper>(x.re), widened_part<kUpper>(x.im)};
}
// Rounds; a NaN gets its one pattern.
UNDERSTUDY_INLINE FloatVector settled_parts(DoubleVector low, DoubleVector high) {
  const FloatVector y = narrowed_parts(low, high);
  return y != y ? FloatVector{} + kNan32 : y;
}
UNDERSTUDY_INLINE ComplexVectors settled_parts(WideComplex low, WideComplex high) {
  return {settled_parts(low.re, high.re), settled_parts(low.im, high.im)};
}

UNDERSTUDY_INLINE IndexVector is_finite(ComplexVectors x) {
  return ((x.re - x.re) == FloatVector{}) & ((x.im - x.im) == FloatVector{});
}
UNDERSTUDY_INLINE IndexVector is_plain(ComplexVectors x) {
  return is_finite(x) & ((x.re != FloatVector{}) | (x.im != FloatVector{}));
}

#if defined(__FMA__)
// A better approximation of 1 / sqrt(x): an error of e becomes one of 2.5 e^3.
UNDERSTUDY_INLINE DoubleVector third_order_step(DoubleVector x, DoubleVector inverse) {
  const DoubleVector rest = fused_wide_vector(-(x * inverse), inverse, DoubleVector{} + 1.0);
  const DoubleVector factor = fused_wide_vector(rest, DoubleVector{} + 0.375, DoubleVector{} + 0.5);
  return fused_wide_vector(inverse * rest, factor, inverse);
}
// 1 / sqrt(x) with an error of 1.1e-4, of 0 any finite number.
UNDERSTUDY_INLINE DoubleVector inverse_root_estimate(DoubleVector x) {
#if defined(__AVX512F__)
  return _mm512_maskz_rsqrt14_pd(_mm512_cmp_pd_mask(x, DoubleVector{}, _CMP_NEQ_OQ), x);
#else
  // From the exponent (error 3.5e-2) by a step of third order.
  const DoubleVector y = __builtin_bit_cast(
      DoubleVector, 0x5fe6eb50c7b537a9ULL - (__builtin_bit_cast(WideBitVector, x) >> 1));
  return third_order_step(x, y);
#endif
}
#endif
// The square root of a number that is finite and not negative. A processor takes 24 cycles for the
// roots of eight doubles, and these 6 to 8. The inverse root has an error of 3e-12, and the step of
// Newton from it one of 1e-23 before it is rounded: whatever the estimate was, that is the root of
// the processor, but for numbers whose root is next to the middle of two doubles, which a rounding
// to f32 cannot tell apart.
UNDERSTUDY_INLINE DoubleVector root_vector(DoubleVector x) {
#if defined(__FMA__)
  const DoubleVector inverse = third_order_step(x, inverse_root_estimate(x));
  const DoubleVector root = x * inverse;
  return fused_wide_vector(fused_wide_vector(-root, root, x), 0.5 * inverse, root);
#else
  DoubleVector y;
  for (std::size_t i = 0; i < kVectorSize<double>; ++i) y[i] = __builtin_sqrt(x[i]);
  return y;
#endif
}
UNDERSTUDY_INLINE DoubleVector magnitude_vector(DoubleVector x) {
  return __builtin_bit_cast(DoubleVector,
                            __builtin_bit_cast(WideBitVector, x) & 0x7fffffffffffffffULL);
}
UNDERSTUDY_INLINE DoubleVector with_sign_of(DoubleVector size, DoubleVector sign) {
  return __builtin_bit_cast(DoubleVector,
                            __builtin_bit_cast(WideBitVector, size) |
                                (__builtin_bit_cast(WideBitVector, sign) & 0x8000000000000000ULL));
}
// a / b for both parts of a and a number b that is finite, positive and not small. A processor
// takes 32 cycles for sixteen quotients of doubles, and these 8. The inverse has an error of 2e-13,
// and the quotient one of 5e-26 before it is rounded: what root_vector() says holds here, too.
UNDERSTUDY_INLINE WideComplex divided(WideComplex a, DoubleVector b) {
#if defined(__AVX512F__)
  const DoubleVector less = -b;
  const DoubleVector estimate = _mm512_maskz_rcp14_pd(0xff, b);  // error 6e-5
  const DoubleVector rest = fused_wide_vector(less, estimate, DoubleVector{} + 1.0);
  const DoubleVector inverse =
      fused_wide_vector(estimate, fused_wide_vector(rest, rest, rest), estimate);
  const auto one = [&](DoubleVector x) __attribute__((always_inline)) {
    const DoubleVector y = x * inverse;
    const DoubleVector left = fused_wide_vector(less, y, x);
    // Zeros with their sign, infinities (with a rest of NaN) and NaN stay as they are.
    const auto some = _mm512_cmp_pd_mask(left, DoubleVector{}, _CMP_NEQ_OQ);
    return DoubleVector(_mm512_mask3_fmadd_pd(left, inverse, y, some));
  };
  return {one(a.re), one(a.im)};
#else
  return {a.re / b, a.im / b};
#endif
}
// Squares of f32 are exact in double, and their sum is finite.
UNDERSTUDY_INLINE DoubleVector square_of_modulus(WideComplex x) {
  return x.re * x.re + x.im * x.im;
}
UNDERSTUDY_INLINE WideComplex multiply(WideComplex a, WideComplex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// ---- functions: of vectors in double, and of the numbers for which that does not hold -----------

struct LaneModulus {
  UNDERSTUDY_INLINE static DoubleVector wide(WideComplex x) {
    return root_vector(square_of_modulus(x));
  }
  template <class T>
  UNDERSTUDY_INLINE static auto holds(T x) {
    return is_finite(x);
  }
  static float exact(Narrow x) { return ModulusOf::apply(x); }
};
// The larger part by a sum of positive terms, the smaller one by division.
struct LaneComplexSqrt {
  UNDERSTUDY_INLINE static WideComplex wide(WideComplex x) {
    const DoubleVector length = root_vector(square_of_modulus(x));
    const DoubleVector larger = root_vector(0.5 * (length + magnitude_vector(x.re)));
    const DoubleVector smaller = 0.5 * x.im / larger;
    const auto right = x.re >= DoubleVector{};
    return {right ? larger : magnitude_vector(smaller),
            right ? smaller : with_sign_of(larger, x.im)};
  }
  template <class T>
  UNDERSTUDY_INLINE static auto holds(T x) {
    return is_plain(x);
  }
  static Narrow exact(Narrow x) { return ComplexSqrt::apply(x); }
};
// 1 / root(x) = conj(root(x)) / |x|.
struct LaneComplexRsqrt {
  UNDERSTUDY_INLINE static WideComplex wide(WideComplex x) {
    const WideComplex root = LaneComplexSqrt::wide(x);
    return divided({root.re, -root.im}, root_vector(square_of_modulus(x)));
  }
  template <class T>
  UNDERSTUDY_INLINE static auto holds(T x) {
    return is_plain(x);
  }
  static Narrow exact(Narrow x) { return ComplexRsqrt::apply(x); }
};
// a conj(b) / |b|^2: nothing overflows in double.
struct LaneComplexDivide {
  UNDERSTUDY_INLINE static WideComplex wide(WideComplex a, WideComplex b) {
    return divided(multiply(a, {b.re, -b.im}), square_of_modulus(b));
  }
  template <class T>
  UNDERSTUDY_INLINE static auto holds(T divisor) {
    return is_plain(divisor);
  }
  static Narrow exact(Narrow a, Narrow b) { return ComplexDivide::apply(a, b); }
};

// ---- sizes in f32 -------------------------------------------------------------------------------

// Sizes of numbers as LaneModulus gives them, in half the time: sums of two f32 instead of double,
// which leave an error below 2^-45 of the size (AVX2: 2^-41.7). False where one of the numbers is
// too small or too large for that, or its size so near the middle between two f32 that the error
// might matter.
UNDERSTUDY_INLINE bool quick_modulus([[maybe_unused]] ComplexVectors x,
                                     [[maybe_unused]] FloatVector& size) {
#if defined(__FMA__)
  constexpr u32 kLeast = 87U << 23, kMost = 187U << 23;  // 2^-40 and 2^60
#if defined(__AVX512F__)
  constexpr float kDoubt = 1.13686838e-13F;  // 2^-43
#else
  constexpr float kDoubt = 4.54747351e-13F;  // 2^-41
#endif
  const BitVector re = __builtin_bit_cast(BitVector, x.re) & 0x7fffffffU;
  const BitVector im = __builtin_bit_cast(BitVector, x.im) & 0x7fffffffU;
  const BitVector larger = re > im ? re : im, smaller = re > im ? im : re;
  const FloatVector a = __builtin_bit_cast(FloatVector, larger);
  const FloatVector b = __builtin_bit_cast(FloatVector, smaller);
  // a^2 + b^2 = sum + rest.
  const FloatVector aa = a * a, bb = b * b, sum = aa + bb;
  const FloatVector rest = (bb - (sum - aa)) + (fused_vector(a, a, -aa) + fused_vector(b, b, -bb));
  // The root as the one of step_code_avx512.cc, with the rest in the last step.
#if defined(__AVX512F__)
  const FloatVector inverse = _mm512_maskz_rsqrt14_ps(0xffff, sum);
#else
  // Its error of at most 1.5 x 2^-12 leaves one below 2^-41.7 of the size.
  const FloatVector inverse = _mm256_rsqrt_ps(sum);
#endif
  const FloatVector g0 = sum * inverse, h0 = inverse * 0.5F;
  const FloatVector near = fused_vector(-h0, g0, FloatVector{} + 0.5F);
  const FloatVector g = fused_vector(g0, near, g0), h = fused_vector(h0, near, h0);
  const FloatVector lost = (fused_vector(-g, g, sum) + rest) * h;
  size = g + fused_vector(g, FloatVector{} + kDoubt, lost);
  const FloatVector other = g + fused_vector(g, FloatVector{} - kDoubt, lost);
#if defined(__AVX512F__)
  const auto inside = _mm512_cmplt_epu32_mask(__builtin_bit_cast(__m512i, larger - kLeast),
                                              _mm512_set1_epi32(kMost - kLeast));
  return (inside & _mm512_cmp_ps_mask(size, other, _CMP_EQ_OQ)) == 0xffff;
#else
  const IndexVector key = __builtin_bit_cast(IndexVector, larger);
  return all_of_vector((key >= i32{kLeast}) & (key < i32{kMost}) & (size == other));
#endif
#else
  return false;
#endif
}

// ---- kernels ------------------------------------------------------------------------------------

UNDERSTUDY_INLINE void put_result(Narrow* y, ComplexVectors x) { put_complex(y, x); }
UNDERSTUDY_INLINE void put_result(float* y, FloatVector x) { put_vector(y, in_order(x)); }

// Whole vectors of numbers; F::holds() looks at the last operand.
template <class F, class Out, class... In>
UNDERSTUDY_INLINE void map_complex_vectors(Out* z, const Narrow* last, const In*... x) {
  const ComplexVectors checked = complex_at(last);
  const auto y = settled_parts(F::wide(widened_part<false>(complex_at(x))...),
                               F::wide(widened_part<true>(complex_at(x))...));
  const IndexVector held = F::holds(checked);
  if (all_of_vector(held)) [[likely]] {
    put_result(z, y);
    return;
  }
  Out result[kComplexCount];  // z may be the place of an operand
  put_result(result, y);
  for (std::size_t i = 0; i < kComplexCount; ++i)
    if (!F::holds(last[i])) result[i] = F::exact(x[i]...);
  __builtin_memcpy(z, result, sizeof(result));
}

// A vector that begins with the last n numbers. The others are 1, for which no function goes its
// slow way.
UNDERSTUDY_INLINE void fill_rest(const Narrow* x, std::size_t n, Narrow* rest) {
  for (std::size_t i = 0; i < kComplexCount; ++i) rest[i] = {1.0F, 0.0F};
  __builtin_memcpy(rest, x, n * sizeof(Narrow));
}

template <class F, class Out>
UNDERSTUDY_ONCE void map_complex(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const Narrow*>(in);
  auto* y = static_cast<Out*>(out);
  std::size_t i = 0;
  for (; i + kComplexCount <= n; i += kComplexCount) {
    if constexpr (__is_same(F, LaneModulus)) {
      FloatVector size;
      if (quick_modulus(complex_at(x + i), size)) [[likely]] {
        put_result(y + i, size);
        continue;
      }
    }
    map_complex_vectors<F>(y + i, x + i, x + i);
  }
  if (i == n) return;
  Narrow rest[kComplexCount];
  Out result[kComplexCount];
  fill_rest(x + i, n - i, rest);
  map_complex_vectors<F>(result, rest, rest);
  __builtin_memcpy(y + i, result, (n - i) * sizeof(Out));
}
// Division by real numbers, as of a gradient by a length, is two divisions of f32: products by them
// are exact in double, and the quotient of two f32 can be rounded to double first. Returns whether
// that holds for all numbers of a vector: for zeros it does not, as the product with the imaginary
// part decides on their sign.
UNDERSTUDY_INLINE bool divide_by_real(const Narrow* a, const Narrow* b, Narrow* z) {
  const ComplexVectors x = complex_at(a);
  const ComplexVectors y = complex_at(b);
  const FloatVector zero{};
  const IndexVector held = is_finite(x) & is_finite(y) & (y.im == zero) & (y.re != zero) &
                           (x.re != zero) & (x.im != zero);
  if (!all_of_vector(held)) return false;
  put_complex(z, {x.re / y.re, x.im / y.re});
  return true;
}

template <class F>
UNDERSTUDY_ONCE void map_two_complex(const void* a, const void* b, void* out,
                                     std::size_t n) noexcept {
  const auto* x = static_cast<const Narrow*>(a);
  const auto* y = static_cast<const Narrow*>(b);
  auto* z = static_cast<Narrow*>(out);
  std::size_t i = 0;
  for (; i + kComplexCount <= n; i += kComplexCount) {
    if (divide_by_real(x + i, y + i, z + i)) continue;
    map_complex_vectors<F>(z + i, y + i, x + i, y + i);
  }
  if (i == n) return;
  Narrow rest[2][kComplexCount];
  Narrow result[kComplexCount];
  fill_rest(x + i, n - i, rest[0]);
  fill_rest(y + i, n - i, rest[1]);
  map_complex_vectors<F>(result, rest[1], rest[0], rest[1]);
  __builtin_memcpy(z + i, result, (n - i) * sizeof(Narrow));
}

}  // namespace
}  // namespace understudy::program::kernels
