// SPDX-License-Identifier: Apache-2.0
// Strided copies in their simplest form. Pure functions.
#pragma once

#include <cstdint>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Drops dimensions of size 1 and merges neighbours that are contiguous on both sides, as kernels
// loop over what remains. Dense copies become one dimension, which is_whole_copy() recognises.
StridedCopy simplified(const StridedCopy& copy);

// How many elements it copies.
std::int64_t elements_of(const StridedCopy& copy);

// Every element of the output is written once, in order. *Requires*: a StridedCopy.
bool fills_in_order(const Instruction& copy);

}  // namespace understudy::program::passes
