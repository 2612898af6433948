// SPDX-License-Identifier: Apache-2.0
// The outcome of a run, decided from the records of the workers and the observations of the watch.
// The exit status of mpirun alone never decides success. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/launch/run_plan.h"
#include "configs/launch/topology.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/record/record.h"
#include "launcher/diagnose/op_locations.h"
#include "launcher/diagnose/watched_run.h"

namespace understudy::launcher {

struct Outcome {
  int exit_code = 0;
  std::optional<configs::ReceiptFailure> failure;
  std::vector<std::string> notes;  // reports of other ranks
};

// `chips`: the chips of the slice, by rank. `mpirun_output` explains a run that started no worker.
Outcome outcome_of(const WatchedRun& watched, const configs::RunPlan& plan,
                   const std::vector<configs::Chip>& chips, const OpLocations& ops,
                   const std::string& mpirun_output);

// The outcome of a run that a signal to the launcher interrupted.
Outcome interrupted(int number);

// The outcome of a run that an error ended before its first step; all processes are well.
Outcome outcome_of(const Error& error);

// Adds the slice of the failed host, if the plan has several.
void add_slice(Outcome& outcome, const configs::RunPlan& plan);

// The final message on stderr: failure, notes, place, layer and advice.
std::string failure_text(const Outcome& outcome);

}  // namespace understudy::launcher
