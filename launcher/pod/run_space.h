// SPDX-License-Identifier: Apache-2.0
// Checks the free space on the file systems that a run writes to. Open MPI hangs if its session
// folder is full, so a launch checks the space it needs before it starts anything. Call from the
// main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/launch/run_plan.h"

namespace understudy::launcher {

class RunFolder;

// The space that one purpose needs on the file system of `folder`.
struct SpaceNeed {
  std::string folder;
  std::string purpose;  // "arguments"
  std::uint64_t bytes = 0;
};

// The needs of a run: files of the workers and of Open MPI. `out`: the folder of --out, or empty.
std::vector<SpaceNeed> space_needs(const configs::RunPlan& plan, const RunFolder& folder,
                                   const std::string& out);

// *Throws* Error{system} if a file system has less free space than the sum of its needs, or if
// `ulimit -f` is smaller than the memory of a chip.
void require_space(const std::vector<SpaceNeed>& needs, std::uint64_t hbm_bytes);

// Allocates the needed space in the run folder and frees it again, because quotas only show when
// something is written. *Throws* Error{system}.
void prove_space(const configs::RunPlan& plan, const RunFolder& folder);

// Detects that other processes fill the disk during the start. Polled while the pod runs.
class SpaceWatch {
 public:
  explicit SpaceWatch(const RunFolder& folder);
  // True if the file system of the run folder is full and no worker has a record; none will start
  // then.
  bool ran_out();
  // The error it detected, or the error of a worker that could not create its record, which is only
  // in `mpirun_output`.
  std::optional<Error> error(const std::string& mpirun_output) const;

 private:
  std::string folder_;
  Deadline next_look_;
  std::optional<Error> error_;
};

}  // namespace understudy::launcher
