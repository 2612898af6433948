// SPDX-License-Identifier: Apache-2.0
// A receipt as text, as `receipt show` prints it. Pure functions.
#pragma once

#include <string>

#include "configs/receipt/receipt.h"

namespace understudy::launcher {

struct Console;

// The run and its outcome, then its provenance: claims, contract, gates, packages, and the facts
// that must be rechecked before relying on them.
std::string receipt_text(const configs::Receipt& receipt, const Console& console);

}  // namespace understudy::launcher
