// SPDX-License-Identifier: Apache-2.0
// Products of bf16 with few results of long sums, as A^T B of two tall matrices: tiles of the
// matrix unit would be mostly empty, and packing takes longer than the products. Some of the
// contracted dimension at a time is staged as f32, where it lies dense, and each number of one
// operand multiplies a row of the other. The same bits on every instruction set. Call from the
// executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"

namespace understudy::worker {

// The contracted dimension is summed in parts of so many elements, which are added in order.
constexpr std::int64_t kPartOfSums = 512;
// In a part of the sums of a row, products k, k + split, ... are added in order, fused; a tree
// joins the `split` such sums. `rows`: that are multiplied together, at most kRowsOfResults.
constexpr std::int64_t kRowsOfResults = 8;
constexpr std::int64_t split_of_sums(std::int64_t rows) {
  return rows <= 3 ? 4 : rows < kRowsOfResults ? 2 : 1;
}
// Whether the rows of the result are those of the right operand.
bool swaps_few_results(const Product& product);

// False, with nothing done, for products that it does not take (operands that are neither f32,
// which is rounded, nor bf16, or not dense in either direction; many results; short sums), and with
// too little room in VMEM.
bool multiply_few_results(const Product& product, const program::kernels::KernelTable& kernels,
                          const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem);

}  // namespace understudy::worker
