// SPDX-License-Identifier: Apache-2.0
// One run from the argument vector to the receipt: starts mpirun, watches, decides, leaves nothing
// behind. Call from the main thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/receipt.h"
#include "launcher/outcome.h"
#include "launcher/plan_run.h"
#include "launcher/run_folder.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// What is started: the words for mpirun, and the plan with its contract.
struct Launch {
  configs::RunPlan plan;
  std::vector<std::string> words;
};

// Completes the plan with the contract's digest and makes the argument vector.
Launch make_launch(configs::RunPlan plan, const RunOptions& options, const LoadedProgram& program,
                   const Environment& environment, RunFolder& folder);

struct Finish {
  Watched watched;
  Outcome outcome;
  std::string mpirun_output;
  std::string started_at;  // UTC
  double wall_seconds = 0;
};

// Runs it to its end. *Throws* Error{system} where mpirun cannot be started.
Finish run_launch(const Launch& launch, const LoadedProgram& program, const configs::Slice& slice,
                  const RunFolder& folder, const Console& console);

// A name for a run: UTC time to the second and six letters.
std::string make_run_id(const RunFolder& folder);
// UTC, "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace understudy::launcher
