// SPDX-License-Identifier: Apache-2.0
// Faults that strike before a worker is itself: another environment than its host's, another
// binary. Call before anything else runs.
#pragma once

#include <string>

#include "configs/base/ids.h"
#include "configs/launch/environment.h"

namespace understudy::worker {

// Changes what this rank is about to start with. *Throws* Error{usage} and Error{system}.
void apply_early_faults(const configs::LaunchInputs& inputs, Rank rank, const std::string& run_dir,
                        configs::Variables& variables, std::string& program);

}  // namespace understudy::worker
