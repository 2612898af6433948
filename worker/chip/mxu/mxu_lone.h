// SPDX-License-Identifier: Apache-2.0
// Single small products of rows of f32 and a matrix of bf16, as the steps of a recurrent network
// have them: multiply_small() without what a batch of any layout has to find out first. Stateless.
#pragma once

#include <cstddef>

#include "worker/chip/mxu/mxu.h"

namespace understudy::worker {

// False, with nothing done, for any other product. The bits of multiply_batch().
bool multiply_lone(const Product& product, const std::byte* lhs, const std::byte* rhs,
                   std::byte* out);

}  // namespace understudy::worker
