// SPDX-License-Identifier: Apache-2.0
// Part of mxu_vector_loops.cc: rows of fewer elements than a sum has lanes, several at a time.
// Pure functions.
#pragma once

#include <cstdint>

#include "worker/chip/mxu/mxu_vector_loops.h"

namespace understudy::worker {

// The sums of the first rows as multiply_rows_along() has them; returns of how many.
// *Requires*: rows of fewer than 32 elements; not both_rounded.
std::int64_t multiply_short_rows(const VectorRows& rows, VectorKind kind, const float* x,
                                 float* out);

}  // namespace understudy::worker
