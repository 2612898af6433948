// SPDX-License-Identifier: Apache-2.0
// Writes a planned run as a batch job: a Slurm script or a Kubernetes MPIJob manifest. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/environment.h"
#include "configs/launch/run_plan.h"

namespace understudy::launcher {

// The output of `--dry-run --as KIND`; `kind`: "slurm" or "mpijob". `words`: the command line of
// understudy. `environment`: the environment of one host; the pods of an mpijob get the variables
// that are equal on all hosts. *Throws* Error{usage} for another kind, or hosts with different
// numbers of chips.
std::string job_file(const std::string& kind, const configs::RunPlan& plan,
                     const std::vector<configs::EnvironmentEntry>& environment,
                     const std::vector<std::string>& words);

}  // namespace understudy::launcher
