// SPDX-License-Identifier: Apache-2.0
// What mpirun itself tells of the end of the pod: its exit status and its notice of the first
// process that a signal ended. It is the parent of the workers of its machine, so it knows their
// wait statuses; it is often silent about ends before MPI_Init. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "launcher/diagnose/loss.h"
#include "launcher/diagnose/watched.h"

namespace understudy::launcher {

struct MpirunNotice {
  std::int64_t rank = -1;
  int signal = 0;
};
// Of "process rank 3 with PID 0 on node vm exited on signal 9 (Killed)"; the lines may be folded.
std::optional<MpirunNotice> notice_in(const std::string& mpirun_output);

// Whether a text of Open MPI says that MPI_Init failed: many texts do, and all name the function.
bool mpi_did_not_start(const std::string& mpirun_output);

// The loss with the signal that mpirun knows of, where the launcher saw only that the worker was
// gone.
LostWorker explained(LostWorker lost, const Watched& watched, const std::string& mpirun_output);

// mpirun was killed or stopped, received a signal that it forwards to all workers, or ended the pod
// by itself, as it does after SIGTERM, SIGINT or SIGHUP: exit status 1, which no worker has but one
// in which MPI_Init failed. Open MPI reports that.
std::optional<LostMpirun> lost_mpirun(const Watched& watched, const std::string& mpirun_output);

}  // namespace understudy::launcher
