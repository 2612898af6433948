// SPDX-License-Identifier: Apache-2.0
// What makes chips of one pod do different things: programs of their own for some ranks, and
// faults. Call from the main thread.
#pragma once

#include <string>
#include <vector>

#include "configs/run_plan.h"
#include "launcher/plan_run.h"

namespace understudy::launcher {

class OpBook;

// A program that some ranks run in place of the run's own.
struct OtherProgram {
  std::vector<std::int64_t> ranks;
  LoadedProgram program;
};

// Those of --program. *Throws* Error{usage} for ranks that are none or are named twice, and for a
// program that takes or gives other arrays than `program`; and what load_program() throws.
std::vector<OtherProgram> load_others(const RunOptions& options, const LoadedProgram& program);

// Notes the places of all collectives, the other programs and the faults. *Throws* Error{usage}.
void add_differences(configs::RunPlan& plan, const RunOptions& options,
                     const LoadedProgram& program, const std::vector<OtherProgram>& others);

// The collectives of a module that have a place in a file.
std::vector<configs::PlannedSite> sites_of(const program::Module& module);

}  // namespace understudy::launcher
