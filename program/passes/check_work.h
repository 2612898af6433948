// SPDX-License-Identifier: Apache-2.0
// Whether one instruction's work and operands fit each other, as executors rely on. Pure function.
#pragma once

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Throws Error{internal} with the reason. Says nothing about where operands lie, nor about nested
// codes.
void check_work(const Instruction& instruction);

// Throws Error{internal} where a type is none.
void check_type(const TensorType& type);

}  // namespace understudy::program::passes
