// SPDX-License-Identifier: Apache-2.0
// Runs a launch to its end.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/error.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/diagnose/mpirun_notice.h"
#include "launcher/diagnose/oom_watch.h"
#include "launcher/pod/exit_order.h"
#include "launcher/pod/launch.h"
#include "launcher/pod/process_log.h"
#include "launcher/pod/process_session.h"
#include "launcher/pod/processes.h"
#include "launcher/pod/progress_line.h"
#include "launcher/pod/watch.h"
#include "launcher/process/console.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

// Killed processes need time to unmap the HBM of their chips before they exit.
constexpr Seconds kToEndAll{5};
constexpr double kSecondsPerMinute = 60;

// The outcome of a launch that the contract checks refused.
Outcome refused(const Refusal& refusal) {
  Outcome outcome;
  outcome.exit_code = exit_code_of(refusal.kind);
  configs::ReceiptFailure failure;
  failure.kind = configs::failure_kind_of(refusal.kind);
  failure.host = refusal.host;
  failure.phase = "contract";
  const bool of_contract = refusal.kind == ErrorKind::protocol;
  failure.message = (of_contract ? "launch contract refused: " : "") + refusal.message;
  failure.diagnosis = refusal.diagnosis;
  attribute(failure);
  outcome.failure = std::move(failure);
  return outcome;
}

// Whether the record ends before MPI_Init: it has only the start of the process, and signals of
// mpirun ending the pod.
bool is_before_mpi(const configs::RecordContent& record) {
  return std::ranges::all_of(record.observations, [](const configs::Observation& seen) {
    const auto* const signal = std::get_if<configs::SignalSeen>(&seen);
    return std::holds_alternative<configs::ProcessSeen>(seen) || (signal && signal->from_pod);
  });
}

// Whether the start failed in MPI_Init, before any worker did anything: no signal, only early
// records, and Open MPI reported MPI_Init. Nothing of the run has happened then, so it can be
// started again.
// Not after an interruption or a loss of mpirun: those are results, not failed starts.
bool never_came_up(const Finish& finish) {
  const WatchedRun& watched = finish.watched;
  if (watched.interrupted || watched.lost_mpirun || notice_in(finish.mpirun_output)) return false;
  const int status = watched.mpirun_status.value_or(0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > kSignalled) return false;
  for (const auto& record : watched.records)
    if (record && !is_before_mpi(*record)) return false;
  return mpi_did_not_start(finish.mpirun_output);
}

// Otherwise the second attempt would read the records and the process log of the first as its own.
void remove_evidence(const RunFolder& folder, std::int64_t ranks) {
  std::error_code none;
  for (std::int64_t rank = 0; rank < ranks; ++rank)
    std::filesystem::remove(folder.record(rank), none);
  std::filesystem::remove(process_log_in(folder.path()), none);
}

// Connects the watch to this machine. All arguments must outlive the result.
WatchWorld world_of(const Launch& launch, const RunFolder& folder, ExitOrder& exits,
                    OomWatch& memory) {
  WatchWorld world;
  world.record = [&](std::int64_t rank) { return configs::read_record(folder.record(rank)); };
  world.status = [&](std::int64_t rank) {
    return configs::read_record_status(folder.record(rank));
  };
  world.kill = [](std::int64_t pid) { (void)::kill(static_cast<pid_t>(pid), SIGKILL); };
  world.follow = [&](std::int64_t rank, std::int64_t pid) {
    exits.follow(rank, pid);
    memory.follow(pid);
  };
  world.ended = [&] { return exits.ended(); };
  world.first_end = [&, facts = ProcessLogFacts{::getpid(), launch.plan.chips}] {
    return first_end_of(process_log_in(folder.path()), facts);
  };
  world.out_of_memory = [&](std::int64_t pid) { return memory.killed(pid); };
  return world;
}

// A sign of life during a long step. A script has no steps, and may think.
void remark_on_step(const Console& console, const configs::RunPlan& plan, const OpLocations& ops,
                    const RunPosition& position, Seconds span) {
  if (plan.host_processes) return;
  console.remark(fmt::format("{:.0f} min in this step: {}", span.count() / kSecondsPerMinute,
                             position_text(position, plan.steps, ops)));
}

// The queue of signals was created before mpirun: one that arrives between start and watch is not
// lost.
WatchOptions watch_options(const Launch& launch) {
  WatchOptions options;
  options.ranks = launch.plan.chips;
  options.timeout_seconds = launch.plan.timeout_seconds;
  options.deadline = launch.deadline;
  options.machine = machine_name();
  return options;
}

// Runs the pod once; everything that it leaves is in `finish`.
void attempt(const Launch& launch, const RunFolder& folder, WatchWorld& world, SignalQueue& signals,
             Finish& finish) {
  Subprocess mpirun(launch.words, launch.variables);
  folder.end_with_launcher(mpirun.identity());
  world.workers = [&](const std::set<std::int64_t>& known) {
    return workers_below(mpirun.pid(), known);
  };
  finish.watched = watch(mpirun, signals, world, watch_options(launch));
  // Workers that were started but have not written a record yet are unknown to the watch.
  (void)end_session(mpirun.identity(), Deadline::after(kToEndAll));
  finish.mpirun_output = mpirun.output();
}

}  // namespace

// Runs the pod to its end, at most twice. Everything that a signal may interrupt is inside the
// lifetime of the signal queue, so the caller always gets a Finish with an outcome.
Finish run_launch(const Launch& launch, const OpLocations& ops, const configs::Slice& slice,
                  const RunFolder& folder, const Console& console,
                  const std::function<bool()>& stop_requested,
                  const std::function<void(std::int64_t, std::int64_t)>& on_step) {
  Finish finish;
  finish.started_at = utc_now();
  if (launch.refusal) {
    finish.watched.records.resize(static_cast<std::size_t>(launch.plan.chips));
    finish.outcome = refused(*launch.refusal);
    return finish;
  }
  const Clock::time_point begin = Clock::now();
  SignalQueue signals;
  ProgressLine line(console, launch.plan);
  // At most two attempts; see never_came_up().
  for (;;) {
    ExitOrder exits;
    OomWatch memory;
    WatchWorld world = world_of(launch, folder, exits, memory);
    world.progress = [&](std::int64_t step, const ChipsSeen& chips) {
      on_step ? on_step(step, launch.plan.steps) : line.show(step, chips);
    };
    world.stop_requested = stop_requested;
    world.heartbeat = [&](const RunPosition& position, Seconds span) {
      remark_on_step(console, launch.plan, ops, position, span);
    };
    attempt(launch, folder, world, signals, finish);
    if (finish.restarted || !never_came_up(finish)) break;
    remove_evidence(folder, launch.plan.chips);  // the second attempt must not find them
    console.remark("note: MPI failed to start on some chips; restarting all chips once");
    finish.restarted = true;
  }
  finish.wall_seconds = seconds_since(begin);
  // Here nothing of the pod runs any more, so the records no longer change while they are judged.
  finish.outcome = outcome_of(finish.watched, launch.plan, slice.chips, ops, finish.mpirun_output);
  add_slice(finish.outcome, launch.plan);
  return finish;
}

}  // namespace understudy::launcher
