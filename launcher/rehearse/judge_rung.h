// SPDX-License-Identifier: Apache-2.0
// Judges the runs of one rung with a table of checks, from "starts" to "algorithms agree". The
// first check that does not hold is the failure of the rung. Pure functions.
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

// The evidence of one rung.
struct RungEvidence {
  std::vector<RunReport> runs;  // one per algorithm; fewer if one failed
  std::vector<std::string> algorithms;
  std::optional<configs::MetricsReport> metrics;
  std::optional<Error> refused;  // error before anything ran
  double seconds = 0;
  int interrupted = 0;  // exit code if a signal ended it
};

// The result, without `retries`, which climb() adds.
configs::RungSeen judge_rung(const configs::Rung& rung, const RungEvidence& evidence);

// The verdicts of all results that are declared replicated.
std::vector<configs::MetricSeen> metrics_of_rung(const configs::Rung& rung,
                                                 const RungEvidence& evidence);

}  // namespace understudy::launcher
