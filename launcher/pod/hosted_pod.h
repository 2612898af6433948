// SPDX-License-Identifier: Apache-2.0
// A pod that this process commands over a socket, instead of a plan: started, talked to in a thread
// of its own, watched, ended. Call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "configs/base/error.h"
#include "configs/launch/topology.h"
#include "launcher/pod/host.h"
#include "launcher/pod/launch.h"

namespace understudy::launcher {

struct HostedOptions {
  std::int64_t chips = 1;  // the first of the slice
  std::string numerics, collectives;
  double timeout_seconds = 60;
  StartOptions start;
};

struct HostedEnd {
  configs::RunPlan plan;
  configs::LaunchInputs inputs;
  configs::ReceiptLaunch told;  // under which profile
  Finish finish;
  std::optional<Error> failure;  // what the talk threw
};

// `talk` is over when it has told the workers to finish, or throws. `given_up`: see run_launch().
// *Throws* Error{system} where no pod can be started.
HostedEnd run_hosted(
    const configs::Slice& slice, const HostedOptions& options, const Environment& environment,
    const Console& console, const std::function<void(PodHost&, const std::stop_token&)>& talk,
    const std::function<bool()>& given_up = [] { return false; });

}  // namespace understudy::launcher
