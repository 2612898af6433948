// SPDX-License-Identifier: Apache-2.0
// A hosted pod: this process commands it over a socket instead of a plan. Starts it, commands it
// from its own thread, watches it and ends it. Call from the main thread.
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
  std::int64_t chips = 1;  // the first chips of the slice
  std::string numerics, collectives;
  double timeout_seconds = 60;
  StartOptions start;
  // Changes the plan before its contract is made; empty: nothing.
  std::function<void(configs::RunPlan&)> amend = {};
  // Called in the main thread when everything is ready, before the pod is started; empty: nothing.
  std::function<void(const Launch&, const RunFolder&)> before_start = {};
};

struct HostedEnd {
  configs::RunPlan plan;
  configs::LaunchInputs inputs;
  configs::ReceiptLaunch receipt_launch;  // the profile for the receipt
  Finish finish;
  std::optional<Error> failure;  // error of `talk`
};

// `talk` runs in its own thread and must tell the workers to finish, or throw. `stop_requested`:
// see run_launch(). *Throws* Error{system} if no pod can be started.
HostedEnd run_hosted(
    const configs::Slice& slice, const HostedOptions& options, const Environment& environment,
    const Console& console, const std::function<void(PodHost&, const std::stop_token&)>& talk,
    const std::function<bool()>& stop_requested = [] { return false; });

}  // namespace understudy::launcher
