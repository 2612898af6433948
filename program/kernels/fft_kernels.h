// SPDX-License-Identifier: Apache-2.0
// Kernels of Fourier transforms over "rows": kFftRow elements side by side, 64 bytes, that belong
// to as many independent transforms. Real and imaginary parts are separate arrays. All transforms
// have the sign -1, sums of exp(-2 pi i jk / n); the other sign is the same with the parts swapped.
// No fused multiply-adds, a fixed order: the same bits on every instruction set. Plain data.
#pragma once

#include <cstddef>

namespace understudy::program::kernels {

template <class Real>
inline constexpr std::size_t kFftRow = 64 / sizeof(Real);
inline constexpr std::size_t kMostFftRadix = 127;
// Radices that have code of their own; others are odd.
inline constexpr std::size_t kMostFftCodeRadix = 29;

// One pass of Stockham's form (Van Loan 1992, 1.7), decimation in frequency: with runs of
// groups * kFftRow elements q, for p below `parts` and t, u below `radix`,
// out[(p * radix + t) * run + q] = w[p][t] * sum over u of in[(u * parts + p) * run + q] r^(tu).
template <class Real>
struct FftStep {
  std::size_t radix = 2, parts = 1, groups = 1;
  const Real* twiddles = nullptr;  // re, im of w[p][t] at 2 * (p * (radix - 1) + t - 1)
  // Cosine and sine of 2 pi t / radix. With a radix above kMostFftCodeRadix: those of 2 pi t u /
  // radix in the order [pair of t from 1 to radix / 2][u from 1 to radix / 2][t of the pair].
  const Real* units = nullptr;
};

template <class Real>
struct FftArrays {
  Real* re;
  Real* im;
};

// A line of n = lanes * m elements whose row k holds element k of the m-point transforms of its
// `lanes` interleaved parts: what joins them (Cooley and Tukey 1965).
template <class Real>
struct FftCross {
  std::size_t m, lanes;
  const Real* twiddles_re;  // [block of kFftRow k][lane][k]: exp(-2 pi i lane k / n)
  const Real* twiddles_im;
  const FftStep<Real>* steps;  // of the transform of `lanes` elements
  std::size_t step_count;
};

template <class Real>
struct FftKernels {
  // Runs the steps from x to y and back; whether the result is in y.
  bool (*steps)(const FftStep<Real>* steps, std::size_t count, FftArrays<Real> x,
                FftArrays<Real> y) noexcept;
  // The first of several steps, from complex numbers in memory, their parts swapped if asked for.
  // False, with nothing done, where there is no such step.
  bool (*pairs_step)(const FftStep<Real>& step, const Real* x, bool swapped,
                     FftArrays<Real> y) noexcept;
  // x: rows, at least kFftRow of them may be read. y: the transform, in order; as many elements may
  // be written.
  void (*cross)(const FftCross<Real>& cross, FftArrays<Real> x, FftArrays<Real> y) noexcept;
  // The same with m of at least kFftRow, as join() would store the result: the parts swapped if
  // asked for, times `scale`.
  void (*cross_join)(const FftCross<Real>& cross, FftArrays<Real> x, bool swapped, Real scale,
                     Real* y) noexcept;
  // Complex numbers to parts and back; join() multiplies and gives NaN its one pattern.
  void (*split)(const Real* x, FftArrays<Real> parts, std::size_t n) noexcept;
  void (*join)(FftArrays<const Real> parts, Real scale, Real* x, std::size_t n) noexcept;
  // The same for `lines` lines (up to kFftRow, line_step numbers apart) and rows.
  void (*split_lines)(const Real* x, std::size_t line_step, std::size_t lines, std::size_t n,
                      FftArrays<Real> rows) noexcept;
  void (*join_lines)(FftArrays<const Real> rows, Real scale, std::size_t lines, std::size_t n,
                     Real* x, std::size_t line_step) noexcept;
  // x[i] * w[i]; y may be x.
  void (*multiply)(FftArrays<const Real> x, FftArrays<const Real> w, FftArrays<Real> y,
                   std::size_t n) noexcept;
  // From the spectrum z of x[2j] + i x[2j + 1], j below h, to elements 0 to h of the spectrum of x,
  // and back. `width` transforms side by side (1 or kFftRow); w: exp(-pi i k / h).
  void (*unpack)(FftArrays<const Real> z, FftArrays<const Real> w, std::size_t h, std::size_t width,
                 FftArrays<Real> x) noexcept;
  void (*pack)(FftArrays<const Real> x, FftArrays<const Real> w, std::size_t h, std::size_t width,
               FftArrays<Real> z) noexcept;
  // The same for one line with its spectrum x as complex numbers in memory.
  void (*unpack_line)(FftArrays<const Real> z, FftArrays<const Real> w, std::size_t h,
                      Real* x) noexcept;
  void (*pack_line)(const Real* x, FftArrays<const Real> w, std::size_t h,
                    FftArrays<Real> z) noexcept;
};

}  // namespace understudy::program::kernels
