// SPDX-License-Identifier: Apache-2.0
// Cumulative reductions by any body: windows that reach from the first element of a line, or to its
// last one, as jax.lax.cumlogsumexp and associative scans lower to. Each result is the one before
// it combined with one more element: n evaluations instead of n^2. Executor thread only.
#pragma once

#include "worker/chip/ops.h"

namespace understudy::worker::ops {

// False, with the outputs incomplete, where the windows have another form, or where padding (the
// initial value, by the specification) changes a result.
bool run_cumulative(const program::ReduceWindow& work, const Instruction& instruction,
                    Execution& execution);

}  // namespace understudy::worker::ops
