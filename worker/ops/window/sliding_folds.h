// SPDX-License-Identifier: Apache-2.0
// Windows that are one element apart, as those of moving averages: all of their elements are
// combined in registers. The bits are those of one step after the other in memory, as a NaN has its
// one pattern at the end. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "program/executable/executable.h"

namespace understudy::worker::ops {

// out[i] = out[i] op x[i + offsets[0]] op x[i + offsets[1]] ... for i < n, in this order.
using SlidingFold = void (*)(const std::byte* x, std::span<const std::int64_t> offsets,
                             std::byte* out, std::size_t n);

// Null where there is none.
SlidingFold sliding_fold(program::Reduction reduction, program::ElementType element);

}  // namespace understudy::worker::ops
