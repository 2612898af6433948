// SPDX-License-Identifier: Apache-2.0
// Reductions of values with their indices: argmax and argmin as jax.numpy writes them. Call from
// the executor thread only.
#pragma once

#include "worker/chip/ops.h"

namespace understudy::worker::ops {

// The kernels of one kind and type; constants.
struct ArgKernels;

// nullptr where the body is another one or has other types. Takes longer than a small reduction.
const ArgKernels* arg_kernels_of(const program::Reduce& work, const Instruction& instruction);

// *Requires* the kernels of this instruction.
void run_arg_reduce(const ArgKernels& kernels, const program::Reduce& work,
                    const Instruction& instruction, Execution& execution);

}  // namespace understudy::worker::ops
