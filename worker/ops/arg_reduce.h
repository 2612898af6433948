// SPDX-License-Identifier: Apache-2.0
// Reductions of values with their indices: argmax and argmin as jax.numpy writes them. Call from
// the executor thread only.
#pragma once

#include "worker/chip/ops.h"

namespace understudy::worker::ops {

// False, with nothing done, where the body is another one or has other types.
bool run_arg_reduce(const program::Reduce& work, const Instruction& instruction,
                    Execution& execution);

}  // namespace understudy::worker::ops
