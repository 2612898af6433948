// SPDX-License-Identifier: Apache-2.0
// Faults that apply before a worker executes itself in its host's environment: a changed
// environment, another binary, a chip that is in use. Call before anything else runs.
#pragma once

#include <string>

#include "configs/base/ids.h"
#include "configs/launch/environment.h"

namespace understudy::worker {

// Changes what this rank is about to start with. *Throws* Error{usage} and Error{system}.
void apply_early_faults(const configs::LaunchInputs& inputs, Rank rank, const std::string& run_dir,
                        configs::Variables& variables, std::string& program);

}  // namespace understudy::worker
