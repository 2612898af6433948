// SPDX-License-Identifier: Apache-2.0
// Facts about numbers that loops outside program/kernels share with it. Pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace understudy::worker {

// Every NaN that a computation makes has one pattern (docs/numerics.md).
template <class T>
[[gnu::always_inline]] inline T settled(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x == x ? x : std::numeric_limits<T>::quiet_NaN();
  return x;
}

// bf16 is the upper half of an f32: the conversion is exact.
[[gnu::always_inline]] inline float float_of_bf16(std::uint16_t bits) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
}

// f16 and back without the instructions that not every CPU has: exact, and rounded to the nearest,
// ties to even. A NaN has the pattern of settled() and its own sign. Denormal f32 must not be zero.
[[gnu::always_inline]] inline float float_of_f16(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffU, sign = (bits & 0x8000U) << 16;
  // The exponent is 112 less than that of an f32; a product makes numbers of denormal ones.
  const float scaled = __builtin_bit_cast(float, magnitude << 13) * 0x1p112F;
  // Of infinity and NaN.
  const std::uint32_t value = magnitude < 0x7c00U ? __builtin_bit_cast(std::uint32_t, scaled)
                                                  : 0x7f800000U | (magnitude & 0x3ffU) << 13;
  return __builtin_bit_cast(float, value | sign);
}
[[gnu::always_inline]] inline std::uint16_t f16_of(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t magnitude = bits & 0x7fffffffU, sign = bits >> 16 & 0x8000U;
  std::uint32_t value;
  if (magnitude >= 0x47800000U) {  // 2^16
    value = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
  } else if (magnitude < 0x38800000U) {  // 2^-14: the last bit of the sum is that of a denormal
    value = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, magnitude) + 0.5F) -
            0x3f000000U;
  } else {
    value = (magnitude - (112U << 23) + 0xfffU + (magnitude >> 13 & 1U)) >> 13;
  }
  return static_cast<std::uint16_t>(value | sign);
}

}  // namespace understudy::worker
