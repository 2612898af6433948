// SPDX-License-Identifier: Apache-2.0
// Derives a verdict per result from the evidence. The data flow analysis proves what it can; where
// it cannot, the experiments decide; otherwise the verdict is "undecided". Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/report/metrics_report.h"
#include "launcher/metrics/probe.h"
#include "program/analysis/metric_verdict.h"
#include "program/text/python_place.h"

namespace understudy::launcher {

// `observed` is nullopt if nothing was run. `python`: of the program's text. `failure`: why the
// program failed; empty if it did not.
configs::MetricsReport judge(const program::Interface& interface,
                             const program::analysis::StaticReport& analysis,
                             const std::optional<Observations>& observed,
                             const program::PythonPlaces& python, const std::string& failure);

// A verdict that ends in exit code 1.
bool is_bad(const std::string& verdict);

// The report as text: for each result its verdict, place, exchanges and evidence; the warnings.
std::string text_of(const configs::MetricsReport& report);

}  // namespace understudy::launcher
