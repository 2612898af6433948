// SPDX-License-Identifier: Apache-2.0
// Loops of single elements as machine code, made at run time (docs/decisions/0023). A compiled loop
// gives the bits of its bound code; a loop that cannot be compiled stays bound code.
#pragma once

#include "program/kernels/kernel_table.h"
#include "worker/chip/bound_code.h"

namespace understudy::worker::ops {

// False where the kernels are portable, and in builds without machine code.
bool makes_machine_code(const program::kernels::KernelTable& kernels);

// Replaces the outermost loops of `code` that can be compiled; none where there is no machine
// code, or the system refuses executable memory.
void compile_loops(BoundCode& code, const program::kernels::KernelTable& kernels);

}  // namespace understudy::worker::ops
