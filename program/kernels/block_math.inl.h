// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: kernels with a fast formula that does not hold for every argument. The
// others are computed again, one by one, by the function for f64.
#pragma once

#include "program/kernels/complex_lanes.inl.h"

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
struct FastComplexSin {
  static Narrow fast(Narrow x) {
    const double re = double{x.re};
    const double im = double{x.im};
    return narrowed(sine_core(re, 0) * cosh_core(im), sine_core(re, 1) * sinh_core(im));
  }
  static bool holds(Narrow x, Narrow) {
    return is_angle(x.re) & is_exponent(x.im) & (x.re != 0.0F);
  }
  static Narrow exact(Narrow x) { return ComplexSin::apply(x); }
};
struct FastComplexCos {
  static Narrow fast(Narrow x) {
    const double re = double{x.re};
    const double im = double{x.im};
    return narrowed(sine_core(re, 1) * cosh_core(im), -sine_core(re, 0) * sinh_core(im));
  }
  static bool holds(Narrow x, Narrow) {
    return is_angle(x.re) & is_exponent(x.im) & (x.re != 0.0F);
  }
  static Narrow exact(Narrow x) { return ComplexCos::apply(x); }
};
// Squares of f32 are exact in double. Near |x| = 1, log |x| = log1p((a^2 - 1) + b^2) / 2 with the
// larger part a: its square less 1 is exact, too.
struct FastComplexLog {
  static Narrow fast(Narrow x) {
    const double p = magnitude_of(double{x.re});
    const double q = magnitude_of(double{x.im});
    const double a = p > q ? p : q;
    const double b = p > q ? q : p;
    const double square = a * a + b * b;
    const bool near = square > 0.5 && square < 2.0;
    const double log_of = near ? log1p_core((a * a - 1.0) + b * b) : log_positive(square);
    return narrowed(0.5 * log_of, atan2_core(double{x.im}, double{x.re}));
  }
  static bool holds(Narrow x, Narrow) {
    return is_finite(x.re) & is_finite(x.im) & ((x.re != 0.0F) | (x.im != 0.0F));
  }
  static Narrow exact(Narrow x) { return ComplexLog::apply(x); }
};

}  // namespace
}  // namespace understudy::program::kernels
