// SPDX-License-Identifier: Apache-2.0
// A strided copy of what another strided copy wrote, as one copy. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Appends the copy from the source of `writer` to the output of `reader` of those elements that
// `writer` puts into an array of so many elements and `reader` takes from there; nothing where
// there are none. False where they are no box of the array: the strides of both are none of one
// shape.
bool compose(const StridedCopy& reader, const StridedCopy& writer, std::int64_t elements,
             std::vector<StridedCopy>& to);

}  // namespace understudy::program::passes
