// SPDX-License-Identifier: Apache-2.0
// Work that the compiler does itself, on values that it knows.
#pragma once

#include <cstddef>
#include <span>

#include "program/executable/executable.h"
#include "program/kernels/kernels.h"

namespace understudy::program::passes {

// Computes the one output of element-wise work, a fill, an iota or a copy that writes all of it.
// *Requires*: inputs of element-wise work have as many elements as the output, and the output has
// elements. False where the instruction is of another kind; nothing is written then.
bool evaluate(const Instruction& instruction, const kernels::KernelTable& kernels,
              std::span<const std::byte* const> in, std::byte* out);

}  // namespace understudy::program::passes
