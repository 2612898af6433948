// SPDX-License-Identifier: Apache-2.0
// reduce with any body.
#pragma once

#include "worker/chip/execution.h"

namespace understudy::worker::ops {

// *Requires*: a checked Reduce with results. The body's frame and the elements that wait for it are
// in VMEM until the instruction ends.
void reduce_by_body(const program::Reduce& work, const program::Instruction& instruction,
                    Execution& execution);

}  // namespace understudy::worker::ops
