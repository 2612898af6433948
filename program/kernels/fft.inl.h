// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: the steps of Fourier transforms (fft_kernels.h). Vectors are as wide as
// the instruction set; what an element computes does not depend on the width.
#pragma once

#include "program/kernels/fft_kernels.h"
#include "program/kernels/fft_place.inl.h"
#include "program/kernels/fft_primes.inl.h"
#include "program/kernels/fft_products.inl.h"
#include "program/kernels/fft_vectors.inl.h"

namespace understudy::program::kernels {
namespace {

struct Radix2 {
  template <bool kTwiddled, class Real, FftInput kInput>
  UNDERSTUDY_INLINE static void apply(const FftPlace<Real, kInput>& at, const Real* w,
                                      const Real*) {
    const auto a = at.load(0);
    const auto b = at.load(1);
    at.store(0, a + b);
    at.template store<kTwiddled>(1, a - b, w);
  }
};

// Two transforms of 2, joined by the factors 1 and -i.
template <class Real>
struct Four {
  FftVector<Real> y0, y1, y2, y3;
  UNDERSTUDY_INLINE Four(FftVector<Real> a, FftVector<Real> b, FftVector<Real> c,
                         FftVector<Real> d) {
    const auto even = a + c;
    const auto odd = a - c;
    const auto sum = b + d;
    const auto turn = turned(b - d);
    y0 = even + sum;
    y1 = odd + turn;
    y2 = even - sum;
    y3 = odd - turn;
  }
};
struct Radix4 {
  template <bool kTwiddled, class Real, FftInput kInput>
  UNDERSTUDY_INLINE static void apply(const FftPlace<Real, kInput>& at, const Real* w,
                                      const Real*) {
    const Four<Real> y(at.load(0), at.load(1), at.load(2), at.load(3));
    at.store(0, y.y0);
    at.template store<kTwiddled>(1, y.y1, w);
    at.template store<kTwiddled>(2, y.y2, w);
    at.template store<kTwiddled>(3, y.y3, w);
  }
};
// Two transforms of 4, joined by the powers of (1 - i) / sqrt(2).
struct Radix8 {
  template <bool kTwiddled, class Real, FftInput kInput>
  UNDERSTUDY_INLINE static void apply(const FftPlace<Real, kInput>& at, const Real* w,
                                      const Real*) {
    constexpr Real kHalfRoot = static_cast<Real>(0.70710678118654752440);
    const Four<Real> a(at.load(0), at.load(2), at.load(4), at.load(6));
    const Four<Real> b(at.load(1), at.load(3), at.load(5), at.load(7));
    const FftVector<Real> b1{(b.y1.re + b.y1.im) * kHalfRoot, (b.y1.im - b.y1.re) * kHalfRoot};
    const FftVector<Real> b3{(b.y3.im - b.y3.re) * kHalfRoot, (b.y3.re + b.y3.im) * -kHalfRoot};
    const auto b2 = turned(b.y2);
    at.store(0, a.y0 + b.y0);
    at.template store<kTwiddled>(1, a.y1 + b1, w);
    at.template store<kTwiddled>(2, a.y2 + b2, w);
    at.template store<kTwiddled>(3, a.y3 + b3, w);
    at.template store<kTwiddled>(4, a.y0 - b.y0, w);
    at.template store<kTwiddled>(5, a.y1 - b1, w);
    at.template store<kTwiddled>(6, a.y2 - b2, w);
    at.template store<kTwiddled>(7, a.y3 - b3, w);
  }
};

// Odd radices: the roots t and radix - t are conjugates, so sums and differences of their inputs
// serve both outputs, and all products have one real factor.
template <int kRadix>
struct RadixOdd {
  template <bool kTwiddled, class Real, FftInput kInput>
  UNDERSTUDY_INLINE static void apply(const FftPlace<Real, kInput>& at, const Real* w,
                                      const Real* units) {
    constexpr int kHalf = kRadix / 2;
    const auto first = at.load(0);
    FftVector<Real> sum[kHalf];
    FftVector<Real> difference[kHalf];
    auto all = first;
    for (int u = 0; u < kHalf; ++u) {
      const auto a = at.load(static_cast<std::size_t>(u + 1));
      const auto b = at.load(static_cast<std::size_t>(kRadix - u - 1));
      sum[u] = a + b;
      difference[u] = a - b;
      all = all + sum[u];
    }
    at.store(0, all);
    for (int t = 1; t <= kHalf; ++t) {
      auto even = first;
      FftVector<Real> odd{};
      for (int u = 0; u < kHalf; ++u) {
        const int place = t * (u + 1) % kRadix;
        even = even + scaled(sum[u], units[2 * place]);
        odd = odd + scaled(difference[u], units[2 * place + 1]);
      }
      const auto turn = turned(odd);
      at.template store<kTwiddled>(static_cast<std::size_t>(t), even + turn, w);
      at.template store<kTwiddled>(static_cast<std::size_t>(kRadix - t), even - turn, w);
    }
  }
};

// Of complex numbers in memory, x.re is where they begin.
template <class Radix, bool kTwiddled, FftInput kInput, class Real>
UNDERSTUDY_ONCE void fft_step(const FftStep<Real>& step, FftArrays<const Real> x,
                              FftArrays<Real> y) {
  const std::size_t run = step.groups * kFftRow<Real>;
  FftPlace<Real, kInput> at{nullptr, nullptr, nullptr, nullptr, step.parts * run, run};
  for (std::size_t p = 0; p < step.parts; ++p) {
    const Real* const w = step.twiddles + 2 * p * (step.radix - 1);
    const std::size_t from = p * run;
    const std::size_t to = p * step.radix * run;
    for (std::size_t q = 0; q < run; q += kVectorSize<Real>) {
      at.in_re = x.re + (kInput == FftInput::parts ? from + q : 2 * (from + q));
      at.in_im = kInput == FftInput::parts ? x.im + from + q : nullptr;
      at.out_re = y.re + to + q;
      at.out_im = y.im + to + q;
      Radix::template apply<kTwiddled>(at, w, step.units);
    }
  }
}

template <class Radix, FftInput kInput = FftInput::parts, class Real>
void fft_step(const FftStep<Real>& step, FftArrays<Real> x, FftArrays<Real> y) {
  const FftArrays<const Real> from{x.re, x.im};
  step.parts == 1 ? fft_step<Radix, false, kInput>(step, from, y)
                  : fft_step<Radix, true, kInput>(step, from, y);
}
// The radices that lines begin with most often.
template <FftInput kInput, class Real>
void fft_first_step(const FftStep<Real>& step, const Real* x, FftArrays<Real> y) {
  const FftArrays<const Real> from{x, nullptr};
  switch (step.radix) {
    case 4:
      return fft_step<Radix4, true, kInput>(step, from, y);
    default:
      return fft_step<Radix8, true, kInput>(step, from, y);
  }
}
template <class Real>
bool fft_pairs_step(const FftStep<Real>& step, const Real* x, bool swapped,
                    FftArrays<Real> y) noexcept {
  if ((step.radix != 4 && step.radix != 8) || step.parts == 1) return false;
  swapped ? fft_first_step<FftInput::swapped_pairs>(step, x, y)
          : fft_first_step<FftInput::pairs>(step, x, y);
  return true;
}
template <class Real>
void fft_any_step(const FftStep<Real>& step, FftArrays<Real> x, FftArrays<Real> y) {
  switch (step.radix) {
    case 2:
      return fft_step<Radix2>(step, x, y);
    case 3:
      return fft_step<RadixOdd<3>>(step, x, y);
    case 4:
      return fft_step<Radix4>(step, x, y);
    case 5:
      return fft_step<RadixOdd<5>>(step, x, y);
    case 7:
      return fft_step<RadixOdd<7>>(step, x, y);
    case 8:
      return fft_step<Radix8>(step, x, y);
    case 11:
      return fft_step<RadixOdd<11>>(step, x, y);
    case 13:
      return fft_step<RadixOdd<13>>(step, x, y);
    case 17:
      return fft_step<RadixOdd<17>>(step, x, y);
    case 19:
      return fft_step<RadixOdd<19>>(step, x, y);
    case 23:
      return fft_step<RadixOdd<23>>(step, x, y);
    case 29:
      return fft_step<RadixOdd<29>>(step, x, y);
    default:
      return fft_prime_step(step, x, y);
  }
}
template <class Real>
bool fft_steps(const FftStep<Real>* steps, std::size_t count, FftArrays<Real> x,
               FftArrays<Real> y) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    i % 2 == 0 ? fft_any_step(steps[i], x, y) : fft_any_step(steps[i], y, x);
  return count % 2 == 1;
}

// Blocks of kFftRow k: turned round, so that a lane is a k, then a transform over the lanes.
// store(t, k, parts) takes whole rows of which `count` elements are results.
template <class Real, class Store>
UNDERSTUDY_INLINE void fft_cross_blocks(const FftCross<Real>& cross, FftArrays<Real> x,
                                        const Store& store) {
  constexpr std::size_t kRow = kFftRow<Real>;
  constexpr std::size_t kSquare = kRow * kRow;
  alignas(64) Real room[4 * kSquare];
  const FftArrays<Real> a{room, room + kSquare};
  const FftArrays<Real> b{room + 2 * kSquare, room + 3 * kSquare};
  const std::size_t count = cross.m < kRow ? cross.m : kRow;
  for (std::size_t block = 0; block * kRow < cross.m; ++block) {
    // The last block begins earlier, so that it is whole; its factors do, too.
    const std::size_t k = block * kRow + count > cross.m ? cross.m - count : block * kRow;
    fft_transpose(x.re + k * kRow, kRow, a.re, kRow);
    fft_transpose(x.im + k * kRow, kRow, a.im, kRow);
    const std::size_t factors = block * cross.lanes * kRow;
    fft_multiply<Real>({a.re, a.im}, {cross.twiddles_re + factors, cross.twiddles_im + factors}, a,
                       cross.lanes * kRow);
    const FftArrays<Real> done = fft_steps(cross.steps, cross.step_count, a, b) ? b : a;
    for (std::size_t t = 0; t < cross.lanes; ++t)
      store(cross.m * t + k, FftArrays<const Real>{done.re + t * kRow, done.im + t * kRow});
  }
}
// Whole rows, as a copy of a length that the compiler does not know takes longer than all the rest.
// What a short one writes too much, the next one replaces.
template <class Real>
void fft_cross(const FftCross<Real>& cross, FftArrays<Real> x, FftArrays<Real> y) noexcept {
  const auto store = [&](std::size_t at, FftArrays<const Real> row) __attribute__((always_inline)) {
    __builtin_memcpy(y.re + at, row.re, sizeof(Real[kFftRow<Real>]));
    __builtin_memcpy(y.im + at, row.im, sizeof(Real[kFftRow<Real>]));
  };
  fft_cross_blocks(cross, x, store);
}
template <class Real>
void fft_cross_join(const FftCross<Real>& cross, FftArrays<Real> x, bool swapped, Real scale,
                    Real* y) noexcept {
  const auto store = [&](std::size_t at, FftArrays<const Real> row) __attribute__((always_inline)) {
    join_row(swapped ? row.im : row.re, swapped ? row.re : row.im, scale, y + 2 * at);
  };
  fft_cross_blocks(cross, x, store);
}

template <class Real>
constexpr FftKernels<Real> fft_kernels() {
  return {&fft_steps<Real>,       &fft_pairs_step<Real>, &fft_cross<Real>,
          &fft_cross_join<Real>,  &fft_split<Real>,      &fft_join<Real>,
          &fft_split_lines<Real>, &fft_join_lines<Real>, &fft_multiply<Real>,
          &fft_unpack<Real>,      &fft_pack<Real>,       &fft_unpack_line<Real>,
          &fft_pack_line<Real>};
}

}  // namespace
}  // namespace understudy::program::kernels
