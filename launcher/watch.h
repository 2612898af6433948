// SPDX-License-Identifier: Apache-2.0
// Watches a run from outside: the records that workers write and their processes. mpirun never
// notices a stopped worker and tells little about a killed one, so the launcher looks itself, notes
// who was first to go, gives the others time to write down what they saw, and ends the rest.
// Call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/procfs.h"
#include "configs/record.h"

namespace understudy::launcher {

class Subprocess;
class SignalQueue;

// What the watch sees of the world; tests put a play in its place.
struct WatchWorld {
  std::function<std::optional<configs::RecordContent>(std::int64_t rank)> record;
  // The same without observations.
  std::function<std::optional<configs::RecordContent>(std::int64_t rank)> pulse;
  std::function<std::optional<ProcessStat>(std::int64_t pid)> process = process_stat;
  std::function<void(std::int64_t pid)> kill;  // SIGKILL
  std::function<void(std::int64_t step)> progress = [](std::int64_t) {};
  std::function<bool()> given_up = [] { return false; };  // true: the launcher wants it to end
};

struct WatchOptions {
  std::int64_t ranks = 0;
  double timeout_seconds = 60;
  std::string machine;     // workers elsewhere have pids that mean nothing here
  Seconds look{0.05};      // between two looks at the processes
  Seconds stopped_for{1};  // a stop shorter than this is forgiven
  Seconds testament{1.5};  // what survivors get to write down what they saw
  Seconds farewell{0.5};   // between SIGTERM and SIGKILL
};

inline constexpr std::string_view kStoodStill = "stood still";
inline constexpr std::string_view kWasKilled = "was killed or ended without a word";
inline constexpr std::string_view kWasStopped = "was stopped";

// The worker that went first.
struct Casualty {
  std::int64_t rank = -1;
  std::string how;  // kWasKilled, kWasStopped, kStoodStill with " for 5 s"
  configs::Phase phase = configs::Phase::started;
  std::uint32_t op = 0;  // ordinal + 1, 0 = none
  // When it was missed: the clearing up may wake a stopped worker, which then goes on for a while.
  std::vector<configs::FlightSeen> flight = {};
};

// The last observation of a kind in a record; nullptr where there is none.
template <class T>
const T* last_of(const std::optional<configs::RecordContent>& record) {
  const T* found = nullptr;
  if (record)
    for (const configs::Observation& observation : record->observations)
      if (const T* one = std::get_if<T>(&observation)) found = one;
  return found;
}

struct Watched {
  std::vector<std::optional<configs::RecordContent>> records;  // by rank, as they were left
  std::optional<Casualty> casualty;
  std::optional<int> interrupted;    // the signal that the launcher got
  std::optional<int> mpirun_status;  // wait status; never decides anything
};

// Returns when mpirun and all workers of this machine are gone.
Watched watch(Subprocess& mpirun, SignalQueue& signals, const WatchWorld& world,
              const WatchOptions& options);

}  // namespace understudy::launcher
