// SPDX-License-Identifier: Apache-2.0
// Convolutions whose patches are read where they lie in the input, without a copy of each. Holes of
// base dilation (of transposed convolutions and of gradients) are left out: results at the same
// distance from the holes see the same part of the window, so each such part is a convolution of
// its own. Depthwise convolutions go here on every machine where batches are outermost and channels
// innermost. Call from the executor thread only. Equivalents: implicit GEMM of cuDNN and CUTLASS.
#pragma once

#include "worker/chip/ops.h"

namespace understudy::worker::ops {

// False, with nothing done, where the convolution has another form (batches that are not outermost,
// other types, short or very long sums) or the machine another unit.
bool convolve_by_implicit_gemm(const program::Convolution& work, const Instruction& instruction,
                               Execution& execution);

}  // namespace understudy::worker::ops
