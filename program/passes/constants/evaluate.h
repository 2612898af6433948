// SPDX-License-Identifier: Apache-2.0
// Element-wise work that the compiler does itself, on values that it knows.
#pragma once

#include <cstddef>
#include <span>

#include "program/executable/executable.h"
#include "program/kernels/kernels.h"

namespace understudy::program::passes {

// Computes the one output of an element-wise instruction from its inputs, each with as many
// elements as the output. False where the instruction is of another kind; nothing is written then.
bool evaluate(const Instruction& instruction, const kernels::KernelTable& kernels,
              std::span<const std::byte* const> in, std::byte* out);

}  // namespace understudy::program::passes
