// SPDX-License-Identifier: Apache-2.0
// The first step of a worker: becoming a process of its emulated host. From the launch's inputs
// (one variable, configs/launch/inputs.h) and its rank it computes the environment of its host, and
// executes itself again with exactly that, plus Open MPI's and the system's variables. Runs before
// MPI and before any thread. Where the launcher found understudy-worker-start usable
// (launcher/pod/launch.cc), that program has done it.
#pragma once

#include <string>

#include "configs/base/ids.h"

namespace understudy::worker {

// The rank that Open MPI sets in the environment before MPI_Init. *Throws* Error{system} where the
// process was not started by mpirun.
Rank rank_in_environment();

// Returns only where there are no inputs, that is for a worker started by hand. *Throws*
// Error{system} and Error{config}.
void start_in_host_environment(const std::string& run_dir);

}  // namespace understudy::worker
