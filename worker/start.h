// SPDX-License-Identifier: Apache-2.0
// The first thing a worker does: it becomes a process of its host. From the launch's inputs (one
// variable, configs/launch/inputs.h) and its rank it computes its host's environment and executes
// itself again with exactly that, Open MPI's own variables and the system's. Before MPI, before any
// thread.
#pragma once

#include <string>

#include "configs/base/ids.h"

namespace understudy::worker {

// The word behind the run folder that says that this has been done.
inline constexpr const char* kInEnvironment = "in-host-environment";

// As Open MPI tells it before MPI_Init. *Throws* Error{system} where the process was not started by
// mpirun.
Rank rank_in_environment();

// Does not come back, but where there are no inputs: started by hand. *Throws* Error{system} and
// Error{config}.
void start_in_host_environment(const std::string& run_dir);

}  // namespace understudy::worker
