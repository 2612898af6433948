// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: element-wise functions of one real argument.
#pragma once

#include "program/kernels/lane_functions.inl.h"
#include "program/kernels/small_floats.inl.h"
#include "program/kernels/wide_math.inl.h"

namespace understudy::program::kernels {
namespace {

// A function on f32 through a core in double, and on f64 through libm or the same core. libm is
// called for f64 because a rounded double result needs more precision than the cores have.
#define UNDERSTUDY_FLOAT_FUNCTION(Name, core32, core64)                        \
  struct Name {                                                                \
    static float apply(float x) { return settle(static_cast<float>(core32)); } \
    static double apply(double x) { return settle(core64); }                   \
  };
UNDERSTUDY_FLOAT_FUNCTION(Exponential, exp_f32(x), __builtin_exp(x))
UNDERSTUDY_FLOAT_FUNCTION(ExponentialMinusOne, expm1_f32(x), __builtin_expm1(x))
UNDERSTUDY_FLOAT_FUNCTION(Log, log_f32(x), __builtin_log(x))
UNDERSTUDY_FLOAT_FUNCTION(LogPlusOne, log1p_f32(x), __builtin_log1p(x))
UNDERSTUDY_FLOAT_FUNCTION(Logistic, logistic_f32(x), logistic_full(x))
UNDERSTUDY_FLOAT_FUNCTION(Tanh, tanh_f32(x), __builtin_tanh(x))
UNDERSTUDY_FLOAT_FUNCTION(Sinh, sinh_core(double{x}), __builtin_sinh(x))
UNDERSTUDY_FLOAT_FUNCTION(Cosh, cosh_core(double{x}), __builtin_cosh(x))
UNDERSTUDY_FLOAT_FUNCTION(Tangent, __builtin_tan(double{x}), __builtin_tan(x))
UNDERSTUDY_FLOAT_FUNCTION(Cbrt, cbrt_core(double{x}), __builtin_cbrt(x))
UNDERSTUDY_FLOAT_FUNCTION(Rsqrt, 1.0F / __builtin_sqrtf(x), 1.0 / __builtin_sqrt(x))
UNDERSTUDY_FLOAT_FUNCTION(Sqrt, __builtin_sqrtf(x), __builtin_sqrt(x))
UNDERSTUDY_FLOAT_FUNCTION(Erf, erf_f32(x), __builtin_erf(x))
UNDERSTUDY_FLOAT_FUNCTION(ErfInv, erf_inv_f32(x), erf_inv_full(x))
UNDERSTUDY_FLOAT_FUNCTION(Erfc, erfc_f32(x), __builtin_erfc(x))
UNDERSTUDY_FLOAT_FUNCTION(Acos, acos_core(double{x}), __builtin_acos(x))
UNDERSTUDY_FLOAT_FUNCTION(Acosh, acosh_f32(x), __builtin_acosh(x))
UNDERSTUDY_FLOAT_FUNCTION(Asin, asin_core(double{x}), __builtin_asin(x))
UNDERSTUDY_FLOAT_FUNCTION(Asinh, asinh_f32(x), __builtin_asinh(x))
UNDERSTUDY_FLOAT_FUNCTION(Atan, atan_core(double{x}), __builtin_atan(x))
UNDERSTUDY_FLOAT_FUNCTION(Atanh, atanh_f32(x), __builtin_atanh(x))
UNDERSTUDY_FLOAT_FUNCTION(BesselI1e, bessel_i1e_core(double{x}), bessel_i1e_core(x))
UNDERSTUDY_FLOAT_FUNCTION(Digamma, digamma_core(double{x}), digamma_core(x))
UNDERSTUDY_FLOAT_FUNCTION(Lgamma, lgamma_core(double{x}), lgamma_core(x))
UNDERSTUDY_FLOAT_FUNCTION(Ceil, __builtin_ceilf(x), __builtin_ceil(x))
UNDERSTUDY_FLOAT_FUNCTION(Floor, __builtin_floorf(x), __builtin_floor(x))
UNDERSTUDY_FLOAT_FUNCTION(RoundAway, __builtin_roundf(x), __builtin_round(x))
UNDERSTUDY_FLOAT_FUNCTION(RoundEven, __builtin_rintf(x), __builtin_rint(x))
UNDERSTUDY_FLOAT_FUNCTION(Sine, __builtin_sin(double{x}), __builtin_sin(x))
UNDERSTUDY_FLOAT_FUNCTION(Cosine, __builtin_cos(double{x}), __builtin_cos(x))
#undef UNDERSTUDY_FLOAT_FUNCTION

// By the sign bit, so NaN and -0 are handled without a comparison. The smallest integer wraps to
// itself.
struct Absolute {
  static float apply(float x) {
    return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) & 0x7fffffffU);
  }
  static double apply(double x) { return magnitude_of(x); }
  template <class T>
  static T apply(T x) {
    return x < T(0) ? static_cast<T>(T(0) - static_cast<u64>(x)) : x;
  }
};
// By the sign bit: 0 - x would give +0 for +0.
struct Negate {
  static float apply(float x) {
    return __builtin_bit_cast(float, __builtin_bit_cast(u32, x) ^ 0x80000000U);
  }
  static double apply(double x) { return -x; }
  template <class T>
  static T apply(T x) {
    return static_cast<T>(u64{0} - static_cast<u64>(x));
  }
};
// Zeros keep their sign.
struct Sign {
  static float apply(float x) { return x != x ? kNan32 : x > 0 ? 1.0F : x < 0 ? -1.0F : x; }
  static double apply(double x) { return x != x ? kNan64 : x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
  template <class T>
  static T apply(T x) {
    return static_cast<T>((x > T(0)) - (x < T(0)));
  }
};
struct Square {
  static float apply(float x) { return settle(x * x); }
  static double apply(double x) { return settle(x * x); }
  template <class T>
  static T apply(T x) {
    return static_cast<T>(static_cast<u64>(x) * static_cast<u64>(x));
  }
};
struct Same {
  template <class T>
  static T apply(T x) {
    return x;
  }
};

// x - x is NaN for infinities and NaN.
struct IsFinite {
  template <class T>
  static u8 apply(T x) {
    return (x - x) == T(0);
  }
};
struct IsInf {
  template <class T>
  static u8 apply(T x) {
    return Absolute::apply(x) == T(kInf64);
  }
};
struct IsPosInf {
  template <class T>
  static u8 apply(T x) {
    return x == T(kInf64);
  }
};
struct IsNegInf {
  template <class T>
  static u8 apply(T x) {
    return x == -T(kInf64);
  }
};

// The bits of an integer's width, the others zero.
template <class Tag>
inline u64 bits_of(typename Tag::Value x) {
  return static_cast<u64>(x) & (~u64{0} >> (64 - Tag::bits));
}
template <class Tag>
struct LogicalNot {
  static typename Tag::Value apply(typename Tag::Value x) {
    if constexpr (Tag::family == Family::pred) {
      return static_cast<u8>(x ^ 1U);
    } else {
      return static_cast<typename Tag::Value>(~x);
    }
  }
};

}  // namespace
}  // namespace understudy::program::kernels
