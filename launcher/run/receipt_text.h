// SPDX-License-Identifier: Apache-2.0
// A receipt for people, as `receipt show` prints it. Pure functions.
#pragma once

#include <string>

#include "configs/receipt/receipt.h"

namespace understudy::launcher {

struct Console;

// What ran and how it went, then its provenance: gates, claims, pins, what may be
// believed for how long.
std::string receipt_text(const configs::Receipt& receipt, const Console& console);

}  // namespace understudy::launcher
