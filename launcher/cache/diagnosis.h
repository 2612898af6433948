// SPDX-License-Identifier: Apache-2.0
// The diagnosis of a stress result: which part of start-up is slow, why, and which policies are
// safe. Pure functions.
#pragma once

#include <string>

#include "configs/receipt/cache_stress.h"

namespace understudy::launcher {

// One paragraph. It ends with the predicted times of safe policies if this policy is unsafe.
std::string diagnosis_of(const configs::PolicyStress& stress);

// "1.9 s", "340 ms"
std::string seconds_text(double seconds);

// A table of all policies for a terminal, then one diagnosis per policy.
std::string comparison_text(const configs::CacheStress& stress);

}  // namespace understudy::launcher
