// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: functions of complex arguments, computed in double and rounded once. The
// formulas avoid cancellation where the textbook form would lose digits.
#pragma once

#include "program/kernels/binary.inl.h"

namespace understudy::program::kernels {
namespace {

using Z = Complex<double>;

// Forces a product to be rounded before it is added. g++ 12 combines alternating sums of products
// into fmaddsub for AVX-512 even with contraction off, which would give other bits than AVX2. Not
// for vectors: it would move each element on its own, and their sums do not alternate.
#if defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
#define UNDERSTUDY_ROUNDED(product) __builtin_assoc_barrier(product)
#endif
#endif
#ifndef UNDERSTUDY_ROUNDED
#define UNDERSTUDY_ROUNDED(product) (product)
#endif

inline Z add(Z a, Z b) { return {a.re + b.re, a.im + b.im}; }
inline Z subtract(Z a, Z b) { return {a.re - b.re, a.im - b.im}; }
inline Z multiply(Z a, Z b) {
  return {UNDERSTUDY_ROUNDED(a.re * b.re) - UNDERSTUDY_ROUNDED(a.im * b.im),
          UNDERSTUDY_ROUNDED(a.re * b.im) + UNDERSTUDY_ROUNDED(a.im * b.re)};
}
inline Z scale(Z a, double by) { return {a.re * by, a.im * by}; }
inline double modulus(Z a) { return __builtin_hypot(a.re, a.im); }
inline double argument(Z a) { return __builtin_atan2(a.im, a.re); }

// Smith's algorithm (1962): scaling by the larger part of the divisor neither overflows nor
// underflows in between. Division by zero gives infinities or NaN per part.
UNDERSTUDY_ONCE Z divide(Z a, Z b) {
  if (b.re == 0.0 && b.im == 0.0) return {a.re / magnitude_of(b.re), a.im / magnitude_of(b.re)};
  if (magnitude_of(b.re) >= magnitude_of(b.im)) {
    const double ratio = b.im / b.re;
    const double below = b.re + UNDERSTUDY_ROUNDED(b.im * ratio);
    return {(a.re + UNDERSTUDY_ROUNDED(a.im * ratio)) / below,
            (a.im - UNDERSTUDY_ROUNDED(a.re * ratio)) / below};
  }
  const double ratio = b.re / b.im;
  const double below = UNDERSTUDY_ROUNDED(b.re * ratio) + b.im;
  return {(UNDERSTUDY_ROUNDED(a.re * ratio) + a.im) / below,
          (UNDERSTUDY_ROUNDED(a.im * ratio) - a.re) / below};
}

// Zero stays zero even if the angle is NaN or infinite, and an angle of +-0 keeps its sign.
inline Z polar(double length, double angle) {
  if (length == 0.0) return {0.0, 0.0};
  return {length * __builtin_cos(angle), angle == 0.0 ? angle : length * __builtin_sin(angle)};
}
UNDERSTUDY_ONCE Z exponential(Z a) {
  if (a.re == -kInf64 && (a.im - a.im) != 0.0) return {0.0, 0.0};
  return polar(__builtin_exp(a.re), a.im);
}
// A value and what its rounding lost: together exact (Dekker 1971, Knuth).
struct Exact {
  double value, lost;
};
inline Exact exact_square(double x) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1: halves of 26 bits
  const double shifted = x * kSplit;
  const double high = shifted - (shifted - x);
  const double low = x - high;
  const double square = x * x;
  const double rest = UNDERSTUDY_ROUNDED(high * high) - square;
  return {square, (rest + UNDERSTUDY_ROUNDED(2.0 * high * low)) + UNDERSTUDY_ROUNDED(low * low)};
}
inline Exact exact_sum(double a, double b) {
  const double sum = a + b;
  const double second = sum - a;
  return {sum, (a - (sum - second)) + (b - second)};
}
// x^2 + y^2 + z with an error that stays small where the terms cancel. For numbers near 1.
inline double squares_and(double x, double y, double z) {
  const Exact xx = exact_square(x);
  const Exact yy = exact_square(y);
  const Exact first = exact_sum(xx.value, z);
  const Exact all = exact_sum(first.value, yy.value);
  return all.value + (all.lost + first.lost + xx.lost + yy.lost);
}
inline bool near_one(double length) { return length > 0.5 && length < 2.0; }

// log|a| near |a| = 1 is log1p(re^2 + im^2 - 1) / 2, with the sum computed exactly: log of a
// rounded modulus would have no correct digits there.
UNDERSTUDY_ONCE Z logarithm(Z a) {
  const double length = modulus(a);
  const double y = near_one(length) ? 0.5 * __builtin_log1p(squares_and(a.re, a.im, -1.0))
                                    : __builtin_log(length);
  return {y, argument(a)};
}
// The larger part by a sum of positive terms, the smaller one by division: no cancellation.
UNDERSTUDY_ONCE Z square_root(Z a) {
  if (a.re == 0.0 && a.im == 0.0) return {0.0, a.im};
  if (magnitude_of(a.im) == kInf64) return {kInf64, a.im};
  const double larger = __builtin_sqrt(0.5 * (modulus(a) + magnitude_of(a.re)));
  const double smaller = 0.5 * a.im / larger;
  if (a.re >= 0.0) return {larger, smaller};
  return {magnitude_of(smaller), __builtin_copysign(larger, a.im)};
}
UNDERSTUDY_ONCE Z sine(Z a) {
  return {__builtin_sin(a.re) * __builtin_cosh(a.im), __builtin_cos(a.re) * __builtin_sinh(a.im)};
}
UNDERSTUDY_ONCE Z cosine(Z a) {
  return {__builtin_cos(a.re) * __builtin_cosh(a.im), -__builtin_sin(a.re) * __builtin_sinh(a.im)};
}
// Beyond 350 the real part is 1 in double, and cosh^2 would overflow soon.
UNDERSTUDY_ONCE Z hyperbolic_tangent(Z a) {
  if (magnitude_of(a.re) > 350.0) return {__builtin_copysign(1.0, a.re), 0.0};
  const double tangent = __builtin_tan(a.im);
  const double sinh = __builtin_sinh(a.re);
  const double cosh = __builtin_cosh(a.re);
  const double below = 1.0 + tangent * tangent * (sinh / cosh) * (sinh / cosh);
  const double secant = 1.0 + tangent * tangent;
  return {(sinh / cosh) * secant / below, tangent / (cosh * cosh) / below};
}
inline Z one_plus(Z a) { return {1.0 + a.re, a.im}; }
// e^a - 1 by cos y = 1 - 2 sin^2(y/2), so that small a does not cancel.
UNDERSTUDY_ONCE Z minus_one(Z a) {
  const double sine_half = __builtin_sin(0.5 * a.im);
  const double grown = __builtin_expm1(a.re);
  return {grown * __builtin_cos(a.im) - 2.0 * sine_half * sine_half,
          (grown + 1.0) * __builtin_sin(a.im)};
}
// 0^0 is 1, and 0 to any other power is 0.
UNDERSTUDY_ONCE Z raise(Z a, Z b) {
  if (a.re == 0.0 && a.im == 0.0) {
    return b.re == 0.0 && b.im == 0.0 ? Z{1.0, 0.0} : Z{0.0, 0.0};
  }
  if (b.re == 0.0 && b.im == 0.0) return {1.0, 0.0};
  return exponential(multiply(b, logarithm(a)));
}
inline Z direction(Z a) {
  const double length = modulus(a);
  return length == 0.0 ? Z{0.0, 0.0} : scale(a, 1.0 / length);
}
UNDERSTUDY_ONCE Z log_one_plus(Z a) {
  const double length = modulus(one_plus(a));
  const double y = near_one(length) ? 0.5 * __builtin_log1p(squares_and(a.re, a.im, 2.0 * a.re))
                                    : __builtin_log(length);
  return {y, argument(one_plus(a))};
}
// 1 + e^a for |e^a| <= 1, also near its zeros at odd multiples of i pi: both terms of the real part
// are positive, so they do not cancel.
inline Z one_plus_exponential(Z a) {
  const double length = __builtin_exp(a.re);
  const double half = __builtin_cos(0.5 * a.im);
  return {2.0 * length * half * half - __builtin_expm1(a.re), length * __builtin_sin(a.im)};
}
UNDERSTUDY_ONCE Z logistic(Z a) {
  const bool left = a.re < 0.0;
  // By symmetry e^small never overflows: logistic(a) = 1 / (1 + e^-a) = e^a / (1 + e^a).
  const Z small = left ? a : Z{-a.re, -a.im};
  if ((small.im - small.im) != 0.0 || small.re == -kInf64) {
    const Z e = exponential(small);
    return divide(left ? e : Z{1.0, 0.0}, one_plus(e));
  }
  return divide(left ? exponential(a) : Z{1.0, 0.0}, one_plus_exponential(small));
}
UNDERSTUDY_ONCE Z cube_root(Z a) {
  const double length = modulus(a);
  return polar(__builtin_cbrt(length), argument(a) / 3.0);
}
inline Z tangent(Z a) {
  const Z t = hyperbolic_tangent({-a.im, a.re});
  return {t.im, -t.re};
}

// -i log((x + i y) / sqrt(x^2 + y^2)), as XLA defines it.
UNDERSTUDY_ONCE Z arctangent(Z y, Z x) {
  const Z turned = add(x, {-y.im, y.re});
  const Z length = square_root(add(multiply(x, x), multiply(y, y)));
  const Z angle = logarithm(divide(turned, length));
  return {angle.im, -angle.re};
}

// libm's functions of C's complex type, with its rules for infinities and branch cuts.
__extension__ typedef _Complex double LibraryComplex;
#define UNDERSTUDY_COMPLEX_LIBRARY(name, function)                                 \
  UNDERSTUDY_ONCE Z name(Z a) {                                                    \
    return __builtin_bit_cast(Z, function(__builtin_bit_cast(LibraryComplex, a))); \
  }
UNDERSTUDY_COMPLEX_LIBRARY(arc_cosine, __builtin_cacos)
UNDERSTUDY_COMPLEX_LIBRARY(arc_sine, __builtin_casin)
UNDERSTUDY_COMPLEX_LIBRARY(arc_tangent, __builtin_catan)
UNDERSTUDY_COMPLEX_LIBRARY(area_cosine, __builtin_cacosh)
UNDERSTUDY_COMPLEX_LIBRARY(area_sine, __builtin_casinh)
UNDERSTUDY_COMPLEX_LIBRARY(area_tangent, __builtin_catanh)
UNDERSTUDY_COMPLEX_LIBRARY(hyperbolic_cosine, __builtin_ccosh)
UNDERSTUDY_COMPLEX_LIBRARY(hyperbolic_sine, __builtin_csinh)
#undef UNDERSTUDY_COMPLEX_LIBRARY

// Lexicographic order: by real parts, then by imaginary parts.
inline bool is_less(Z a, Z b) { return a.re < b.re || (a.re == b.re && a.im < b.im); }
inline bool has_nan(Z a) { return a.re != a.re || a.im != a.im; }

#define UNDERSTUDY_COMPLEX_ONE(Name, expression)                           \
  struct Name {                                                            \
    template <class T>                                                     \
    static Complex<T> apply(Complex<T> x) {                                \
      const Z a{x.re, x.im};                                               \
      const Z y = expression;                                              \
      return {settle(static_cast<T>(y.re)), settle(static_cast<T>(y.im))}; \
    }                                                                      \
  };
UNDERSTUDY_COMPLEX_ONE(ComplexExp, exponential(a))
UNDERSTUDY_COMPLEX_ONE(ComplexExpm1, minus_one(a))
UNDERSTUDY_COMPLEX_ONE(ComplexLog, logarithm(a))
UNDERSTUDY_COMPLEX_ONE(ComplexLog1p, log_one_plus(a))
UNDERSTUDY_COMPLEX_ONE(ComplexLogistic, logistic(a))
UNDERSTUDY_COMPLEX_ONE(ComplexSqrt, square_root(a))
UNDERSTUDY_COMPLEX_ONE(ComplexRsqrt, divide({1.0, 0.0}, square_root(a)))
UNDERSTUDY_COMPLEX_ONE(ComplexCbrt, cube_root(a))
UNDERSTUDY_COMPLEX_ONE(ComplexSin, sine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexCos, cosine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexTan, tangent(a))
UNDERSTUDY_COMPLEX_ONE(ComplexTanh, hyperbolic_tangent(a))
UNDERSTUDY_COMPLEX_ONE(ComplexSign, direction(a))
UNDERSTUDY_COMPLEX_ONE(ComplexAcos, arc_cosine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexAcosh, area_cosine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexAsin, arc_sine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexAsinh, area_sine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexAtan, arc_tangent(a))
UNDERSTUDY_COMPLEX_ONE(ComplexAtanh, area_tangent(a))
UNDERSTUDY_COMPLEX_ONE(ComplexCosh, hyperbolic_cosine(a))
UNDERSTUDY_COMPLEX_ONE(ComplexSinh, hyperbolic_sine(a))
#undef UNDERSTUDY_COMPLEX_ONE

#define UNDERSTUDY_COMPLEX_TWO(Name, expression)                           \
  struct Name {                                                            \
    template <class T>                                                     \
    static Complex<T> apply(Complex<T> x, Complex<T> w) {                  \
      const Z a{x.re, x.im};                                               \
      const Z b{w.re, w.im};                                               \
      const Z y = expression;                                              \
      return {settle(static_cast<T>(y.re)), settle(static_cast<T>(y.im))}; \
    }                                                                      \
  };
UNDERSTUDY_COMPLEX_TWO(ComplexAdd, add(a, b))
UNDERSTUDY_COMPLEX_TWO(ComplexSubtract, subtract(a, b))
UNDERSTUDY_COMPLEX_TWO(ComplexDivide, divide(a, b))
UNDERSTUDY_COMPLEX_TWO(ComplexPower, raise(a, b))
UNDERSTUDY_COMPLEX_TWO(ComplexAtan2, arctangent(a, b))
UNDERSTUDY_COMPLEX_TWO(ComplexMaximum, has_nan(a) || (!has_nan(b) && is_less(b, a)) ? a : b)
UNDERSTUDY_COMPLEX_TWO(ComplexMinimum, has_nan(a) || (!has_nan(b) && is_less(a, b)) ? a : b)
#undef UNDERSTUDY_COMPLEX_TWO

// Change signs alone, also that of a NaN, as those of floats do.
struct ComplexNegate {
  template <class T>
  static Complex<T> apply(Complex<T> x) {
    return {-x.re, -x.im};
  }
};
struct Conjugate {
  template <class T>
  static Complex<T> apply(Complex<T> x) {
    return {x.re, -x.im};
  }
};
// In the parts' own type, as XLA expands it: each product and sum is rounded.
struct ComplexMultiply {
  template <class T>
  static Complex<T> apply(Complex<T> a, Complex<T> b) {
    return {settle(UNDERSTUDY_ROUNDED(a.re * b.re) - UNDERSTUDY_ROUNDED(a.im * b.im)),
            settle(UNDERSTUDY_ROUNDED(a.re * b.im) + UNDERSTUDY_ROUNDED(a.im * b.re))};
  }
};
struct ComplexSquare {
  template <class T>
  static Complex<T> apply(Complex<T> x) {
    return ComplexMultiply::apply(x, x);
  }
};

struct ModulusOf {
  template <class T>
  static T apply(Complex<T> x) {
    return settle(static_cast<T>(modulus({x.re, x.im})));
  }
};
struct RealOf {
  template <class T>
  static T apply(Complex<T> x) {
    return x.re;
  }
};
struct ImagOf {
  template <class T>
  static T apply(Complex<T> x) {
    return x.im;
  }
};
struct ZeroOf {
  template <class T>
  static T apply(T) {
    return T(0);
  }
};
struct ComplexOf {
  template <class T>
  static Complex<T> apply(T re, T im) {
    return {re, im};
  }
};

}  // namespace
}  // namespace understudy::program::kernels
