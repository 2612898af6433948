// SPDX-License-Identifier: Apache-2.0
#include "launcher/check/check_pod.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

#include "configs/base/error.h"
#include "configs/topology.h"
#include "launcher/check/conductor.h"
#include "launcher/console.h"
#include "launcher/environment.h"
#include "launcher/run_folder.h"

namespace understudy::launcher {
namespace {

constexpr const char* kSocket = "host.sock";
constexpr const char* kChip = "v6e";

std::int64_t left_over(const CheckWork& work) {
  return std::ranges::count_if(work.jobs, [](const CheckJob& job) { return !job.verdict; });
}

// As many as the widest program needs; for narrow ones as many as there are cores.
std::int64_t pod_size(const CheckWork& work) {
  std::int64_t widest = 1;
  for (const CheckJob& job : work.jobs)
    if (!job.verdict) widest = std::max(widest, job.program.processes());
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  return std::max(widest,
                  std::clamp<std::int64_t>(std::min(cores, left_over(work)), 1, kMostCheckChips));
}

configs::RunPlan plan_of(const configs::Slice& slice, std::int64_t chips,
                         const CheckOptions& options, const RunFolder& folder) {
  configs::RunPlan plan;
  plan.run_id = make_run_id(folder);
  plan.slice = slice.name;
  plan.chip = slice.chip.name;
  plan.chips = chips;
  for (std::int64_t rank = 0; rank < chips; ++rank)
    plan.host_of.push_back(slice.chips[static_cast<std::size_t>(rank)].host);
  plan.hbm_bytes = slice.chip.hbm_bytes;
  plan.vmem_bytes = slice.chip.vmem_bytes;
  plan.command_socket = kSocket;
  plan.numerics = options.numerics;
  plan.collectives = options.collectives;
  plan.replicas = chips;
  plan.cache_dir = folder.path();
  plan.cache_policy = "off";
  plan.timeout_seconds = options.timeout_seconds;
  return plan;
}

// The pod ended early: what the rank that went first was at has failed.
void blame(const Finish& finish, const Conductor& conductor, CheckWork& work, std::int64_t chips) {
  const std::string why = failure_text(finish.outcome);
  std::vector<CheckJob*> suspects;
  for (std::int64_t rank = 0; rank < chips; ++rank)
    if (CheckJob* job = conductor.at_work(Rank(rank)); job != nullptr && !job->verdict)
      suspects.push_back(job);
  const auto& failure = finish.outcome.failure;
  if (failure && failure->rank)
    if (CheckJob* job = conductor.at_work(Rank(*failure->rank)); job != nullptr && !job->verdict)
      suspects = {job};
  for (CheckJob* job : suspects)
    job->verdict = CheckVerdict{configs::Verdict::failed,
                                fmt::format("{}: @{} took its pod down: {}",
                                            work.files[job->file].path, job->program.entry, why),
                                0};
}

struct OnePod {
  Finish finish;
  std::int64_t chips = 0;
};

OnePod run_one(CheckWork& work, const CheckOptions& options, const Environment& environment,
               const Console& console) {
  OnePod pod;
  pod.chips = pod_size(work);
  const configs::Slice slice = configs::slice_for(kChip, pod.chips);
  RunFolder folder(environment.temporary);
  const Launch launch = make_launch(plan_of(slice, pod.chips, options, folder), options.start, "",
                                    environment, folder);
  folder.write("plan.json", configs::to_json(launch.plan));
  PodHost host(folder.path() + "/" + kSocket);
  Conductor conductor(
      host, work,
      {pod.chips, options.numerics, options.collectives, Seconds(options.timeout_seconds)});
  std::optional<Error> failure;
  std::jthread talking([&](const std::stop_token& stop) {
    try {
      conductor.run(stop);
    } catch (const Error& error) {
      failure = error;
    }
  });
  pod.finish = run_launch(launch, program::Module{}, slice, folder, console,
                          [&] { return conductor.gave_up(); });
  talking.request_stop();
  talking.join();
  if (failure) throw *failure;
  if (!conductor.gave_up() && pod.finish.outcome.exit_code != 0 && !pod.finish.watched.interrupted)
    blame(pod.finish, conductor, work, pod.chips);
  return pod;
}

}  // namespace

CheckEnd run_check(CheckWork& work, const CheckOptions& options, const Environment& environment,
                   const Console& console) {
  CheckEnd end;
  for (std::int64_t left = left_over(work); left > 0;) {
    const OnePod pod = run_one(work, options, environment, console);
    end.chips = std::max(end.chips, pod.chips);
    const std::int64_t now = left_over(work);
    if (now > 0 && (pod.finish.watched.interrupted || now == left)) {
      end.exit_code = pod.finish.outcome.exit_code;
      end.failure = failure_text(pod.finish.outcome);
      return end;
    }
    left = now;
  }
  return end;
}

}  // namespace understudy::launcher
