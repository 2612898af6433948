// SPDX-License-Identifier: Apache-2.0
// What the launcher knows of the workers of a pod while it watches them: their latest records,
// their processes on this machine, and in which order they ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"
#include "configs/receipt/record/record.h"
#include "launcher/diagnose/run_position.h"
#include "launcher/pod/watch.h"

namespace understudy::launcher {

// Whether a process is stopped for long. A short stop (a job control signal) is not a loss. A
// traced worker (state t) counts as stopped: one that a debugger holds for longer than the limit is
// lost.
class StopTimer {
 public:
  // Call it with every look at the process.
  bool exceeds(Seconds limit, const ProcessStat& stat);

 private:
  std::optional<Clock::time_point> since_;
};

struct Worker {
  std::optional<configs::RecordContent> record;
  bool known = false;    // its record names its process
  std::int64_t pid = 0;  // 0: unknown, or on another machine
  std::uint64_t pid_start = 0;
  StopTimer stop = {};

  // From the process table entry of its pid (nullopt: none). Another start time means that the pid
  // was reused; zombies and dead processes count as gone.
  bool is_gone(const std::optional<ProcessStat>& stat) const;
  bool is_in(configs::Phase phase) const { return record && record->phase == phase; }
  // Its record has its outcome.
  bool over() const;
};

class WorkerTable {
 public:
  WorkerTable(const WatchWorld& world, const WatchOptions& options)
      : world_(world), options_(options), workers_(static_cast<std::size_t>(options.ranks)) {}

  std::size_t size() const { return workers_.size(); }
  Worker& operator[](std::size_t rank) { return workers_[rank]; }

  // Reads the whole record until the worker is known; after that only its status, which is small.
  void read(std::size_t rank);
  void read_whole(std::size_t rank);
  // Finds workers without a record in the process table, so that an early end is noticed.
  void find_missing();

  // Prefers a worker that is computing: a waiting worker only shows where it waits for others.
  RunPosition position() const;
  // The first of several workers that ended between two polls; mpirun ends the others soon after
  // the first, so the order matters. The kernel's order of ends (ExitOrder) decides; workers that
  // it does not contain come last. Among those, fewer collectives, then fewer heartbeats mean an
  // earlier end.
  std::size_t first_of(const std::vector<std::size_t>& gone) const;
  // The worker that has come least far: one that never started keeps the others in MPI_Init.
  // Nothing if all are over.
  std::optional<std::size_t> least_advanced() const;

  bool all_finished() const;
  std::int64_t seen() const;  // workers with a process or a record
  // Sends SIGKILL to all workers of this machine that still run. Returns their number.
  int kill();
  // Kills until none is left: killed processes need time to exit, more so the more memory they map.
  void end();
  std::vector<std::optional<configs::RecordContent>> take_records();

 private:
  void track(std::size_t rank, std::int64_t pid, std::uint64_t start);

  const WatchWorld& world_;
  const WatchOptions& options_;
  std::vector<Worker> workers_;
  bool all_known_ = false;
};

}  // namespace understudy::launcher
