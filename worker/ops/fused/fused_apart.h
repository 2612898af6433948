// SPDX-License-Identifier: Apache-2.0
// Results of a fused loop whose elements are apart, as those of jnp.stack along a new last
// dimension. Pure functions.
#pragma once

#include <cstddef>

#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

// Completes the step of a StridedCopy that writes_apart().
void apart_of(const program::StridedCopy& copy, FusedStep& step);

// Adds the input of `next` to `step` where both write elements of one array by turns, and that is
// the next turn: all are written at once then.
bool takes_next_turn(FusedStep& step, const FusedStep& next);

// Whether a step writes all elements of its array.
inline bool writes_all(const FusedStep& step) { return step.inputs == step.out.element_step; }

// `in`: `n` elements of each input; `out`: the element of the first one.
void write_apart(const FusedStep& step, const std::byte* const (&in)[kMostInputs], std::byte* out,
                 std::size_t n);

}  // namespace understudy::worker::ops
