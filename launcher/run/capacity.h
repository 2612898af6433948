// SPDX-License-Identifier: Apache-2.0
// Checks that the arguments and results of a run fit into memory, before any of them is read.
#pragma once

#include "launcher/run/plan_run.h"

namespace understudy::launcher {

// *Throws* Error{capacity} at the largest argument or result if one chip's tiles of all of them
// exceed its HBM.
void require_hbm(const LoadedProgram& program, const configs::Slice& slice);

// *Throws* Error{capacity} at the largest argument if all global arrays exceed the memory of this
// machine. The launcher loads whole arrays to cut them into tiles.
void require_host_memory_of_arguments(const LoadedProgram& program);

}  // namespace understudy::launcher
