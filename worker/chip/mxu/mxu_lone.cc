// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_lone.h"

#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker {

bool multiply_lone(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out) {
  using program::ElementType;
  // Rows that are rounded on the stack; from kLongest on vectors have sums of another order.
  constexpr std::int64_t kMostRows = 8, kLongest = 63, kFewestColumns = 8, kMost = 4096;
  if (p.rhs.element != ElementType::bf16 || p.lhs.element != ElementType::f32 ||
      p.out != ElementType::f32 || p.passes != Passes::one || p.m > kMostRows || p.k > kLongest ||
      p.n < kFewestColumns || p.k == 0 || p.m * p.n * p.k > kMost || p.lhs.column_stride != 1 ||
      p.rhs.column_stride != 1 || (p.m > 1 && p.lhs.row_stride != p.k))
    return false;
  float rounded[kMostRows * kLongest];
  round_to_bf16(reinterpret_cast<const float*>(lhs), rounded, p.m * p.k);
  MxuTile tile{ElementType::f32, p.m, p.n, p.k, rounded, p.k, 1, rhs,
               p.rhs.row_stride, 1,   out, p.n};
  tile.has_halves = true;
  multiply_small(tile);
  return true;
}

}  // namespace understudy::worker
