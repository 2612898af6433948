// SPDX-License-Identifier: Apache-2.0
// Judges the runs of one rung with a table of checks, from "starts" to "algorithms agree". The
// first check that does not hold is the failure of the rung. Pure functions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/error.h"
#include "configs/launch/ladder.h"
#include "configs/receipt/rehearsal.h"
#include "configs/report/metrics_report.h"
#include "launcher/run/run_program.h"

namespace understudy::launcher {

// The evidence of one rung.
// The checks whose outcome a line of the ladder shows, also where they passed.
namespace rung_check {
inline constexpr std::string_view kResultsMatch = "results match";
inline constexpr std::string_view kMetricsAreGlobal = "metrics are global";
inline constexpr std::string_view kAlgorithmsAgree = "algorithms agree";
inline constexpr std::string_view kRestored = "restored";
inline constexpr std::array kShown{kResultsMatch, kMetricsAreGlobal, kAlgorithmsAgree, kRestored};
}  // namespace rung_check

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
