// SPDX-License-Identifier: Apache-2.0
// Part of fft.inl.h: vectors of complex numbers, their movement between the layouts of memory and
// of rows.
#pragma once

#include "program/kernels/fft_kernels.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"
#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

template <class Real>
struct FftVector {
  Vector<Real> re, im;
};
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> operator+(FftVector<Real> a, FftVector<Real> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> operator-(FftVector<Real> a, FftVector<Real> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> times(FftVector<Real> a, Real re, Real im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> scaled(FftVector<Real> a, Real by) {
  return {a.re * by, a.im * by};
}
// a * -i
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> turned(FftVector<Real> a) {
  return {a.im, -a.re};
}

// Element i of the result is element (low + step * i) of a followed by b.
template <class Real>
UNDERSTUDY_INLINE Vector<Real> picked(Vector<Real> a, Vector<Real> b, int low, int step) {
  typename VectorOf<Real>::index at;
  for (std::size_t i = 0; i < kVectorSize<Real>; ++i) at[i] = low + step * static_cast<int>(i);
  return __builtin_shuffle(a, b, at);
}
// Interleaves the lower (upper) halves in groups of `group` elements.
template <class Real>
UNDERSTUDY_INLINE Vector<Real> zipped(Vector<Real> a, Vector<Real> b, int group, bool upper) {
  constexpr int kSize = static_cast<int>(kVectorSize<Real>);
  typename VectorOf<Real>::index at;
  for (int i = 0; i < kSize; ++i) {
    const int pair = i / (2 * group);
    const int from = pair * group + i % group + (upper ? kSize / 2 : 0);
    at[i] = i / group % 2 == 0 ? from : from + kSize;
  }
  return __builtin_shuffle(a, b, at);
}
#if defined(__AVX__) && !defined(__AVX512F__)
// Interleaves the lower (upper) halves of each 16 bytes: one instruction.
template <class Real>
UNDERSTUDY_INLINE Vector<Real> zipped_quarters(Vector<Real> a, Vector<Real> b, bool upper) {
  constexpr int kSize = static_cast<int>(kVectorSize<Real>);
  constexpr int kQuarter = 16 / static_cast<int>(sizeof(Real));
  typename VectorOf<Real>::index at;
  for (int i = 0; i < kSize; ++i) {
    const int from = i / kQuarter * kQuarter + i % kQuarter / 2 + (upper ? kQuarter / 2 : 0);
    at[i] = i % 2 == 0 ? from : from + kSize;
  }
  return __builtin_shuffle(a, b, at);
}
// A block of as many rows as a vector has elements: squares of 16 bytes are turned round, then
// exchange their places.
template <class Real>
UNDERSTUDY_INLINE void fft_transpose_block(const Real* in, std::size_t in_step, Real* out,
                                           std::size_t out_step) {
  constexpr std::size_t kSize = kVectorSize<Real>;
  constexpr std::size_t kQuarter = 16 / sizeof(Real);
  Vector<Real> a[kSize];
  Vector<Real> b[kSize];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kSize; ++i) a[i] = vector_at(in + i * in_step);
#pragma GCC unroll 2
  for (std::size_t round = 1; round < kQuarter; round *= 2) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kSize / 2; ++i) {
      const std::size_t from = i / (kQuarter / 2) * kQuarter + i % (kQuarter / 2);
      b[2 * i] = zipped_quarters<Real>(a[from], a[from + kQuarter / 2], false);
      b[2 * i + 1] = zipped_quarters<Real>(a[from], a[from + kQuarter / 2], true);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kSize; ++i) a[i] = b[i];
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kQuarter; ++i) {
    constexpr int kHalf = static_cast<int>(kSize / 2);
    put_vector(out + i * out_step, zipped<Real>(a[i], a[i + kQuarter], kHalf, false));
    put_vector(out + (i + kQuarter) * out_step, zipped<Real>(a[i], a[i + kQuarter], kHalf, true));
  }
}
#endif

// A block of kFftRow rows of kFftRow elements.
template <class Real>
UNDERSTUDY_INLINE void fft_transpose(const Real* in, std::size_t in_step, Real* out,
                                     std::size_t out_step) {
  constexpr std::size_t kRow = kFftRow<Real>;
#if defined(__AVX512F__)
  // Each round interleaves rows i and i + kRow / 2: after log2(kRow) rounds, places and rows have
  // changed their roles (a perfect shuffle of both index halves).
  Vector<Real> a[kRow];
  Vector<Real> b[kRow];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRow; ++i) a[i] = vector_at(in + i * in_step);
#pragma GCC unroll 4
  for (std::size_t round = 1; round < kRow; round *= 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRow / 2; ++i) {
      b[2 * i] = zipped<Real>(a[i], a[i + kRow / 2], 1, false);
      b[2 * i + 1] = zipped<Real>(a[i], a[i + kRow / 2], 1, true);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRow; ++i) a[i] = b[i];
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRow; ++i) put_vector(out + i * out_step, a[i]);
#elif defined(__AVX__)
  constexpr std::size_t kSize = kVectorSize<Real>;
  for (std::size_t i = 0; i < kRow; i += kSize)
    for (std::size_t j = 0; j < kRow; j += kSize)
      fft_transpose_block(in + i * in_step + j, in_step, out + j * out_step + i, out_step);
#else
  for (std::size_t i = 0; i < kRow; ++i)
    for (std::size_t j = 0; j < kRow; ++j) out[j * out_step + i] = in[i * in_step + j];
#endif
}

template <class Real>
UNDERSTUDY_INLINE void split_row(const Real* x, Real* re, Real* im) {
  constexpr std::size_t kRow = kFftRow<Real>;
#if defined(__AVX__)
  constexpr std::size_t kSize = kVectorSize<Real>;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < kRow; k += kSize) {
    const Vector<Real> a = vector_at(x + 2 * k);
    const Vector<Real> b = vector_at(x + 2 * k + kSize);
    put_vector(re + k, picked<Real>(a, b, 0, 2));
    put_vector(im + k, picked<Real>(a, b, 1, 2));
  }
#else
  for (std::size_t k = 0; k < kRow; ++k) {
    re[k] = x[2 * k];
    im[k] = x[2 * k + 1];
  }
#endif
}
template <class Real>
UNDERSTUDY_INLINE void join_row(const Real* re, const Real* im, Real scale, Real* x) {
  constexpr std::size_t kRow = kFftRow<Real>;
#if defined(__AVX__)
  constexpr std::size_t kSize = kVectorSize<Real>;
  const auto settled = [scale](Vector<Real> v) {
    v = v * scale;
    return v == v ? v : Vector<Real>{} + static_cast<Real>(kNan64);
  };
#pragma GCC unroll 2
  for (std::size_t k = 0; k < kRow; k += kSize) {
    const Vector<Real> a = settled(vector_at(re + k));
    const Vector<Real> b = settled(vector_at(im + k));
    put_vector(x + 2 * k, zipped<Real>(a, b, 1, false));
    put_vector(x + 2 * k + kSize, zipped<Real>(a, b, 1, true));
  }
#else
  for (std::size_t k = 0; k < kRow; ++k) {
    x[2 * k] = settle(re[k] * scale);
    x[2 * k + 1] = settle(im[k] * scale);
  }
#endif
}

// Vectors of complex numbers in memory.
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> pairs_at(const Real* x) {
  const Vector<Real> a = vector_at(x);
  const Vector<Real> b = vector_at(x + kVectorSize<Real>);
  return {picked<Real>(a, b, 0, 2), picked<Real>(a, b, 1, 2)};
}
template <class Real>
UNDERSTUDY_INLINE void put_pairs(Real* x, FftVector<Real> y) {
  const auto settled = [](Vector<Real> v) {
    return v == v ? v : Vector<Real>{} + static_cast<Real>(kNan64);
  };
  const Vector<Real> re = settled(y.re);
  const Vector<Real> im = settled(y.im);
  put_vector(x, zipped<Real>(re, im, 1, false));
  put_vector(x + kVectorSize<Real>, zipped<Real>(re, im, 1, true));
}
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> parts_at(FftArrays<const Real> x, std::size_t k) {
  return {vector_at(x.re + k), vector_at(x.im + k)};
}
template <class Real>
UNDERSTUDY_INLINE FftVector<Real> reversed(FftVector<Real> x) {
  constexpr int kLast = static_cast<int>(kVectorSize<Real>) - 1;
  return {picked<Real>(x.re, x.re, kLast, -1), picked<Real>(x.im, x.im, kLast, -1)};
}

template <class Real>
void fft_split(const Real* x, FftArrays<Real> parts, std::size_t n) noexcept {
  constexpr std::size_t kRow = kFftRow<Real>;
  std::size_t k = 0;
  for (; k + kRow <= n; k += kRow) split_row(x + 2 * k, parts.re + k, parts.im + k);
  for (; k < n; ++k) {
    parts.re[k] = x[2 * k];
    parts.im[k] = x[2 * k + 1];
  }
}
template <class Real>
void fft_join(FftArrays<const Real> parts, Real scale, Real* x, std::size_t n) noexcept {
  constexpr std::size_t kRow = kFftRow<Real>;
  std::size_t k = 0;
  for (; k + kRow <= n; k += kRow) join_row(parts.re + k, parts.im + k, scale, x + 2 * k);
  for (; k < n; ++k) {
    x[2 * k] = settle(parts.re[k] * scale);
    x[2 * k + 1] = settle(parts.im[k] * scale);
  }
}

// Lanes without a line are 0.
template <class Real>
void fft_split_lines(const Real* x, std::size_t line_step, std::size_t lines, std::size_t n,
                     FftArrays<Real> rows) noexcept {
  constexpr std::size_t kRow = kFftRow<Real>;
  alignas(64) Real re[kRow * kRow] = {};
  alignas(64) Real im[kRow * kRow] = {};
  std::size_t k = 0;
  for (; k + kRow <= n; k += kRow) {
    for (std::size_t l = 0; l < lines; ++l)
      split_row(x + l * line_step + 2 * k, re + l * kRow, im + l * kRow);
    fft_transpose(re, kRow, rows.re + k * kRow, kRow);
    fft_transpose(im, kRow, rows.im + k * kRow, kRow);
  }
  for (; k < n; ++k)
    for (std::size_t l = 0; l < kRow; ++l) {
      rows.re[k * kRow + l] = l < lines ? x[l * line_step + 2 * k] : Real(0);
      rows.im[k * kRow + l] = l < lines ? x[l * line_step + 2 * k + 1] : Real(0);
    }
}
template <class Real>
void fft_join_lines(FftArrays<const Real> rows, Real scale, std::size_t lines, std::size_t n,
                    Real* x, std::size_t line_step) noexcept {
  constexpr std::size_t kRow = kFftRow<Real>;
  alignas(64) Real re[kRow * kRow];
  alignas(64) Real im[kRow * kRow];
  std::size_t k = 0;
  for (; k + kRow <= n; k += kRow) {
    fft_transpose(rows.re + k * kRow, kRow, re, kRow);
    fft_transpose(rows.im + k * kRow, kRow, im, kRow);
    for (std::size_t l = 0; l < lines; ++l)
      join_row(re + l * kRow, im + l * kRow, scale, x + l * line_step + 2 * k);
  }
  for (; k < n; ++k)
    for (std::size_t l = 0; l < lines; ++l) {
      x[l * line_step + 2 * k] = settle(rows.re[k * kRow + l] * scale);
      x[l * line_step + 2 * k + 1] = settle(rows.im[k * kRow + l] * scale);
    }
}

}  // namespace
}  // namespace understudy::program::kernels
