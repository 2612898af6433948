// SPDX-License-Identifier: Apache-2.0
// How a finished run is told to people, from its receipt (for programs:
// configs/receipt/run_document.h). Pure functions.
#pragma once

#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/run/compare.h"

namespace understudy::launcher {

struct Console;

// Without the receipt's line.
std::string run_text(const configs::Receipt& receipt, const std::vector<Comparison>& comparisons,
                     const Console& console);

}  // namespace understudy::launcher
