// SPDX-License-Identifier: Apache-2.0
// Reports as JUnit XML, which CI systems show per test case. Pure functions.
#pragma once

#include <string>

#include "configs/report/check_report.h"
#include "configs/report/metrics_report.h"

namespace understudy::configs {

// One test case per file: failed ones are failures, unsupported ones are skipped.
std::string to_junit(const CheckReport& report);

// One test case per result: local and replicated_by_luck are failures, undecided is an error,
// not_applicable is skipped. Warnings are in its output.
std::string to_junit(const MetricsReport& report);

}  // namespace understudy::configs
