// SPDX-License-Identifier: Apache-2.0
// Room on the file systems that a run writes to. Open MPI never ends where its session folder is
// full, so a launch asks for the bytes that it needs before it starts anything. Call from the main
// thread.
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

// What one purpose takes of the file system that holds `folder`.
struct SpaceNeed {
  std::string folder;
  std::string purpose;  // "arguments"
  std::uint64_t bytes = 0;
};

// Of a run by its plan: what the workers and Open MPI write. `out`: where results go in the end,
// empty for nowhere.
std::vector<SpaceNeed> space_needs(const configs::RunPlan& plan, const RunFolder& folder,
                                   const std::string& out);

// *Throws* Error{system} where a file system has less than the sum of its needs, or where
// `ulimit -f` is smaller than the memory of a chip.
void require_space(const std::vector<SpaceNeed>& needs, std::uint64_t hbm_bytes);

// Allocates what Open MPI and the records take in the run folder, and frees it: quotas are only
// known to who writes. *Throws* Error{system}.
void prove_space(const configs::RunPlan& plan, const RunFolder& folder);

// Others may fill the disk meanwhile. Asked again and again while the pod runs.
class SpaceWatch {
 public:
  explicit SpaceWatch(const RunFolder& folder);
  // True once the run folder's file system is full and no worker has come up: none will.
  bool ran_out();
  // What it found, or what a worker said that could not even begin its record; `mpirun_output` has
  // its words.
  std::optional<Error> error(const std::string& mpirun_output) const;

 private:
  std::string folder_;
  Deadline next_look_;
  std::optional<Error> error_;
};

}  // namespace understudy::launcher
