// SPDX-License-Identifier: Apache-2.0
// Products of many rows and a matrix of few rows and columns, as of a batch of vectors and one
// small matrix: the left operand is rounded some rows at a time and not packed, which would take
// longer than its products. Fused multiply-adds in the order of k, which are the sums of
// mxu_packed.cc. For CPUs with AVX2. Call from the executor thread only.
#pragma once

#include <cstddef>

#include "worker/chip/mxu/mxu.h"

namespace understudy::worker {

// False, with nothing done, for products that it does not take: of operands other than f32 and
// bf16, results other than f32, rows that are not dense, and of more than a few columns or long
// sums. Operands of f32 are rounded to bf16. *Requires* AVX2 with fused multiply-adds.
bool multiply_narrow(const Product& product, const std::byte* lhs, const std::byte* rhs,
                     std::byte* out, Vmem& vmem);

}  // namespace understudy::worker
