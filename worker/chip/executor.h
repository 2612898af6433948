// SPDX-License-Identifier: Apache-2.0
// The instruction loop. Call from the executor thread only.
#pragma once

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

// Runs `code` to its end. Each instruction is named in the status cell while it runs and counted
// when it is done; the VMEM it took is freed. *Requires*: check_bounds() passed. *Throws*
// Error{capacity} where a tile does not fit VMEM, and whatever a collective throws.
void run(const program::Code& code, Execution& execution);

}  // namespace understudy::worker
