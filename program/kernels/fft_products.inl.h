// SPDX-License-Identifier: Apache-2.0
// Part of fft.inl.h: products of whole arrays, and what joins the halves of real transforms.
#pragma once

#include "program/kernels/fft_kernels.h"
#include "program/kernels/fft_vectors.inl.h"
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
// 2 E[k] = Z[k] + conj(Z[h - k]) and 2 O[k] = -i (Z[k] - conj(Z[h - k])). Of numbers or vectors.
template <class Real, class Part>
struct FftHalves {
  struct Number {
    Part re, im;
  };
  static constexpr Real kHalf = static_cast<Real>(0.5);

  UNDERSTUDY_INLINE static Number unpacked(Part re, Part im, Part mirror_re, Part mirror_im,
                                           Part cosine, Part sine) {
    const Part even_re = (re + mirror_re) * kHalf;
    const Part even_im = (im - mirror_im) * kHalf;
    const Part odd_re = (im + mirror_im) * kHalf;
    const Part odd_im = (mirror_re - re) * kHalf;
    return {even_re + (odd_re * cosine - odd_im * sine),
            even_im + (odd_re * sine + odd_im * cosine)};
  }
  // By the conjugate of w.
  UNDERSTUDY_INLINE static Number packed(Part re, Part im, Part mirror_re, Part mirror_im,
                                         Part cosine, Part sine) {
    const Part even_re = (re + mirror_re) * kHalf;
    const Part even_im = (im - mirror_im) * kHalf;
    const Part half_re = (re - mirror_re) * kHalf;
    const Part half_im = (im + mirror_im) * kHalf;
    const Part odd_re = half_re * cosine + half_im * sine;
    const Part odd_im = half_im * cosine - half_re * sine;
    return {even_re - odd_im, even_im + odd_re};
  }
};

template <class Real>
void fft_unpack(FftArrays<const Real> z, FftArrays<const Real> w, std::size_t h, std::size_t width,
                FftArrays<Real> x) noexcept {
  const auto one = [&](std::size_t a, std::size_t b, std::size_t at, Real cosine, Real sine) {
    const auto y =
        FftHalves<Real, Real>::unpacked(z.re[a], z.im[a], z.re[b], z.im[b], cosine, sine);
    x.re[at] = y.re;
    x.im[at] = y.im;
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
    const auto y = FftHalves<Real, Real>::packed(x.re[a], a_im, x.re[b], b_im, cosine, sine);
    z.re[a] = y.re;
    z.im[a] = y.im;
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

// The same for one line whose spectrum is complex numbers in memory: one pass less over it.
template <class Real>
void fft_unpack_line(FftArrays<const Real> z, FftArrays<const Real> w, std::size_t h,
                     Real* x) noexcept {
  constexpr std::size_t kSize = kVectorSize<Real>;
  const auto one = [&](std::size_t a, std::size_t b, std::size_t at) {
    const auto y =
        FftHalves<Real, Real>::unpacked(z.re[a], z.im[a], z.re[b], z.im[b], w.re[at], w.im[at]);
    x[2 * at] = settle(y.re);
    x[2 * at + 1] = settle(y.im);
  };
  one(0, 0, 0);
  std::size_t k = 1;
  for (; k + kSize <= h; k += kSize) {
    const auto a = parts_at(z, k);
    const auto b = reversed(parts_at(z, h - k - (kSize - 1)));
    const auto root = parts_at(w, k);
    const auto y =
        FftHalves<Real, Vector<Real>>::unpacked(a.re, a.im, b.re, b.im, root.re, root.im);
    put_pairs<Real>(x + 2 * k, {y.re, y.im});
  }
  for (; k < h; ++k) one(k, h - k, k);
  one(0, 0, h);
}
template <class Real>
void fft_pack_line(const Real* x, FftArrays<const Real> w, std::size_t h,
                   FftArrays<Real> z) noexcept {
  constexpr std::size_t kSize = kVectorSize<Real>;
  const auto one = [&](std::size_t k, Real im, Real mirror_im) {
    const auto y =
        FftHalves<Real, Real>::packed(x[2 * k], im, x[2 * (h - k)], mirror_im, w.re[k], w.im[k]);
    z.re[k] = y.re;
    z.im[k] = y.im;
  };
  one(0, Real(0), Real(0));
  std::size_t k = 1;
  for (; k + kSize <= h; k += kSize) {
    const auto a = pairs_at(x + 2 * k);
    const auto b = reversed(pairs_at(x + 2 * (h - k - (kSize - 1))));
    const auto root = parts_at(w, k);
    const auto y = FftHalves<Real, Vector<Real>>::packed(a.re, a.im, b.re, b.im, root.re, root.im);
    put_vector(z.re + k, y.re);
    put_vector(z.im + k, y.im);
  }
  for (; k < h; ++k) one(k, x[2 * k + 1], x[2 * (h - k) + 1]);
}

}  // namespace
}  // namespace understudy::program::kernels
