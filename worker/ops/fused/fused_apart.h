// SPDX-License-Identifier: Apache-2.0
// Results of a fused loop whose elements are apart, as those of jnp.stack along a new last
// dimension. Pure functions.
#pragma once

#include <cstddef>

#include "worker/ops/fused/fused_step.h"
#include "worker/ops/fused/fused_views.h"

namespace understudy::worker::ops {

// Completes the step of a StridedCopy that writes_apart().
void apart_of(const program::StridedCopy& copy, FusedStep& step);

// Adds the input of `next` to `step` where both write elements of one array by turns, and that is
// the next turn: all are written at once then.
bool takes_next_turn(FusedStep& step, const FusedStep& next);

// `in`: the elements of the part, one line for each input; `out`: the whole array.
void write_apart(const FusedStep& step, const std::byte* const (&in)[kMostInputs], std::byte* out,
                 const LoopPart& part);

}  // namespace understudy::worker::ops
