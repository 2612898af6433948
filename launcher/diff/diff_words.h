// SPDX-License-Identifier: Apache-2.0
// Differences in words. Pure functions.
#pragma once

#include <string>

#include "configs/report/diff_report.h"

namespace understudy::launcher {

// The difference that explains most, in one line: a flag, then a module that is missing, then what
// a program says about itself (sizes of arguments), then the collectives, then the first operation.
// Empty if nothing differs.
std::string summary_of(const configs::DiffComparison& comparison);

// What `understudy diff` prints.
std::string text_of(const configs::DiffReport& report);

}  // namespace understudy::launcher
