// SPDX-License-Identifier: Apache-2.0
// A receipt as text, as `receipt show` prints it. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "configs/receipt/receipt.h"

namespace understudy::launcher {

struct Console;

// The run and its outcome, then its provenance: claims, contract, gates, packages, and the facts
// that must be rechecked before relying on them.
// "X is the first rung that fails (first that passes: Y)".
std::string frontier_words(const std::string& failing, const std::optional<std::string>& passing);

std::string receipt_text(const configs::Receipt& receipt, const Console& console);

}  // namespace understudy::launcher
