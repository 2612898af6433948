// SPDX-License-Identifier: Apache-2.0
// Arrays that a fused loop makes of parts, as a concatenation or padding has them: of each tile the
// elements that its runs have. Pure functions.
#pragma once

#include <cstddef>

#include "worker/ops/fused/fused_step.h"
#include "worker/ops/fused/fused_views.h"

namespace understudy::worker::ops {

// Completes the step of a Join.
void join_of(const program::Join& join, const program::Instruction& instruction, FusedStep& step);

// `arguments`: the operands of the loop.
// Where a part of the loop lies in one piece in an argument; nullptr where it does not.
const std::byte* joined_in_place(const FusedStep& step, const std::byte* const* arguments,
                                 const LoopPart& part);
void join_part(const FusedStep& step, const std::byte* const* arguments, std::byte* out,
               const LoopPart& part);

}  // namespace understudy::worker::ops
