// SPDX-License-Identifier: Apache-2.0
// Vectors of the width of the instruction set that a file is compiled for (GCC's vector types).
#pragma once

#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"

namespace understudy::program::kernels {
namespace {

// Small steps, whose operands must stay in registers.
#define UNDERSTUDY_INLINE __attribute__((always_inline)) inline

#if defined(__AVX512F__)
constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif
template <class Real>
constexpr std::size_t kVectorSize = kVectorBytes / sizeof(Real);

template <class Real>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(kVectorBytes)));
  typedef i32 index __attribute__((vector_size(kVectorBytes)));
};
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(kVectorBytes)));
  typedef i64 index __attribute__((vector_size(kVectorBytes)));
};
template <>
struct VectorOf<u32> {
  typedef u32 type __attribute__((vector_size(kVectorBytes)));
  typedef i32 index __attribute__((vector_size(kVectorBytes)));
};
template <>
struct VectorOf<i32> {
  typedef i32 type __attribute__((vector_size(kVectorBytes)));
  typedef i32 index __attribute__((vector_size(kVectorBytes)));
};
template <class Real>
using Vector = typename VectorOf<Real>::type;

template <class Real>
UNDERSTUDY_INLINE Vector<Real> vector_at(const Real* x) {
  Vector<Real> v;
  __builtin_memcpy(&v, x, sizeof(v));
  return v;
}
template <class Real>
UNDERSTUDY_INLINE void put_vector(Real* x, Vector<Real> v) {
  __builtin_memcpy(x, &v, sizeof(v));
}

}  // namespace
}  // namespace understudy::program::kernels
