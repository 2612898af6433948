// SPDX-License-Identifier: Apache-2.0
// Start-up of the last process under policies that are safe here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "worker/stress/setup.h"

namespace understudy::worker {

// Measures what one process alone pays for a key on the caches' file system, and adds up who waits
// for whom. `mean_compile_seconds`: of what was measured; 0 where nothing was compiled.
std::vector<std::pair<std::string, double>> predict_safe(const StressSetup& setup,
                                                         double mean_compile_seconds);

}  // namespace understudy::worker
