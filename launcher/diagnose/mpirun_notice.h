// SPDX-License-Identifier: Apache-2.0
// Evidence from mpirun: its exit status, and its notice of the first process that a signal ended.
// mpirun is the parent of the workers on its machine, so it knows their wait statuses. It often
// reports nothing about processes that end before MPI_Init. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "launcher/diagnose/loss.h"
#include "launcher/diagnose/watched_run.h"

namespace understudy::launcher {

struct MpirunNotice {
  std::int64_t rank = -1;
  int signal = 0;
};
// Parses "process rank 3 with PID 0 on node vm exited on signal 9 (Killed)", which mpirun may wrap.
std::optional<MpirunNotice> notice_in(const std::string& mpirun_output);

// Whether Open MPI reported that MPI_Init failed. Its many error texts all name that function.
bool mpi_did_not_start(const std::string& mpirun_output);

// Adds the signal that mpirun knows to a loss of which the launcher saw only that the worker is
// gone. Names the worker of mpirun's notice instead where that one ended before the launcher found
// it.
LostWorker with_signal_from_mpirun(LostWorker lost, const WatchedRun& watched,
                                   const std::string& mpirun_output);

// Whether mpirun itself is the cause: it was killed or stopped, it received a signal that it
// forwards to all workers, or it ended the pod after SIGTERM, SIGINT or SIGHUP (exit status 1). A
// worker exits with 1 only if MPI_Init failed, which Open MPI reports.
std::optional<LostMpirun> lost_mpirun(const WatchedRun& watched, const std::string& mpirun_output);

}  // namespace understudy::launcher
