// SPDX-License-Identifier: Apache-2.0
// Derives a verdict per result from the evidence. The data flow analysis proves what it can; where
// it cannot, the experiments decide; otherwise the verdict is "undecided". Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/report/metrics_report.h"
#include "launcher/metrics/probe.h"
#include "program/analysis/metric_verdict.h"

namespace understudy::launcher {

// `observed` is nullopt if nothing was run. `failure`: why the program failed; empty if it did not.
configs::MetricsReport judge(const program::Interface& interface,
                             const program::analysis::StaticReport& analysis,
                             const std::optional<Observations>& observed,
                             const std::string& failure);

// The report as text: one line per result, the evidence for the first bad one, the warnings.
std::string text_of(const configs::MetricsReport& report);

}  // namespace understudy::launcher
