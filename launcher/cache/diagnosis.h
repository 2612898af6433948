// SPDX-License-Identifier: Apache-2.0
// A stress result in words: which part of start-up is whose fault, and what would be safe here.
// Pure functions.
#pragma once

#include <string>

#include "configs/receipt/cache_stress.h"

namespace understudy::launcher {

// One paragraph; `stress.predicted_seconds` is part of it where the policy is to blame.
std::string diagnosis_of(const configs::PolicyStress& stress);

// "1.9 s", "340 ms"
std::string seconds_text(double seconds);

// Side by side, for a terminal.
std::string comparison_text(const configs::CacheStress& stress);

}  // namespace understudy::launcher
