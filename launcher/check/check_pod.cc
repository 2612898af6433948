// SPDX-License-Identifier: Apache-2.0
#include "launcher/check/check_pod.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <optional>
#include <thread>

#include "configs/base/error.h"
#include "configs/launch/topology.h"
#include "launcher/check/check_scheduler.h"
#include "launcher/pod/hosted_pod.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

constexpr const char* kChip = "v6e";

std::int64_t left_over(const CheckWork& work) {
  return std::ranges::count_if(work.jobs, [](const CheckJob& job) { return !job.verdict; });
}

// The widest program decides. Narrow programs run side by side, so use up to one chip per core.
std::int64_t pod_size(const CheckWork& work) {
  std::int64_t widest = 1;
  for (const CheckJob& job : work.jobs)
    if (!job.verdict) widest = std::max(widest, job.program.processes());
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  return std::max(widest,
                  std::clamp<std::int64_t>(std::min(cores, left_over(work)), 1, kMostCheckChips));
}

// The pod ended early. The program on the rank that failed first gets the verdict; if that rank is
// unknown, every program that was running then. False where no program was running.
bool blame(const Finish& finish, const CheckScheduler& check_scheduler, CheckWork& work,
           std::int64_t chips) {
  const std::string why = failure_text(finish.outcome);
  std::vector<CheckJob*> suspects;
  for (std::int64_t rank = 0; rank < chips; ++rank)
    if (CheckJob* job = check_scheduler.at_work(Rank(rank)); job != nullptr && !job->verdict)
      suspects.push_back(job);
  const auto& failure = finish.outcome.failure;
  if (failure && failure->rank)
    if (CheckJob* job = check_scheduler.at_work(Rank(*failure->rank));
        job != nullptr && !job->verdict)
      // A rank runs one program at a time, so its failure has one suspect.
      suspects = {job};
  for (CheckJob* job : suspects)
    job->verdict = CheckVerdict{configs::Verdict::failed,
                                fmt::format("{}: @{} caused its pod to fail: {}",
                                            work.files[job->file].path, job->program.entry, why),
                                0};
  return !suspects.empty();
}

struct OnePod {
  Finish finish;
  std::int64_t chips = 0;
  bool failed_idle = false;  // the pod failed, and no program caused it
};

// The scheduler runs in the command thread, the watch in this one. Errors of the command thread are
// rethrown here.
OnePod run_one(CheckWork& work, const CheckOptions& options, const Environment& environment,
               const Console& console) {
  OnePod pod;
  pod.chips = pod_size(work);
  std::optional<CheckScheduler> check_scheduler;
  // The scheduler is created by the command thread; the watch in the main thread only needs to know
  // whether it gave up.
  // Sequentially consistent stores publish the constructed scheduler; it lives until run_one()
  // returns.
  std::atomic<CheckScheduler*> conducting{nullptr};
  const auto talk = [&](PodHost& host, const std::stop_token& stop) {
    check_scheduler.emplace(host, work,
                            CheckSchedulerOptions{pod.chips, options.numerics, options.collectives,
                                                  Seconds(options.timeout_seconds)});
    conducting = &*check_scheduler;
    check_scheduler->run(stop);
  };
  const auto gave_up = [&] {
    const CheckScheduler* const known = conducting;
    return known != nullptr && known->gave_up();
  };
  HostedEnd end = run_hosted(
      configs::slice_for(kChip, pod.chips),
      {pod.chips, options.numerics, options.collectives, options.timeout_seconds, options.start},
      environment, console, talk, gave_up);
  if (end.failure) throw *end.failure;
  pod.finish = std::move(end.finish);
  const WatchedRun& watched = pod.finish.watched;
  if (!gave_up() && pod.finish.outcome.exit_code != 0 && !watched.interrupted && !watched.overdue)
    pod.failed_idle = !blame(pod.finish, *check_scheduler, work, pod.chips);
  return pod;
}

}  // namespace

// A program that ends its pod gets a verdict, so each pod finishes at least one job. A pod that
// finished none (now == left) could not be started at all: stop instead of looping.
CheckEnd run_check(CheckWork& work, const CheckOptions& options, const Environment& environment,
                   const Console& console) {
  CheckEnd end;
  for (std::int64_t left = left_over(work); left > 0;) {
    const OnePod pod = run_one(work, options, environment, console);
    end.chips = std::max(end.chips, pod.chips);
    const std::int64_t now = left_over(work);
    const WatchedRun& watched = pod.finish.watched;
    if (now == 0 ? pod.failed_idle : watched.interrupted || watched.overdue || now == left) {
      end.exit_code = pod.finish.outcome.exit_code;
      end.failure = failure_text(pod.finish.outcome);
      return end;
    }
    left = now;
  }
  return end;
}

}  // namespace understudy::launcher
