// SPDX-License-Identifier: Apache-2.0
// Part of fft.inl.h: steps of any odd radix, known only when a plan is made. As RadixOdd, but the
// inputs' sums and differences are in memory, and outputs are computed two pairs at a time, so that
// their sums stay in registers. Sums have parts of at most 16 inputs, so that their errors grow
// little with the radix.
#pragma once

#include "program/kernels/fft_kernels.h"
#include "program/kernels/fft_place.inl.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/types.inl.h"
#include "program/kernels/vectors.inl.h"

namespace understudy::program::kernels {
namespace {

template <class Real>
struct FftPrimePlace : FftPlace<Real, FftInput::parts> {
  using Place = FftPlace<Real, FftInput::parts>;
  using Place::load, Place::store;
  std::size_t radix, part;
  FftVector<Real> first;
  FftVector<Real> sums[kMostFftRadix / 2];
  FftVector<Real> differences[kMostFftRadix / 2];

  UNDERSTUDY_INLINE std::size_t end_of(std::size_t begin) const {
    return begin + part < radix / 2 ? begin + part : radix / 2;
  }
  UNDERSTUDY_INLINE void load_all() {
    first = load(0);
    auto all = first;
    for (std::size_t begin = 0; begin < radix / 2; begin += part) {
      FftVector<Real> part_all = {};
      for (std::size_t u = begin; u < end_of(begin); ++u) {
        const auto a = load(u + 1);
        const auto b = load(radix - u - 1);
        sums[u] = a + b;
        differences[u] = a - b;
        part_all = part_all + sums[u];
      }
      all = all + part_all;
    }
    store(0, all);
  }
  // Outputs t to t + kPairs - 1 and their conjugates. `units`: cosine and sine of each by input.
  template <int kPairs, bool kTwiddled>
  UNDERSTUDY_INLINE void outputs(std::size_t t, const Real* units, const Real* twiddles) const {
    FftVector<Real> even[kPairs];
    FftVector<Real> odd[kPairs] = {};
    for (int i = 0; i < kPairs; ++i) even[i] = first;
    for (std::size_t begin = 0; begin < radix / 2; begin += part) {
      const std::size_t end = end_of(begin);
      FftVector<Real> part_even[kPairs] = {};
      FftVector<Real> part_odd[kPairs] = {};
      for (std::size_t u = begin; u < end; ++u, units += 2 * kPairs)
#pragma GCC unroll 2
        for (int i = 0; i < kPairs; ++i) {
          part_even[i] = part_even[i] + scaled(sums[u], units[2 * i]);
          part_odd[i] = part_odd[i] + scaled(differences[u], units[2 * i + 1]);
        }
#pragma GCC unroll 2
      for (int i = 0; i < kPairs; ++i) {
        even[i] = even[i] + part_even[i];
        odd[i] = odd[i] + part_odd[i];
      }
    }
#pragma GCC unroll 2
    for (int i = 0; i < kPairs; ++i) {
      const auto turn = turned(odd[i]);
      const std::size_t at = t + static_cast<std::size_t>(i);
      this->template store<kTwiddled>(at, even[i] + turn, twiddles);
      this->template store<kTwiddled>(radix - at, even[i] - turn, twiddles);
    }
  }
};

template <bool kTwiddled, class Real>
UNDERSTUDY_ONCE void fft_prime_step(const FftStep<Real>& step, FftArrays<const Real> x,
                                    FftArrays<Real> y) {
  const std::size_t run = step.groups * kFftRow<Real>;
  const std::size_t half = step.radix / 2;
  FftPrimePlace<Real> at;
  at.radix = step.radix;
  const std::size_t part_count = (half + 15) / 16;
  at.part = (half + part_count - 1) / part_count;
  at.in_step = step.parts * run;
  at.out_step = run;
  for (std::size_t p = 0; p < step.parts; ++p) {
    const Real* const w = step.twiddles + 2 * p * (step.radix - 1);
    for (std::size_t q = 0; q < run; q += kVectorSize<Real>) {
      at.in_re = x.re + p * run + q;
      at.in_im = x.im + p * run + q;
      at.out_re = y.re + p * step.radix * run + q;
      at.out_im = y.im + p * step.radix * run + q;
      at.load_all();
      const Real* units = step.units;
      std::size_t t = 1;
      for (; t < half; t += 2, units += 4 * half) at.template outputs<2, kTwiddled>(t, units, w);
      if (t == half) at.template outputs<1, kTwiddled>(t, units, w);
    }
  }
}
template <class Real>
void fft_prime_step(const FftStep<Real>& step, FftArrays<Real> x, FftArrays<Real> y) {
  const FftArrays<const Real> from{x.re, x.im};
  step.parts == 1 ? fft_prime_step<false>(step, from, y) : fft_prime_step<true>(step, from, y);
}

}  // namespace
}  // namespace understudy::program::kernels
