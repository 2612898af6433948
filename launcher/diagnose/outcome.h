// SPDX-License-Identifier: Apache-2.0
// What became of a run, decided from the workers' records and what the watch saw; never from
// mpirun's status. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/run_plan.h"
#include "configs/launch/topology.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/record.h"
#include "launcher/diagnose/op_locations.h"
#include "launcher/diagnose/watched.h"

namespace understudy::launcher {

struct Outcome {
  int exit_code = 0;
  std::optional<configs::ReceiptFailure> failure;
  std::vector<std::string> notes;  // what others said
};

// `chips` are the slice's, by rank; `mpirun_output` explains a run in which no worker ever started.
Outcome outcome_of(const Watched& watched, const configs::RunPlan& plan,
                   const std::vector<configs::Chip>& chips, const OpLocations& ops,
                   const std::string& mpirun_output);

// What a signal to the launcher means for a run.
Outcome interrupted(int number);

// The last words on stderr.
// Exit codes of an interruption are above this, by the number of the signal.
inline constexpr int kSignalled = 128;

std::string failure_text(const Outcome& outcome);

}  // namespace understudy::launcher
