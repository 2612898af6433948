// SPDX-License-Identifier: Apache-2.0
// Predicts the start-up time of the last process under the policies that are safe here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "worker/stress/setup.h"

namespace understudy::worker {

// Measures the cost of a key for one process alone on the caches' file system, and adds up the
// waits of each policy. `mean_compile_seconds`: as measured; 0 where nothing was compiled.
std::vector<std::pair<std::string, double>> predict_safe(const StressSetup& setup,
                                                         double mean_compile_seconds);

}  // namespace understudy::worker
