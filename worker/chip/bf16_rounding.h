// SPDX-License-Identifier: Apache-2.0
// Rounding of f32 to bf16 in vectors, for code that keeps the result as f32. Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

// To nearest even where x is no NaN, of which it makes any number. `Bits` has its lanes.
template <class Bits, class Floats>
[[gnu::always_inline]] inline void round_number_to_bf16(Floats& x) {
  const Bits bits = reinterpret_cast<Bits>(x);
  x = reinterpret_cast<Floats>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
}

// To nearest even; NaN stays one. By reference: a vector as an argument has another convention in
// code for each instruction set.
template <class Bits, class Floats>
[[gnu::always_inline]] inline void round_to_bf16(Floats& x) {
  Floats nearest = x;
  round_number_to_bf16<Bits>(nearest);
  const Bits quiet = reinterpret_cast<Bits>(x) | 0x00400000U;
  x = reinterpret_cast<Floats>(x == x ? reinterpret_cast<Bits>(nearest) : quiet);
}

}  // namespace understudy::worker
