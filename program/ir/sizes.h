// SPDX-License-Identifier: Apache-2.0
// Bounds of sizes, and sums of them that do not wrap. Pure functions.
#pragma once

#include <cstdint>

#include "program/ir/types.h"

namespace understudy::program {

// No array may have more bytes, on all chips together: 1 PiB, more than the largest pod holds.
inline constexpr std::int64_t kMostBytesOfArray = std::int64_t{1} << 50;

// Dimensions of size 0 count as 1, as strides are computed from the others; so do open ones.
inline bool is_too_large(const TensorType& type) {
  auto bytes = static_cast<std::int64_t>(byte_size(type.element));
  for (const std::int64_t size : type.shape)
    if (size > 1 && __builtin_mul_overflow(bytes, size, &bytes)) return true;
  return bytes > kMostBytesOfArray;
}

// a + b, the most there is where that does not fit: more than any chip has.
inline std::uint64_t sum_of_bytes(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

}  // namespace understudy::program
