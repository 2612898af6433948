// SPDX-License-Identifier: Apache-2.0
// The parts of a receipt that a run of a program and a run of a script have in common. Pure but for
// the clock.
#pragma once

#include <string>

#include "configs/receipt/launcher_facts.h"
#include "launcher/pod/launch.h"
#include "launcher/run/run_program.h"

namespace understudy::launcher {

// How a launch ended, for the receipt.
configs::LauncherFacts facts_of(const Finish& finish, int exit_code);

// The report of a run that failed before a worker started (disk full, no mpirun, ...): the receipt
// has that alone. It is not stored yet.
RunReport report_not_begun(const RunOptions& options, const std::string& run_id,
                           const std::string& program, Outcome outcome);

}  // namespace understudy::launcher
