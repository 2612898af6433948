// SPDX-License-Identifier: Apache-2.0
// Whether one instruction's work and operands fit each other, as executors rely on. Pure function.
#pragma once

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Throws Error{internal} with the reason. Says nothing about where operands lie, nor about nested
// codes.
void check_work(const Instruction& instruction);

// The processes that a collective or transfer names exist, in one role each, and group sizes fit
// the shapes. *Requires* check_work(). Throws Error{internal} with the reason.
void check_groups(const Instruction& instruction, std::int64_t processes);

// Throws Error{internal} where a type is none.
void check_type(const TensorType& type);

}  // namespace understudy::program::passes
