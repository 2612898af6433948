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

}  // namespace understudy::worker
