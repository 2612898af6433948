// SPDX-License-Identifier: Apache-2.0
// Watches a run from outside, through the records and processes of its workers. mpirun does not
// notice a stopped worker and reports little about a killed one, so the launcher checks the workers
// and mpirun itself. It records which process was lost first, gives the others time to report, then
// ends the pod. Call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"
#include "configs/receipt/record/record.h"
#include "launcher/diagnose/run_position.h"
#include "launcher/diagnose/watched_run.h"
#include "launcher/options/run_deadline.h"
#include "launcher/pod/process_log.h"

namespace understudy::launcher {

class Subprocess;
class SignalQueue;

// How many workers have begun, and how many have MPI: all of them get it at once, when the last one
// has begun.
struct ChipsSeen {
  std::int64_t started = 0, up = 0;
};

// The interface of the watch to the machine; tests replace it.
struct WatchWorld {
  std::function<std::optional<configs::RecordContent>(std::int64_t rank)> record;
  // The same without observations.
  std::function<std::optional<configs::RecordContent>(std::int64_t rank)> status;
  std::function<std::optional<ProcessStat>(std::int64_t pid)> process = process_stat;
  std::function<void(std::int64_t pid)> kill;  // SIGKILL
  // Workers of this machine that have no record yet, pids by rank (workers_below()).
  std::function<std::map<std::int64_t, std::int64_t>(const std::set<std::int64_t>& known)> workers =
      [](const auto&) { return std::map<std::int64_t, std::int64_t>(); };
  // Called when a worker of this machine becomes known.
  std::function<void(std::int64_t rank, std::int64_t pid)> follow = [](auto, auto) {};
  // Ranks of ended workers in order; may be incomplete (ExitOrder).
  std::function<std::vector<std::int64_t>()> ended = [] { return std::vector<std::int64_t>(); };
  // The first process of the pod that was lost, as mpirun saw it (first_end_of()).
  std::function<std::optional<FirstEnd>()> first_end = [] { return std::nullopt; };
  // Whether the OOM killer killed that process (OomWatch).
  std::function<bool(std::int64_t pid)> out_of_memory = [](std::int64_t) { return false; };
  std::function<void(std::int64_t step, const ChipsSeen&)> progress = [](auto, const auto&) {};
  std::function<bool()> stop_requested = [] { return false; };  // true: end the pod
  // Called every minute while a step lasts.
  std::function<void(const RunPosition&, Seconds)> heartbeat = [](const RunPosition&, Seconds) {};
};

struct WatchOptions {
  std::int64_t ranks = 0;
  double timeout_seconds = 60;
  std::string machine;  // pids of workers on other machines are meaningless here
  std::optional<RunDeadline> deadline = {};  // of the whole run
  Seconds heartbeat{60};
  Seconds look{0.05};             // polling interval
  Seconds most_between_reads{5};  // of the records, however long one read takes
  Seconds stopped_for{1};         // a shorter stop is ignored
  Seconds report_grace{1.5};      // for surviving workers to write their reports
  Seconds kill_delay{0.5};        // between SIGTERM and SIGKILL
};

// Returns when mpirun and all workers of this machine have ended.
WatchedRun watch(Subprocess& mpirun, SignalQueue& signals, const WatchWorld& world,
                 const WatchOptions& options);

}  // namespace understudy::launcher
