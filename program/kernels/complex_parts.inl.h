// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: functions of complex<f32> whose parts are computed in f32: sums, products
// and directions.
#pragma once

#include "program/kernels/complex_lanes.inl.h"

namespace understudy::program::kernels {
namespace {

// x / |x|, in f32 where the size has all of its digits.
inline Narrow direction_of(Narrow x) {
  const float size = ModulusOf::apply(x);
  if (size > 0x1p-60F && size < 0x1p100F) return {x.re / size, x.im / size};
  return ComplexSign::apply(x);
}
UNDERSTUDY_ONCE void direction_of_complex(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const Narrow*>(in);
  auto* y = static_cast<Narrow*>(out);
  std::size_t i = 0;
  for (; i + kComplexCount <= n; i += kComplexCount) {
    const ComplexVectors some = complex_at(x + i);
    FloatVector size;
    if (quick_modulus(some, size)) [[likely]] {
      put_complex(y + i, {some.re / size, some.im / size});
    } else {
      for (std::size_t k = i; k < i + kComplexCount; ++k) y[k] = direction_of(x[k]);
    }
  }
  for (; i < n; ++i) y[i] = direction_of(x[i]);
}

// Absolute values of numbers whose parts are in two arrays, with the bits of LaneModulus.
UNDERSTUDY_INLINE FloatVector modulus_of_vectors(ComplexVectors x) {
  FloatVector size;
  if (quick_modulus(x, size)) [[likely]]
    return size;
  Narrow numbers[kComplexCount];
  put_complex(numbers, {in_order(x.re), in_order(x.im)});
  float sizes[kComplexCount];
  map_complex_vectors<LaneModulus>(sizes, numbers, numbers);
  __builtin_memcpy(&size, sizes, sizeof(size));
  return size;
}
UNDERSTUDY_ONCE void modulus_of_parts(const void* re, const void* im, void* out,
                                      std::size_t n) noexcept {
  const auto* a = static_cast<const float*>(re);
  const auto* b = static_cast<const float*>(im);
  auto* y = static_cast<float*>(out);
  std::size_t i = 0;
  for (; i + kComplexCount <= n; i += kComplexCount) {
    ComplexVectors x;
    __builtin_memcpy(&x.re, a + i, sizeof(x.re));
    __builtin_memcpy(&x.im, b + i, sizeof(x.im));
    put_vector(y + i, modulus_of_vectors(x));
  }
  if (i == n) return;
  // As fill_rest(): a size of 1 is quick.
  ComplexVectors x{FloatVector{} + 1.0F, FloatVector{}};
  __builtin_memcpy(&x.re, a + i, (n - i) * sizeof(float));
  __builtin_memcpy(&x.im, b + i, (n - i) * sizeof(float));
  const FloatVector size = modulus_of_vectors(x);
  __builtin_memcpy(y + i, &size, (n - i) * sizeof(float));
}

UNDERSTUDY_INLINE FloatVector settled_vector(FloatVector x) {
  return x != x ? FloatVector{} + kNan32 : x;
}
UNDERSTUDY_INLINE void multiply_vectors(const Narrow* a, const Narrow* b, Narrow* z) {
  const ComplexVectors x = complex_at(a), y = complex_at(b);
  put_complex(
      z, {settled_vector(x.re * y.re - x.im * y.im), settled_vector(x.re * y.im + x.im * y.re)});
}
UNDERSTUDY_ONCE void multiply_complex(const void* a, const void* b, void* out,
                                      std::size_t n) noexcept {
  const auto* x = static_cast<const Narrow*>(a);
  const auto* y = static_cast<const Narrow*>(b);
  auto* z = static_cast<Narrow*>(out);
  std::size_t i = 0;
  for (; i + kComplexCount <= n; i += kComplexCount) multiply_vectors(x + i, y + i, z + i);
  for (; i < n; ++i) z[i] = ComplexMultiply::apply(x[i], y[i]);
}
UNDERSTUDY_ONCE void square_complex(const void* in, void* out, std::size_t n) noexcept {
  multiply_complex(in, in, out, n);
}

// F of each part. A sum of two f32 that is rounded to double first has the same bits.
template <class F>
UNDERSTUDY_ONCE void map_parts(const void* a, const void* b, void* out, std::size_t n) noexcept {
  map_two<FloatTag<ElementType::f32, float>, FloatTag<ElementType::f32, float>, F>(a, b, out,
                                                                                   2 * n);
}

}  // namespace
}  // namespace understudy::program::kernels
