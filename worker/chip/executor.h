// SPDX-License-Identifier: Apache-2.0
// The instruction loop. Call from the executor thread only.
#pragma once

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

// Runs `code` to its end. Every instruction counts in the status cell and names its op there while
// it is at work; scratch it took from VMEM is given back. *Requires*: check_bounds() passed.
// *Throws* Error{capacity} where a tile does not fit VMEM, and whatever a collective throws.
void run(const program::Code& code, Execution& execution);

}  // namespace understudy::worker
