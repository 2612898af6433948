// SPDX-License-Identifier: Apache-2.0
// Part of fft.inl.h: where a step of a Fourier transform reads and writes.
#pragma once

#include "program/kernels/fft_vectors.inl.h"

namespace understudy::program::kernels {
namespace {

// The vectors of one place of a step. Its input is parts, or complex numbers in memory.
enum class FftInput { parts, pairs, swapped_pairs };
template <class Real, FftInput kInput>
struct FftPlace {
  const Real* in_re;
  const Real* in_im;
  Real* out_re;
  Real* out_im;
  std::size_t in_step, out_step;

  UNDERSTUDY_INLINE FftVector<Real> load(std::size_t u) const {
    if constexpr (kInput == FftInput::parts) {
      return {vector_at(in_re + u * in_step), vector_at(in_im + u * in_step)};
    } else {
      const auto x = pairs_at(in_re + 2 * u * in_step);
      return kInput == FftInput::pairs ? x : FftVector<Real>{x.im, x.re};
    }
  }
  UNDERSTUDY_INLINE void store(std::size_t t, FftVector<Real> y) const {
    put_vector(out_re + t * out_step, y.re);
    put_vector(out_im + t * out_step, y.im);
  }
  // Output t times its twiddle factor; the last step of a transform has none.
  template <bool kTwiddled>
  UNDERSTUDY_INLINE void store(std::size_t t, FftVector<Real> y, const Real* twiddles) const {
    if constexpr (kTwiddled) y = times(y, twiddles[2 * t - 2], twiddles[2 * t - 1]);
    store(t, y);
  }
};

}  // namespace
}  // namespace understudy::program::kernels
