// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: kernels with a fast formula that does not hold for every argument. The
// others are computed again, one by one, by the function for f64.
#pragma once

#include "program/kernels/complex_parts.inl.h"

namespace understudy::program::kernels {
namespace {

// A block through F::fast, then those elements again through F::exact for which F::holds(argument,
// result) is false.
template <class In, class Out, class F>
UNDERSTUDY_ONCE void map_blocks(const void* in, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const typename In::Stored*>(in);
  auto* y = static_cast<typename Out::Stored*>(out);
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = n - start < kBlock ? n - start : kBlock;
    typename Out::Stored fast[kBlock];
    u32 rare = 0;
    for (std::size_t i = 0; i < count; ++i) {
      fast[i] = F::fast(x[start + i]);
      rare |= F::holds(x[start + i], fast[i]) ? 0U : 1U;
    }
    for (std::size_t i = 0; rare != 0 && i < count; ++i) {
      if (!F::holds(x[start + i], fast[i])) fast[i] = F::exact(x[start + i]);
    }
    for (std::size_t i = 0; i < count; ++i) y[start + i] = fast[i];
  }
}

// Near its zeros below -2, lgamma needs more digits than the sum of the reflection has.
struct FastLgamma {
  static float fast(float x) { return settle(static_cast<float>(lgamma_fast(double{x}))); }
  static bool holds(float x, float y) {
    const bool above = x > 0.0F && x < 1e36F;
    const bool below = x < 0.0F && x > -4e6F && x != __builtin_rintf(x) && magnitude_of(y) > 0.05F;
    return above | below;
  }
  static float exact(float x) { return Lgamma::apply(x); }
};
struct FastDigamma {
  static float fast(float x) { return settle(static_cast<float>(digamma_fast(double{x}))); }
  static bool holds(float x, float) {
    return (x > 0.0F && x < 1e36F) | (x < 0.0F && x > -4e6F && x != __builtin_rintf(x));
  }
  static float exact(float x) { return Digamma::apply(x); }
};

// Of two doubles. Parts in which the rounding to f32 creates a NaN are settled.
inline Narrow narrowed(double re, double im) {
  return {settle(static_cast<float>(re)), settle(static_cast<float>(im))};
}
// Angles that sine_core() reduces, and sizes whose exponential is a normal double.
inline bool is_angle(float x) { return magnitude_of(x) < static_cast<float>(kSineReach); }
inline bool is_exponent(float x) { return magnitude_of(x) < 700.0F; }

struct FastComplexExp {
  static Narrow fast(Narrow x) {
    const double length = exp_core(double{x.re});
    const double im = double{x.im};
    return narrowed(length * sine_core(im, 1), im == 0.0 ? im : length * sine_core(im, 0));
  }
  static bool holds(Narrow x, Narrow) { return is_exponent(x.re) & is_angle(x.im); }
  static Narrow exact(Narrow x) { return ComplexExp::apply(x); }
};
// Where the formulas hold of functions that are periodic along the real, or the imaginary, axis.
struct PeriodicInReal {
  static bool holds(Narrow x, Narrow) {
    return is_angle(x.re) & is_exponent(x.im) & (x.re != 0.0F);
  }
};
struct PeriodicInImaginary {
  static bool holds(Narrow x, Narrow) {
    return is_exponent(x.re) & is_angle(x.im) & (x.im != 0.0F);
  }
};
struct FastComplexSin : PeriodicInReal {
  static Narrow fast(Narrow x) {
    const double re = double{x.re};
    const double im = double{x.im};
    return narrowed(sine_core(re, 0) * cosh_core(im), sine_core(re, 1) * sinh_core(im));
  }
  static Narrow exact(Narrow x) { return ComplexSin::apply(x); }
};
struct FastComplexCos : PeriodicInReal {
  static Narrow fast(Narrow x) {
    const double re = double{x.re};
    const double im = double{x.im};
    return narrowed(sine_core(re, 1) * cosh_core(im), -sine_core(re, 0) * sinh_core(im));
  }
  static Narrow exact(Narrow x) { return ComplexCos::apply(x); }
};
struct FastComplexSinh : PeriodicInImaginary {
  static Narrow fast(Narrow x) {
    const double re = double{x.re};
    const double im = double{x.im};
    return narrowed(sinh_core(re) * sine_core(im, 1), cosh_core(re) * sine_core(im, 0));
  }
  static Narrow exact(Narrow x) { return ComplexSinh::apply(x); }
};
struct FastComplexCosh : PeriodicInImaginary {
  static Narrow fast(Narrow x) {
    const double re = double{x.re};
    const double im = double{x.im};
    return narrowed(cosh_core(re) * sine_core(im, 1), sinh_core(re) * sine_core(im, 0));
  }
  static Narrow exact(Narrow x) { return ComplexCosh::apply(x); }
};
// tanh(a + ib) = (sinh a cosh a + i sin b cos b) / (sinh^2 a + cos^2 b): the terms of the divisor
// are positive.
inline Narrow fast_tanh(double re, double im) {
  const double sinh = sinh_core(re), cosine = sine_core(im, 1);
  const double below = sinh * sinh + cosine * cosine;
  return narrowed(sinh * cosh_core(re) / below, sine_core(im, 0) * cosine / below);
}
inline bool has_fast_tanh(float re, float im) {
  return (magnitude_of(re) < 300.0F) & is_angle(im) & (re != 0.0F) & (im != 0.0F);
}
struct FastComplexTanh {
  static Narrow fast(Narrow x) { return fast_tanh(double{x.re}, double{x.im}); }
  static bool holds(Narrow x, Narrow) { return has_fast_tanh(x.re, x.im); }
  static Narrow exact(Narrow x) { return ComplexTanh::apply(x); }
};
// -i tanh(i x).
struct FastComplexTan {
  static Narrow fast(Narrow x) {
    const Narrow y = fast_tanh(-double{x.im}, double{x.re});
    return {y.im, -y.re};
  }
  static bool holds(Narrow x, Narrow) { return has_fast_tanh(x.im, x.re); }
  static Narrow exact(Narrow x) { return ComplexTan::apply(x); }
};
// Squares of f32 are exact in double. Near |x| = 1, log |x| = log1p((a^2 - 1) + b^2) / 2 with the
// larger part a: its square less 1 is exact, too.
inline Z log_core(Narrow x) {
  const double p = magnitude_of(double{x.re});
  const double q = magnitude_of(double{x.im});
  const double a = p > q ? p : q;
  const double b = p > q ? q : p;
  const double square = a * a + b * b;
  const bool near = square > 0.5 && square < 2.0;
  const double log_of = near ? log1p_core((a * a - 1.0) + b * b) : log_positive(square);
  return {0.5 * log_of, atan2_core(double{x.im}, double{x.re})};
}
struct FastComplexLog {
  static Narrow fast(Narrow x) {
    const Z y = log_core(x);
    return narrowed(y.re, y.im);
  }
  static bool holds(Narrow x, Narrow) {
    return is_finite(x.re) & is_finite(x.im) & ((x.re != 0.0F) | (x.im != 0.0F));
  }
  static Narrow exact(Narrow x) { return ComplexLog::apply(x); }
};

// exp(w log x), NaN where the error of the logarithm would count, or one of the numbers is not
// plain: those are computed again.
inline Narrow fast_power(Narrow x, Narrow w) {
  const Z y = multiply(Z{double{w.re}, double{w.im}}, log_core(x));
  const double length = exp_core(y.re);
  const bool holds = is_plain(x) & is_plain(w) & (magnitude_of(y.re) < 80.0) &
                     (magnitude_of(y.im) < 200.0) & (y.im != 0.0);
  const double re = length * sine_core(y.im, 1), im = length * sine_core(y.im, 0);
  return {static_cast<float>(holds ? re : kNan64), static_cast<float>(im)};
}
UNDERSTUDY_ONCE void power_of_complex(const void* a, const void* b, void* out,
                                      std::size_t n) noexcept {
  const auto* x = static_cast<const Narrow*>(a);
  const auto* w = static_cast<const Narrow*>(b);
  auto* y = static_cast<Narrow*>(out);
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = n - start < kBlock ? n - start : kBlock;
    Narrow fast[kBlock];
    u32 rare = 0;
    for (std::size_t i = 0; i < count; ++i) {
      fast[i] = fast_power(x[start + i], w[start + i]);
      rare |= fast[i].re == fast[i].re ? 0U : 1U;
    }
    for (std::size_t i = 0; rare != 0 && i < count; ++i)
      if (fast[i].re != fast[i].re) fast[i] = ComplexPower::apply(x[start + i], w[start + i]);
    for (std::size_t i = 0; i < count; ++i) y[start + i] = fast[i];
  }
}

}  // namespace
}  // namespace understudy::program::kernels
