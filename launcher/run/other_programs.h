// SPDX-License-Identifier: Apache-2.0
// What makes chips of one pod do different things: programs of their own for some ranks, and
// faults. Call from the main thread.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/run_plan.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {

class OpLocations;

// A program that some ranks run in place of the run's own; or all ranks in some steps.
struct OtherProgram {
  std::vector<std::int64_t> ranks;
  std::vector<std::int64_t> steps;  // empty: all
  LoadedProgram program;
  std::string difference;  // of a program of some steps: from the run's own, in words
};

// Those of --program, then those of --step-program or of the manifest; one that is the run's own
// but for names is left out. *Throws* Error{usage} for ranks and steps that are none or are named
// twice, and for a program that does not fit `program`: one of ranks takes and gives the same
// arrays, one of steps may take others where nothing is carried over; and what load_program()
// throws.
std::vector<OtherProgram> load_others(const RunOptions& options, const LoadedProgram& program);

// What the program of some steps takes in another shape than the run's own: files in the folder
// `steps/<index>` of the run, index among the plan's other programs.
std::vector<configs::PlannedArray> arguments_of_steps(const LoadedProgram& program,
                                                      const OtherProgram& other, std::size_t index);

// Notes the places of all collectives, the other programs and the faults. *Throws* Error{usage}.
void add_differences(configs::RunPlan& plan, const RunOptions& options,
                     const LoadedProgram& program, const std::vector<OtherProgram>& others);

// The collectives of a module that have a place in a file.
std::vector<configs::PlannedSite> sites_of(const program::Module& module);

}  // namespace understudy::launcher
