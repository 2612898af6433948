// SPDX-License-Identifier: Apache-2.0
// The enumerations that kernels are chosen by. Apart from everything else, because files that are
// compiled for one instruction set may include no standard containers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::program {

enum class ElementType : std::uint8_t {
  pred,
  i2,
  i4,
  i8,
  i16,
  i32,
  i64,
  ui2,
  ui4,
  ui8,
  ui16,
  ui32,
  ui64,
  f4e2m1fn,
  f6e2m3fn,
  f6e3m2fn,
  f8e3m4,
  f8e4m3,
  f8e4m3b11fnuz,
  f8e4m3fn,
  f8e4m3fnuz,
  f8e5m2,
  f8e5m2fnuz,
  f8e8m0fnu,
  bf16,
  f16,
  f32,
  f64,
  c64,
  c128,
};
inline constexpr std::size_t kElementTypes = 30;

enum class UnaryOp : std::uint8_t {
  abs,
  cbrt,
  ceil,
  cosine,
  count_leading_zeros,
  exponential,
  exponential_minus_one,
  floor,
  imag,
  is_finite,
  log,
  log_plus_one,
  logistic,
  negate,
  logical_not,
  popcnt,
  real,
  round_nearest_afz,
  round_nearest_even,
  rsqrt,
  sign,
  sine,
  sqrt,
  tan,
  tanh,
  // chlo
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  bessel_i1e,
  conj,
  cosh,
  digamma,
  erf,
  erf_inv,
  erfc,
  is_inf,
  is_neg_inf,
  is_pos_inf,
  lgamma,
  sinh,
  square,
};

enum class BinaryOp : std::uint8_t {
  add,
  atan2,
  complex,
  divide,
  maximum,
  minimum,
  multiply,
  power,
  remainder,
  shift_left,
  shift_right_arithmetic,
  shift_right_logical,
  subtract,
  logical_and,
  logical_or,
  logical_xor,
  next_after,
  polygamma,
  zeta,
};

enum class Direction : std::uint8_t { eq, ne, ge, gt, le, lt };

// A reducer that the fast kernels know; `none` means: run the body.
enum class Reduction : std::uint8_t {
  none,
  sum,
  product,
  minimum,
  maximum,
  logical_and,
  logical_or
};

}  // namespace understudy::program
