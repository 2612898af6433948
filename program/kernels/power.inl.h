// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: powers of f32.
#pragma once

#include <utility>

#include "program/kernels/binary.inl.h"

namespace understudy::program::kernels {
namespace {

// Exponents that programs write: their powers are products, quotients and roots in double. Squares
// are often halfway between two floats, which other ways would miss.
constexpr float kPlainExponents[] = {0.5F, -0.5F, 3.0F, -1.0F, 1.5F, 4.0F, -2.0F, 2.0F, 1.0F, 0.0F};
constexpr std::size_t kPlainExponentCount = sizeof(kPlainExponents) / sizeof(float);
template <std::size_t kExponent>
UNDERSTUDY_INLINE double plain_power(double base) {
  if constexpr (kExponent == 0) return __builtin_sqrt(base);
  if constexpr (kExponent == 1) return 1.0 / __builtin_sqrt(base);
  if constexpr (kExponent == 2) return base * base * base;
  if constexpr (kExponent == 3) return 1.0 / base;
  if constexpr (kExponent == 4) return base * __builtin_sqrt(base);
  if constexpr (kExponent == 5) return base * base * (base * base);
  if constexpr (kExponent == 6) return 1.0 / (base * base);
  if constexpr (kExponent == 7) return base * base;
  return kExponent == 8 ? base : 1.0;
}
// The magnitude of a base; 1 for those that libm computes.
UNDERSTUDY_INLINE double base_of(float x) {
  const double base = magnitude_of(double{x});
  return base > 0.0 && base < kInf64 ? base : 1.0;
}
// Whether one of the exponents is a multiple of 1/2 between -4 and 4, as those of kPlainExponents
// are.
UNDERSTUDY_INLINE bool has_half_numbers(const float* y, std::size_t n) {
  u32 found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float twice = magnitude_of(y[i]) <= 4.0F ? y[i] * 2.0F : 0.25F;
    found |= static_cast<float>(static_cast<i32>(twice)) == twice ? 1U : 0U;
  }
  return found != 0;
}
// The powers of magnitudes whose exponents are all this one.
template <std::size_t kExponent>
UNDERSTUDY_INLINE void put_plain_powers(const float* x, std::size_t n, float* out) {
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<float>(plain_power<kExponent>(base_of(x[i])));
}
template <std::size_t... kExponent>
UNDERSTUDY_INLINE void put_plain_powers(const float* x, std::size_t n, u32 found, float* out,
                                        std::index_sequence<kExponent...> /*each*/) {
  ((found == 1U << kExponent ? put_plain_powers<kExponent>(x, n, out) : void()), ...);
}
// Those of plain exponents among others. kRoots, kInverses: whether there are halves, and negative
// ones. Roots and quotients have loops of their own, as compilers compute them one by one where
// they are selected.
template <bool kRoots, bool kInverses>
UNDERSTUDY_INLINE void put_mixed_powers(const float* x, const float* y, std::size_t n, float* out) {
  double roots[kBlock], powers[kBlock];
  for (std::size_t i = 0; kRoots && i < n; ++i) roots[i] = __builtin_sqrt(base_of(x[i]));
  for (std::size_t i = 0; i < n; ++i) {
    const double base = base_of(x[i]), exponent = double{y[i]}, square = base * base;
    const double size = magnitude_of(exponent);
    double power = size == 1.0 ? base : 1.0;
    power = size == 2.0 ? square : power;
    power = exponent == 3.0 ? square * base : power;
    power = exponent == 4.0 ? square * square : power;
    if constexpr (kRoots) {
      power = size == 0.5 ? roots[i] : power;
      power = exponent == 1.5 ? base * roots[i] : power;
    }
    powers[i] = power;
  }
  double inverses[kBlock];
  for (std::size_t i = 0; kInverses && i < n; ++i) inverses[i] = 1.0 / powers[i];
  for (std::size_t i = 0; i < n; ++i) {
    const float exponent = y[i], size = magnitude_of(exponent);
    bool is_plain =
        (size == 0.0F) | (size == 1.0F) | (size == 2.0F) | (exponent == 3.0F) | (exponent == 4.0F);
    if constexpr (kRoots) is_plain = is_plain | (size == 0.5F) | (exponent == 1.5F);
    double power = powers[i];
    if constexpr (kInverses) power = exponent < 0.0F ? inverses[i] : power;
    out[i] = is_plain ? static_cast<float>(power) : out[i];
  }
}
UNDERSTUDY_INLINE void put_mixed_powers(const float* x, const float* y, std::size_t n, u32 found,
                                        float* out) {
  const auto which = [](auto is_one) constexpr {
    u32 found_in_list = 0;
    for (std::size_t e = 0; e < kPlainExponentCount; ++e)
      found_in_list |= is_one(kPlainExponents[e]) ? 1U << e : 0U;
    return found_in_list;
  };
  constexpr u32 kHalves =
      which([](float e) { return e != static_cast<float>(static_cast<i32>(e)); });
  constexpr u32 kNegative = which([](float e) { return e < 0.0F; });
  const bool roots = (found & kHalves) != 0, inverses = (found & kNegative) != 0;
  if (roots && inverses) return put_mixed_powers<true, true>(x, y, n, out);
  if (roots) return put_mixed_powers<true, false>(x, y, n, out);
  if (inverses) return put_mixed_powers<false, true>(x, y, n, out);
  put_mixed_powers<false, false>(x, y, n, out);
}

// f32 powers: vectorised for finite bases but 0 and finite exponents, libm's special cases for the
// rest. A negative base has the sign of its whole exponent, and no other power.
UNDERSTUDY_ONCE void power_f32(const void* a, const void* b, void* out, std::size_t n) noexcept {
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  auto* z = static_cast<float*>(out);
  const auto is_plain = [](float base, float exponent) {
    return (base != 0.0F) & ((base - base) == 0.0F) & ((exponent - exponent) == 0.0F);
  };
  for (std::size_t start = 0; start < n; start += kBlock) {
    const std::size_t count = n - start < kBlock ? n - start : kBlock;
    float fast[kBlock];
    u32 found = 0, plain_count = 0;  // of kPlainExponents
    const bool may_be_plain = has_half_numbers(y + start, count);
    for (std::size_t e = 0; may_be_plain && e < kPlainExponentCount; ++e) {
      u32 same = 0;
      for (std::size_t i = 0; i < count; ++i) same += y[start + i] == kPlainExponents[e] ? 1U : 0U;
      found |= same != 0 ? 1U << e : 0U;
      plain_count += same;
    }
    if (plain_count < count) {
      for (std::size_t i = 0; i < count; ++i)
        fast[i] = static_cast<float>(power_core(base_of(x[start + i]), double{y[start + i]}));
    }
    if (plain_count == count && (found & (found - 1)) == 0) {
      put_plain_powers(x + start, count, found, fast,
                       std::make_index_sequence<kPlainExponentCount>{});
    } else if (found != 0) {
      put_mixed_powers(x + start, y + start, count, found, fast);
    }
    u32 rare = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const float base = x[start + i], exponent = y[start + i];
      // Larger ones are even.
      const float small = magnitude_of(exponent) < 1073741824.0F ? exponent : 0.0F;  // 2^30
      const i32 whole = static_cast<i32>(small);
      const float power = fast[i];
      const float signed_power = (whole & 1) != 0 ? -power : power;
      const float of_negative = static_cast<float>(whole) == small ? signed_power : kNan32;
      fast[i] = base < 0.0F ? of_negative : power;
      rare |= is_plain(base, exponent) ? 0U : 1U;
    }
    for (std::size_t i = 0; rare != 0 && i < count; ++i) {
      if (!is_plain(x[start + i], y[start + i])) fast[i] = Power::apply(x[start + i], y[start + i]);
    }
    __builtin_memcpy(z + start, fast, count * sizeof(float));
  }
}

}  // namespace
}  // namespace understudy::program::kernels
