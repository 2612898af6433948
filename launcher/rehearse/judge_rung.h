// SPDX-License-Identifier: Apache-2.0
// What the runs of one rung proved: a table of checks, from "does it start" to "do algorithms
// agree". The first that does not hold names the failure. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/launch/ladder.h"
#include "configs/receipt/rehearsal.h"
#include "configs/report/metrics_report.h"
#include "launcher/run/run_program.h"

namespace understudy::launcher {

// What came back from a rung.
struct RungEvidence {
  std::vector<RunReport> runs;  // one for each of `algorithms`, or one; fewer where one failed
  std::vector<std::string> algorithms;
  std::optional<configs::MetricsReport> metrics;
  std::optional<Error> refused;  // before anything ran
  double seconds = 0;
  int interrupted = 0;  // the exit code, where a signal ended it
};

// Without `retries`, which the climb adds.
configs::RungSeen judge_rung(const configs::Rung& rung, const RungEvidence& evidence);

// Results that are declared replicated, with their verdicts.
std::vector<configs::MetricSeen> metrics_of_rung(const configs::Rung& rung,
                                                 const RungEvidence& evidence);

}  // namespace understudy::launcher
