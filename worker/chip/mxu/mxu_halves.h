// SPDX-License-Identifier: Apache-2.0
// Products of a few rows of f32 and a matrix of bf16 that is read where it lies: widening it in
// registers is sooner done than converting or packing it for so few rows. Fused multiply-adds in
// the order of k, which are the sums of mxu_places.cc and mxu_packed.cc. For CPUs with AVX2.
// Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

// c (+)= a b. Rows of b and c are dense. Row i of a is at a + i / group_rows * group +
// i % group_rows * a_row.
struct HalvesProduct {
  static constexpr std::int64_t kFewestColumns = 8;

  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  std::int64_t a_row = 0, a_column = 1, group_rows = 1, group = 0;
  const std::uint16_t* b = nullptr;
  std::int64_t b_row = 0;
  float* c = nullptr;
  std::int64_t c_row = 0;
  bool adds = false;  // to what c holds
};

// *Requires* AVX2 with fused multiply-adds, and at least kFewestColumns columns.
void multiply_halves(const HalvesProduct& product);

}  // namespace understudy::worker
