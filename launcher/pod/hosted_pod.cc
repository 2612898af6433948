// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/hosted_pod.h"

#include <atomic>
#include <exception>
#include <thread>

#include "configs/base/cache_policy.h"
#include "configs/base/caught.h"
#include "configs/launch/joined_slices.h"
#include "launcher/pod/run_folder.h"
#include "launcher/pod/run_space.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

// Relative to the run folder, which every worker gets as its argument.
constexpr const char* kSocket = "host.sock";

configs::RunPlan plan_of(const configs::Slice& slice, const HostedOptions& options,
                         const RunFolder& folder) {
  configs::RunPlan plan;
  plan.run_id = make_run_id(folder);
  plan.slice = configs::joined_name(slice.slices, slice.name);
  plan.chip = slice.chip.name;
  plan.chips = options.chips;
  configs::place_ranks(plan, slice);
  plan.hbm_bytes = slice.chip.hbm_bytes;
  plan.vmem_bytes = slice.chip.vmem_bytes;
  plan.command_socket = kSocket;
  plan.numerics = options.numerics;
  plan.collectives = options.collectives;
  // The plan only starts the workers. Programs arrive later as commands and may use any grid of
  // these chips.
  plan.replicas = options.chips;
  plan.cache_dir = folder.path();
  plan.cache_policy = cache_policy(CachePolicyId::off).name;
  plan.cache_lock = "none";
  plan.timeout_seconds = options.timeout_seconds;
  if (options.amend) options.amend(plan);
  return plan;
}

}  // namespace

HostedEnd run_hosted(const configs::Slice& slice, const HostedOptions& options,
                     const Environment& environment, const Console& console,
                     const std::function<void(PodHost&, const std::stop_token&)>& talk,
                     const std::function<bool()>& stop_requested) {
  RunFolder folder(environment.temporary);
  const Launch launch = make_launch(plan_of(slice, options, folder), slice, options.start, "", {},
                                    environment, folder);
  // First the arithmetic, which changes nothing, then prove_space(), which touches the file
  // systems.
  require_space(space_needs(launch.plan, folder, ""), launch.plan.hbm_bytes);
  folder.write("plan.json", configs::to_json(launch.plan));
  prove_space(launch.plan, folder);
  // The socket must listen before workers start: a worker connects once and does not retry.
  PodHost host(folder.path() + "/" + kSocket);
  HostedEnd end;
  end.plan = launch.plan;
  end.receipt_launch = launch.receipt_launch;
  end.inputs = launch.inputs;
  std::atomic<bool> failed{false};
  const SignalQueue signals;  // blocks signals here and in the command thread
  if (options.before_start && !launch.refusal) options.before_start(launch, folder);
  // No exception may leave the thread; errors are handed to the main thread.
  std::jthread talking([&](const std::stop_token& stop) {
    end.failure = caught([&] { talk(host, stop); });
    failed = end.failure.has_value();
  });
  // No program is known when the pod starts, so failures of operations have no source location.
  const program::Module unknown;
  SpaceWatch space(folder);
  end.finish = run_launch(launch, OpLocations(unknown), slice, folder, console,
                          [&] { return failed || stop_requested() || space.ran_out(); });
  // The pod has ended. A command thread that still waits for an answer notices the request within
  // its next poll.
  talking.request_stop();
  talking.join();
  // A full disk explains a failed start better than the timeout that it causes.
  if (end.finish.outcome.failure && !end.finish.watched.interrupted)
    if (const std::optional<Error> error = space.error(end.finish.mpirun_output)) throw *error;
  return end;
}

}  // namespace understudy::launcher
