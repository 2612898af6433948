// SPDX-License-Identifier: Apache-2.0
// Products of bf16 by the matrix tiles of CPUs with AMX: the operands are packed while the tiles
// multiply, and results are rounded while the next ones are summed, so that neither costs time of
// its own. Sums are in f32; 32 elements of k at a time are added to them, in order, as the sum of
// the even products and the sum of the odd ones. Call from the executor thread only.
#pragma once

#include <cstddef>

#include "worker/chip/mxu/mxu.h"

namespace understudy::worker {

// Whether this machine is one of those CPUs, and the system lets this process use the tiles.
bool multiplies_amx();

// False, with nothing done, for products that it does not take: operands that are neither bf16 nor
// f32 or are not dense in either direction, results of other types, few multiplications, a dense
// left operand with more rows than the right one has columns where these are few, too little room
// in VMEM. Operands of f32 are rounded to bf16. *Requires* multiplies_amx().
bool multiply_amx(const Product& product, const std::byte* lhs, const std::byte* rhs,
                  std::byte* out, Vmem& vmem);

}  // namespace understudy::worker
