// SPDX-License-Identifier: Apache-2.0
// Runs the programs of a check on a pod. If a program ends the pod, that program has failed, and a
// new pod runs the remaining programs. Call from the main thread.
#pragma once

#include <cstdint>
#include <string>

#include "launcher/check/job.h"
#include "launcher/pod/launch.h"

namespace understudy::launcher {

struct CheckOptions {
  std::vector<std::string> paths;
  std::string numerics = "ieee", collectives = "auto";
  double timeout_seconds = 60;  // limit without progress of a peer, and limit of one program
  StartOptions start;
  bool json = false;
};

inline constexpr std::int64_t kMostCheckChips = 64;

struct CheckEnd {
  std::int64_t chips = 0;  // of the largest pod; 0: nothing was run
  int exit_code = 0;       // not 0: interrupted, or no pod could be started
  std::string failure;
};
// Gives every job a verdict. If the exit code is not 0, jobs that were not run have none.
CheckEnd run_check(CheckWork& work, const CheckOptions& options, const Environment& environment,
                   const Console& console);

}  // namespace understudy::launcher
