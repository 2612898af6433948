// SPDX-License-Identifier: Apache-2.0
// What the compiler predicts for the memory of a chip, before a run.
#pragma once

#include <cstdint>
#include <string>

#include "configs/launch/run_plan.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {

// Compiles the program, which needs no pod. *Throws* what program::compile() throws.
configs::PlannedMemory planned_memory(const LoadedProgram& program);

// "HBM of each chip: 1.2 MB predicted (arguments ..., code ...), 32 GB there".
std::string memory_text(const configs::PlannedMemory& memory, std::uint64_t hbm_bytes);

}  // namespace understudy::launcher
