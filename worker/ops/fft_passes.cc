// SPDX-License-Identifier: Apache-2.0
// Products are written out (no contraction), so every instruction set gives the same bits.
#include "worker/ops/fft_passes.h"

#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

struct Z {
  double re, im;
};
[[gnu::always_inline]] inline Z add(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
[[gnu::always_inline]] inline Z minus(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
[[gnu::always_inline]] inline Z times(Z a, double re, double im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
// a * i * sign
[[gnu::always_inline]] inline Z turned(Z a, double sign) { return {-sign * a.im, sign * a.re}; }

struct Streams {
  const double* __restrict re;
  const double* __restrict im;
  double* __restrict to_re;
  double* __restrict to_im;
};

#define UNDERSTUDY_LOAD(u) \
  Z { s.re[(u)*p.in_step + q], s.im[(u)*p.in_step + q] }
[[gnu::always_inline]] inline void store(const FftPass& p, double* __restrict re,
                                         double* __restrict im, std::size_t t, std::size_t q, Z x,
                                         double w_re, double w_im) {
  const Z y = times(x, w_re, w_im);
  re[t * p.out_step + q] = y.re;
  im[t * p.out_step + q] = y.im;
}

// Each pass computes, for every place q, the radix inputs that lie in_step apart as one small DFT,
// and multiplies output t by its twiddle factor (decimation in frequency; Stockham: the output is
// in order, so no bit reversal follows). Output 0 has twiddle 1 and is stored as it is. The loop
// over q is the vector loop: real and imaginary parts are separate arrays, so that a lane is a
// place.
UNDERSTUDY_VECTOR_CODE void pass2(const FftPass& p) {
  const Streams s{p.in_re, p.in_im, p.out_re, p.out_im};
  const double w_re = p.twiddle_re[1], w_im = p.twiddle_im[1];
  UNDERSTUDY_INDEPENDENT
  for (std::size_t q = 0; q < p.count; ++q) {
    const Z a = UNDERSTUDY_LOAD(0), b = UNDERSTUDY_LOAD(1);
    const Z sum = add(a, b);
    s.to_re[q] = sum.re;
    s.to_im[q] = sum.im;
    store(p, s.to_re, s.to_im, 1, q, minus(a, b), w_re, w_im);
  }
}

// DFT of 4: two DFTs of 2 over (a, c) and (b, d), joined by factors 1, i, -1, -i, which are swaps
// of parts and need no product.
UNDERSTUDY_VECTOR_CODE void pass4(const FftPass& p) {
  const Streams s{p.in_re, p.in_im, p.out_re, p.out_im};
  // The fourth root of unity is sign * i.
  const double sign = p.unit_im[1] < 0 ? -1.0 : 1.0;
  const double r1 = p.twiddle_re[1], i1 = p.twiddle_im[1], r2 = p.twiddle_re[2],
               i2 = p.twiddle_im[2], r3 = p.twiddle_re[3], i3 = p.twiddle_im[3];
  UNDERSTUDY_INDEPENDENT
  for (std::size_t q = 0; q < p.count; ++q) {
    const Z a = UNDERSTUDY_LOAD(0), b = UNDERSTUDY_LOAD(1), c = UNDERSTUDY_LOAD(2),
            d = UNDERSTUDY_LOAD(3);
    const Z even = add(a, c), odd = minus(a, c), sum = add(b, d), turn = turned(minus(b, d), sign);
    const Z first = add(even, sum);
    s.to_re[q] = first.re;
    s.to_im[q] = first.im;
    store(p, s.to_re, s.to_im, 1, q, add(odd, turn), r1, i1);
    store(p, s.to_re, s.to_im, 2, q, minus(even, sum), r2, i2);
    store(p, s.to_re, s.to_im, 3, q, minus(odd, turn), r3, i3);
  }
}

// DFT of 3 with w = cosine + i sine: outputs 1 and 2 are a + cosine (b + c) +- i sine (b - c), as
// the roots of unity are conjugates. 2 products of a real and a complex number instead of 4 complex
// ones.
UNDERSTUDY_VECTOR_CODE void pass3(const FftPass& p) {
  const Streams s{p.in_re, p.in_im, p.out_re, p.out_im};
  const double cosine = p.unit_re[1], sine = p.unit_im[1];
  const double r1 = p.twiddle_re[1], i1 = p.twiddle_im[1], r2 = p.twiddle_re[2],
               i2 = p.twiddle_im[2];
  UNDERSTUDY_INDEPENDENT
  for (std::size_t q = 0; q < p.count; ++q) {
    const Z a = UNDERSTUDY_LOAD(0), b = UNDERSTUDY_LOAD(1), c = UNDERSTUDY_LOAD(2);
    const Z sum = add(b, c), first = add(a, sum);
    const Z middle{a.re + cosine * sum.re, a.im + cosine * sum.im};
    const Z turn = turned(minus(b, c), sine);
    s.to_re[q] = first.re;
    s.to_im[q] = first.im;
    store(p, s.to_re, s.to_im, 1, q, add(middle, turn), r1, i1);
    store(p, s.to_re, s.to_im, 2, q, minus(middle, turn), r2, i2);
  }
}

// The same for 5: roots 1 and 4, 2 and 3 are conjugates, so sums and differences of their inputs
// are shared between outputs t and 5 - t.
UNDERSTUDY_VECTOR_CODE void pass5(const FftPass& p) {
  const Streams s{p.in_re, p.in_im, p.out_re, p.out_im};
  const double c1 = p.unit_re[1], s1 = p.unit_im[1], c2 = p.unit_re[2], s2 = p.unit_im[2];
  const double r1 = p.twiddle_re[1], i1 = p.twiddle_im[1], r2 = p.twiddle_re[2],
               i2 = p.twiddle_im[2], r3 = p.twiddle_re[3], i3 = p.twiddle_im[3],
               r4 = p.twiddle_re[4], i4 = p.twiddle_im[4];
  UNDERSTUDY_INDEPENDENT
  for (std::size_t q = 0; q < p.count; ++q) {
    const Z a = UNDERSTUDY_LOAD(0), b = UNDERSTUDY_LOAD(1), c = UNDERSTUDY_LOAD(2),
            d = UNDERSTUDY_LOAD(3), e = UNDERSTUDY_LOAD(4);
    const Z be = add(b, e), cd = add(c, d), b_e = minus(b, e), c_d = minus(c, d);
    const Z first = add(a, add(be, cd));
    const Z m1{a.re + (c1 * be.re + c2 * cd.re), a.im + (c1 * be.im + c2 * cd.im)};
    const Z m2{a.re + (c2 * be.re + c1 * cd.re), a.im + (c2 * be.im + c1 * cd.im)};
    const Z t1 = turned({s1 * b_e.re + s2 * c_d.re, s1 * b_e.im + s2 * c_d.im}, 1.0);
    const Z t2 = turned({s2 * b_e.re - s1 * c_d.re, s2 * b_e.im - s1 * c_d.im}, 1.0);
    s.to_re[q] = first.re;
    s.to_im[q] = first.im;
    store(p, s.to_re, s.to_im, 1, q, add(m1, t1), r1, i1);
    store(p, s.to_re, s.to_im, 2, q, add(m2, t2), r2, i2);
    store(p, s.to_re, s.to_im, 3, q, minus(m2, t2), r3, i3);
    store(p, s.to_re, s.to_im, 4, q, minus(m1, t1), r4, i4);
  }
}
#undef UNDERSTUDY_LOAD

// Any radix up to 16, as the definition says.
UNDERSTUDY_VECTOR_CODE void pass_any(const FftPass& p) {
  for (std::size_t t = 0; t < p.radix; ++t) {
    double* __restrict const to_re = p.out_re + t * p.out_step;
    double* __restrict const to_im = p.out_im + t * p.out_step;
    for (std::size_t q = 0; q < p.count; ++q) {
      to_re[q] = p.in_re[q];
      to_im[q] = p.in_im[q];
    }
    for (std::size_t u = 1; u < p.radix; ++u) {
      const double re = p.unit_re[t * u % p.radix], im = p.unit_im[t * u % p.radix];
      const double* __restrict const x_re = p.in_re + u * p.in_step;
      const double* __restrict const x_im = p.in_im + u * p.in_step;
      for (std::size_t q = 0; q < p.count; ++q) {
        to_re[q] += x_re[q] * re - x_im[q] * im;
        to_im[q] += x_re[q] * im + x_im[q] * re;
      }
    }
    const double re = p.twiddle_re[t], im = p.twiddle_im[t];
    for (std::size_t q = 0; q < p.count; ++q) {
      const Z y = times({to_re[q], to_im[q]}, re, im);
      to_re[q] = y.re;
      to_im[q] = y.im;
    }
  }
}

UNDERSTUDY_VECTOR_CODE void scale_row(const double* from_re, const double* from_im, double re,
                                      double im, double* to_re, double* to_im, std::size_t count) {
  // A row may be scaled in place: element by element this is no conflict.
  UNDERSTUDY_INDEPENDENT
  for (std::size_t q = 0; q < count; ++q) {
    const Z y = times({from_re[q], from_im[q]}, re, im);
    to_re[q] = y.re;
    to_im[q] = y.im;
  }
}

}  // namespace

void run_pass(const FftPass& pass) {
  switch (pass.radix) {
    case 2:
      return pass2(pass);
    case 3:
      return pass3(pass);
    case 4:
      return pass4(pass);
    case 5:
      return pass5(pass);
    default:
      return pass_any(pass);
  }
}

void scale(WaveRow from, double re, double im, WaveRow to, std::size_t count) {
  scale_row(from.re, from.im, re, im, to.re, to.im, count);
}

}  // namespace understudy::worker::ops
