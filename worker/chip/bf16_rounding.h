// SPDX-License-Identifier: Apache-2.0
// Rounding of f32 to bf16 in vectors, for code that keeps the result as f32. Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

using FloatVector [[gnu::vector_size(32)]] = float;
using BitsVector [[gnu::vector_size(32)]] = std::uint32_t;

// To nearest even; NaN stays one. By reference: a vector as an argument has another convention in
// code for each instruction set.
[[gnu::always_inline]] inline void round_to_bf16(FloatVector& x) {
  const BitsVector bits = reinterpret_cast<BitsVector>(x);
  const BitsVector nearest = (bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U;
  const BitsVector result = x == x ? nearest : bits | 0x00400000U;
  x = reinterpret_cast<FloatVector>(result);
}

}  // namespace understudy::worker
