// SPDX-License-Identifier: Apache-2.0
// The evidence of a watched run for its diagnosis: the record of each rank, the process that was
// lost first, how mpirun ended. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "configs/receipt/record/record.h"
#include "launcher/diagnose/loss.h"
#include "launcher/diagnose/run_position.h"

namespace understudy::launcher {

// The last observation of type T in a record; nullptr if there is none.
template <class T>
const T* last_of(const std::optional<configs::RecordContent>& record) {
  const T* found = nullptr;
  if (record)
    for (const configs::Observation& observation : record->observations)
      if (const T* one = std::get_if<T>(&observation)) found = one;
  return found;
}

struct WatchedRun {
  std::vector<std::optional<configs::RecordContent>> records;  // by rank, as of the end of the run
  std::optional<LostWorker> lost;
  std::optional<LostMpirun> lost_mpirun;
  std::optional<int> interrupted;    // the signal that the launcher received
  std::optional<int> mpirun_status;  // wait status
  bool mpirun_was_told = false;      // by the launcher, to end
  std::int64_t mpirun_pid = 0;
  std::int64_t workers_seen = 0;  // workers that started, with or without a record
  // Ranks in the order in which the kernel saw their processes end. A process that ended before the
  // launcher found it is missing.
  std::vector<std::int64_t> exit_order;
  std::optional<RunPosition> overdue;  // position of the run when its deadline passed
  double deadline_seconds = 0;         // the deadline, if `overdue` is set
};

// The record of a rank, empty if there is none.
inline const std::optional<configs::RecordContent>& record_of(const WatchedRun& watched,
                                                              std::int64_t rank) {
  static const std::optional<configs::RecordContent> kNone;
  const auto at = static_cast<std::size_t>(rank);
  return at < watched.records.size() ? watched.records[at] : kNone;
}

}  // namespace understudy::launcher
