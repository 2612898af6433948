// SPDX-License-Identifier: Apache-2.0
// The enumerations that kernels are chosen by. Apart from everything else, because files that are
// compiled for one instruction set may include no standard containers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::program {

// Stored in executables and cache entries by number: the order is part of both formats.
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
// The number of enumerators above.
inline constexpr std::size_t kElementTypes = 30;

// Element-wise functions: enumerator and word, which is the name in StableHLO or CHLO.
#define UNDERSTUDY_ENUMERATOR(name, word) name,
// clang-format off
#define UNDERSTUDY_UNARY_OPS(row)                                                                  \
  row(abs, abs) row(cbrt, cbrt) row(ceil, ceil) row(cosine, cosine)                                \
  row(count_leading_zeros, count_leading_zeros) row(exponential, exponential)                      \
  row(exponential_minus_one, exponential_minus_one) row(floor, floor) row(imag, imag)              \
  row(is_finite, is_finite) row(log, log) row(log_plus_one, log_plus_one)                          \
  row(logistic, logistic) row(negate, negate) row(logical_not, not) row(popcnt, popcnt)            \
  row(real, real) row(round_nearest_afz, round_nearest_afz)                                        \
  row(round_nearest_even, round_nearest_even) row(rsqrt, rsqrt) row(sign, sign) row(sine, sine)    \
  row(sqrt, sqrt) row(tan, tan) row(tanh, tanh) row(acos, acos) row(acosh, acosh)                  \
  row(asin, asin) row(asinh, asinh) row(atan, atan) row(atanh, atanh)                              \
  row(bessel_i1e, bessel_i1e) row(conj, conj) row(cosh, cosh) row(digamma, digamma)                \
  row(erf, erf) row(erf_inv, erf_inv) row(erfc, erfc) row(is_inf, is_inf)                          \
  row(is_neg_inf, is_neg_inf) row(is_pos_inf, is_pos_inf) row(lgamma, lgamma) row(sinh, sinh)      \
  row(square, square)

enum class UnaryOp : std::uint8_t { UNDERSTUDY_UNARY_OPS(UNDERSTUDY_ENUMERATOR) };

#define UNDERSTUDY_BINARY_OPS(row)                                                                 \
  row(add, add) row(atan2, atan2) row(complex, complex) row(divide, divide)                        \
  row(maximum, maximum) row(minimum, minimum) row(multiply, multiply) row(power, power)            \
  row(remainder, remainder) row(shift_left, shift_left)                                            \
  row(shift_right_arithmetic, shift_right_arithmetic)                                              \
  row(shift_right_logical, shift_right_logical) row(subtract, subtract) row(logical_and, and)      \
  row(logical_or, or) row(logical_xor, xor) row(next_after, next_after)                            \
  row(polygamma, polygamma) row(zeta, zeta) row(hypot, hypot)

enum class BinaryOp : std::uint8_t { UNDERSTUDY_BINARY_OPS(UNDERSTUDY_ENUMERATOR) };
// clang-format on
#undef UNDERSTUDY_ENUMERATOR

// Comparisons, in the order of HLO's and StableHLO's words EQ, NE, GE, GT, LE, LT.
enum class Direction : std::uint8_t { eq, ne, ge, gt, le, lt };

// A reducer that the fast kernels know; `none` means: run the body.
enum class Reduction : std::uint8_t {
  none,
  sum,
  product,
  minimum,
  maximum,
  logical_and,
  logical_or,
  logical_xor
};

// The last value of each enumeration, for readers of stored executables.
constexpr ElementType last_of(ElementType /*of*/) { return ElementType::c128; }
constexpr UnaryOp last_of(UnaryOp /*of*/) { return UnaryOp::square; }
constexpr BinaryOp last_of(BinaryOp /*of*/) { return BinaryOp::hypot; }
constexpr Direction last_of(Direction /*of*/) { return Direction::lt; }
constexpr Reduction last_of(Reduction /*of*/) { return Reduction::logical_xor; }

}  // namespace understudy::program
