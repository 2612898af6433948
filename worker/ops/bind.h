// SPDX-License-Identifier: Apache-2.0
// Makes bound code (worker/chip/bound_code.h) of an executable.
#pragma once

#include "program/executable/executable.h"
#include "program/kernels/kernel_table.h"
#include "worker/chip/bound_code.h"

namespace understudy::worker::ops {

// *Requires*: check_bounds() passed; the executable outlives the result and does not move.
BoundCode bind(const program::Executable& executable, const program::kernels::KernelTable& kernels);

}  // namespace understudy::worker::ops
