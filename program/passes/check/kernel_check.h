// SPDX-License-Identifier: Apache-2.0
// Whether the kernels support the element types of a piece of work. Pure functions.
#pragma once

#include <span>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// `from`: the element type of the first input, of the output where there is none.
bool has_kernel(const Work& work, ElementType from, ElementType to);
bool has_kernel(const Work& work, std::span<const Operand> inputs,
                std::span<const Operand> outputs);

}  // namespace understudy::program::passes
