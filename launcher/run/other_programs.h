// SPDX-License-Identifier: Apache-2.0
// Deviations between the chips of one pod: other programs for some ranks or steps, and faults. Call
// from the main thread.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/run_plan.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {

class OpLocations;

// A program that replaces the run's own program on some ranks, or on all ranks in some steps.
struct OtherProgram {
  std::vector<std::int64_t> ranks;
  std::vector<std::int64_t> steps;  // empty: all
  LoadedProgram program;
  std::string difference;  // of a step program: how it differs from the run's own
};

// Loads the programs of --program, then those of --step-program or of the manifest. A step program
// with the same canonical digest as the run's own is skipped. *Throws* Error{usage} for ranks or
// steps that are out of range or duplicate, and for a program that does not fit `program`: on other
// ranks it must have the same arguments and results; in other steps, arguments that are not carried
// over may differ. Also throws the errors of load_program().
std::vector<OtherProgram> load_others(const RunOptions& options, const LoadedProgram& program);

// The arguments of a step program that differ from the run's own, as files in the folder
// `steps/<index>` of the run; `index` counts the plan's other programs.
std::vector<configs::PlannedArray> arguments_of_steps(const LoadedProgram& program,
                                                      const OtherProgram& other, std::size_t index);

// Adds the source places of all collectives, the other programs and the faults to the plan.
// *Throws* Error{usage}.
void add_differences(configs::RunPlan& plan, const RunOptions& options,
                     const LoadedProgram& program, const std::vector<OtherProgram>& others);

// The collectives of a module that have a source place.
std::vector<configs::PlannedSite> sites_of(const program::Module& module);

}  // namespace understudy::launcher
