// SPDX-License-Identifier: Apache-2.0
// Stress results as an SVG chart. Pure functions.
#pragma once

#include <string>

#include "configs/receipt/cache_stress.h"

namespace understudy::launcher {

// One bar per policy: its length is the slowest start-up, its segments are shares of the total
// time.
std::string stress_svg(const configs::CacheStress& stress);

}  // namespace understudy::launcher
