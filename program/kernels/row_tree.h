// SPDX-License-Identifier: Apache-2.0
// The tree by which rows are reduced to one row (docs/numerics.md, Order of reductions): of
// kTreeRows rows in order, then of kTreeRows such results, and so on. One running sum of n rows
// would have an error of n roundings. Pure functions.
#pragma once

#include <cstddef>

namespace understudy::program::kernels {

inline constexpr std::size_t kTreeRows = 64;

// Rows of accumulators that a reduction of so many rows needs: one for each level of the tree.
constexpr std::size_t tree_levels(std::size_t rows) noexcept {
  std::size_t levels = 1;
  for (; rows > kTreeRows; rows = (rows + kTreeRows - 1) / kTreeRows) ++levels;
  return levels;
}

}  // namespace understudy::program::kernels
