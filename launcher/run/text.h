// SPDX-License-Identifier: Apache-2.0
// The text of a finished run, from its receipt. configs/receipt/run_document.h has the JSON form.
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/run/compare.h"

namespace understudy::launcher {

struct Console;

// Does not include the line with the path of the receipt.
std::string run_text(const configs::Receipt& receipt, const std::vector<Comparison>& comparisons,
                     const Console& console);

}  // namespace understudy::launcher
