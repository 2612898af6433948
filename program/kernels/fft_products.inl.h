// SPDX-License-Identifier: Apache-2.0
// Part of fft.inl.h: products of whole arrays, and what joins the halves of real transforms.
#pragma once

#include "program/kernels/fft_kernels.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"

namespace understudy::program::kernels {
namespace {

template <class Real>
void fft_multiply(FftArrays<const Real> x, FftArrays<const Real> w, FftArrays<Real> y,
                  std::size_t n) noexcept {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const Real a = x.re[i];
    const Real b = x.im[i];
    y.re[i] = a * w.re[i] - b * w.im[i];
    y.im[i] = a * w.im[i] + b * w.re[i];
  }
}

// X[k] = E[k] + w[k] O[k] with the spectra E, O of the even and the odd elements, where
// 2 E[k] = Z[k] + conj(Z[h - k]) and 2 O[k] = -i (Z[k] - conj(Z[h - k])).
template <class Real>
void fft_unpack(FftArrays<const Real> z, FftArrays<const Real> w, std::size_t h, std::size_t width,
                FftArrays<Real> x) noexcept {
  const auto one = [&](std::size_t a, std::size_t b, std::size_t at, Real cosine, Real sine) {
    const Real half = static_cast<Real>(0.5);
    const Real even_re = (z.re[a] + z.re[b]) * half;
    const Real even_im = (z.im[a] - z.im[b]) * half;
    const Real odd_re = (z.im[a] + z.im[b]) * half;
    const Real odd_im = (z.re[b] - z.re[a]) * half;
    x.re[at] = even_re + (odd_re * cosine - odd_im * sine);
    x.im[at] = even_im + (odd_re * sine + odd_im * cosine);
  };
  for (std::size_t l = 0; l < width; ++l) {
    one(l, l, l, w.re[0], w.im[0]);
    one(l, l, h * width + l, w.re[h], w.im[h]);
  }
  if (width == 1) {
#pragma GCC ivdep
    for (std::size_t k = 1; k < h; ++k) one(k, h - k, k, w.re[k], w.im[k]);
    return;
  }
  for (std::size_t k = 1; k < h; ++k) {
#pragma GCC ivdep
    for (std::size_t l = 0; l < kFftRow<Real>; ++l)
      one(k * kFftRow<Real> + l, (h - k) * kFftRow<Real> + l, k * kFftRow<Real> + l, w.re[k],
          w.im[k]);
  }
}

// The imaginary parts of the first and the last element belong to no real line: they are ignored.
template <class Real>
void fft_pack(FftArrays<const Real> x, FftArrays<const Real> w, std::size_t h, std::size_t width,
              FftArrays<Real> z) noexcept {
  const auto one = [&](std::size_t a, std::size_t b, Real a_im, Real b_im, Real cosine, Real sine) {
    const Real half = static_cast<Real>(0.5);
    const Real even_re = (x.re[a] + x.re[b]) * half;
    const Real even_im = (a_im - b_im) * half;
    const Real half_re = (x.re[a] - x.re[b]) * half;
    const Real half_im = (a_im + b_im) * half;
    // By the conjugate of w.
    const Real odd_re = half_re * cosine + half_im * sine;
    const Real odd_im = half_im * cosine - half_re * sine;
    z.re[a] = even_re - odd_im;
    z.im[a] = even_im + odd_re;
  };
  for (std::size_t l = 0; l < width; ++l) one(l, h * width + l, Real(0), Real(0), w.re[0], w.im[0]);
  if (width == 1) {
#pragma GCC ivdep
    for (std::size_t k = 1; k < h; ++k) one(k, h - k, x.im[k], x.im[h - k], w.re[k], w.im[k]);
    return;
  }
  for (std::size_t k = 1; k < h; ++k) {
#pragma GCC ivdep
    for (std::size_t l = 0; l < kFftRow<Real>; ++l) {
      const std::size_t a = k * kFftRow<Real> + l;
      const std::size_t b = (h - k) * kFftRow<Real> + l;
      one(a, b, x.im[a], x.im[b], w.re[k], w.im[k]);
    }
  }
}

}  // namespace
}  // namespace understudy::program::kernels
