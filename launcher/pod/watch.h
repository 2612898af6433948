// SPDX-License-Identifier: Apache-2.0
// Watches a run from outside: the records that workers write and their processes. mpirun never
// notices a stopped worker and tells little about a killed one, so the launcher looks itself, also
// at mpirun, notes who was lost first, gives the others time to report, and ends the rest.
// Call from the main thread.
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
#include "configs/receipt/record.h"
#include "launcher/diagnose/run_position.h"
#include "launcher/diagnose/watched.h"
#include "launcher/options/run_deadline.h"

namespace understudy::launcher {

class Subprocess;
class SignalQueue;

// What the watch sees of the world; tests put a play in its place.
struct WatchWorld {
  std::function<std::optional<configs::RecordContent>(std::int64_t rank)> record;
  // The same without observations.
  std::function<std::optional<configs::RecordContent>(std::int64_t rank)> status;
  std::function<std::optional<ProcessStat>(std::int64_t pid)> process = process_stat;
  std::function<void(std::int64_t pid)> kill;  // SIGKILL
  // Workers of this machine that have no record yet, pids by rank (workers_below()).
  std::function<std::map<std::int64_t, std::int64_t>(const std::set<std::int64_t>& known)> workers =
      [](const auto&) { return std::map<std::int64_t, std::int64_t>(); };
  // A worker of this machine is known from now on.
  std::function<void(std::int64_t rank, std::int64_t pid)> follow = [](auto, auto) {};
  // Ranks of those that ended, first to last; not all need to be there (ExitOrder).
  std::function<std::vector<std::int64_t>()> ended = [] { return std::vector<std::int64_t>(); };
  // Whether the kernel killed that process for want of memory (OomWatch).
  std::function<bool(std::int64_t pid)> out_of_memory = [](std::int64_t) { return false; };
  std::function<void(std::int64_t step)> progress = [](std::int64_t) {};
  std::function<bool()> given_up = [] { return false; };  // true: the launcher wants it to end
  // Every minute of a step that does not end.
  std::function<void(const RunPosition&, Seconds)> heartbeat = [](const RunPosition&, Seconds) {};
};

struct WatchOptions {
  std::int64_t ranks = 0;
  double timeout_seconds = 60;
  std::string machine;                       // workers elsewhere have pids that mean nothing here
  std::optional<RunDeadline> deadline = {};  // of the whole run
  Seconds heartbeat{60};
  Seconds look{0.05};         // between two looks at the processes
  Seconds stopped_for{1};     // a stop shorter than this is forgiven
  Seconds report_grace{1.5};  // for survivors to report what they saw
  Seconds kill_delay{0.5};    // between SIGTERM and SIGKILL
};

// Returns when mpirun and all workers of this machine are gone.
Watched watch(Subprocess& mpirun, SignalQueue& signals, const WatchWorld& world,
              const WatchOptions& options);

}  // namespace understudy::launcher
