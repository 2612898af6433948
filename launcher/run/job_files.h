// SPDX-License-Identifier: Apache-2.0
// A planned run as a job for others to start: a script for Slurm, a manifest for Kubernetes. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/environment.h"
#include "configs/launch/run_plan.h"

namespace understudy::launcher {

// What is printed for `--dry-run --as KIND`: "slurm" or "mpijob". `words` are those that
// understudy was started with, `environment` that of a host: the pods of an mpijob get what all
// hosts have alike. *Throws* Error{usage} for another kind, or hosts with different numbers of
// chips.
std::string job_file(const std::string& kind, const configs::RunPlan& plan,
                     const std::vector<configs::EnvironmentEntry>& environment,
                     const std::vector<std::string>& words);

}  // namespace understudy::launcher
