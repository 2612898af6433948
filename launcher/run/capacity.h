// SPDX-License-Identifier: Apache-2.0
// Whether a run's arguments and results have room, asked before any of them is read or made.
#pragma once

#include "launcher/run/plan_run.h"

namespace understudy::launcher {

// Throws Error{capacity} at the largest argument or result where one chip's parts of all of them do
// not fit its HBM.
void require_hbm(const LoadedProgram& program, const configs::Slice& slice);

// Throws Error{capacity} at the largest argument where the whole arrays can never be in the memory
// of this machine, which cuts them into the chips' parts.
void require_host_memory_of_arguments(const LoadedProgram& program);

}  // namespace understudy::launcher
