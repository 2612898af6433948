// SPDX-License-Identifier: Apache-2.0
// From evidence to verdicts. The data flow proves what it can; where it cannot, the experiments
// decide; what neither decides is called undecided. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/report/metrics_report.h"
#include "launcher/metrics/probe.h"
#include "program/analysis/metric_verdict.h"

namespace understudy::launcher {

// `observed` is nullopt where nothing was run; `failure` says why the program could not be, where
// it was tried.
configs::MetricsReport judge(const program::Interface& interface,
                             const program::analysis::StaticReport& analysis,
                             const std::optional<Observations>& observed,
                             const std::string& failure);

// The report in words: a line per result, the story of the first bad one, the warnings.
std::string text_of(const configs::MetricsReport& report);

}  // namespace understudy::launcher
