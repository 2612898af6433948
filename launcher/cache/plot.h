// SPDX-License-Identifier: Apache-2.0
// Stress results as a picture. Pure functions.
#pragma once

#include <string>

#include "configs/receipt/cache_stress.h"

namespace understudy::launcher {

// SVG: one bar for each policy, as long as its slowest start-up, cut by where the time went.
std::string stress_svg(const configs::CacheStress& stress);

}  // namespace understudy::launcher
