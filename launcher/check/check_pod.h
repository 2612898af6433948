// SPDX-License-Identifier: Apache-2.0
// The pods of a check: one, unless a program takes its pod down with it; then that program has
// failed and the others go on with a new pod. Call from the main thread.
#pragma once

#include <cstdint>
#include <string>

#include "launcher/check/job.h"
#include "launcher/pod/launch.h"

namespace understudy::launcher {

struct CheckOptions {
  std::vector<std::string> paths;
  std::string numerics = "ieee", collectives = "auto";
  double timeout_seconds = 60;  // without progress of a peer, and for one program in all
  StartOptions start;
  bool json = false;
};

inline constexpr std::int64_t kMostCheckChips = 64;

struct CheckEnd {
  std::int64_t chips = 0;  // of the pod; 0: there was nothing to run
  int exit_code = 0;       // not 0: it was interrupted, or no pod could be had
  std::string failure;
};
// Gives every job a verdict, but for those that were not run where the exit code is not 0.
CheckEnd run_check(CheckWork& work, const CheckOptions& options, const Environment& environment,
                   const Console& console);

}  // namespace understudy::launcher
