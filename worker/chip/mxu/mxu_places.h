// SPDX-License-Identifier: Apache-2.0
// Products of f32 whose left operand is read where it lies, each row and each column at an offset
// of its own: what a convolution sums needs no copy, and neither do small matrices. Fused
// multiply-adds in the order of k. For CPUs with AVX2; those with AMX have a quicker unit for what
// is rounded to bf16.
// Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

// c[c_rows[i] + j] = sum over k of a[rows[i] + columns[k]] * b[k, j], for i below m, j below n.
// Element (k, j) of b is at b[j / kPanel * b_panel + k * b_step + j % kPanel]; whole panels of b
// may be read.
struct PlacesProduct {
  static constexpr std::int64_t kPanel = 16;

  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  const std::int64_t* rows = nullptr;
  const std::int64_t* columns = nullptr;
  const float* b = nullptr;
  std::int64_t b_step = kPanel, b_panel = 0;
  float* c = nullptr;
  const std::int64_t* c_rows = nullptr;
};

// Whether this machine is one of those CPUs.
bool multiplies_places();
// *Requires* multiplies_places().
void multiply_places(const PlacesProduct& product);
// The loops of each instruction set, which they require: the same bits.
void multiply_places_avx2(const PlacesProduct& product);
void multiply_places_512(const PlacesProduct& product);

// The panels of a matrix whose rows are `b_row` elements apart; columns beyond n are 0.
void pack_panels(const float* b, std::int64_t b_row, std::int64_t k, std::int64_t n, float* panels);

// Each element rounded to bf16 (to nearest even; NaN stays one), as f32. In place or apart.
void round_to_bf16(const float* in, float* out, std::int64_t n);

}  // namespace understudy::worker
