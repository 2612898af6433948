// SPDX-License-Identifier: Apache-2.0
// The evidence that a watched run leaves for its diagnosis: each rank's record, who was lost first,
// how mpirun ended. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "configs/receipt/record.h"
#include "launcher/diagnose/loss.h"
#include "launcher/diagnose/run_position.h"

namespace understudy::launcher {

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
  std::optional<LostWorker> lost;
  std::optional<LostMpirun> lost_mpirun;
  std::optional<int> interrupted;    // the signal that the launcher got
  std::optional<int> mpirun_status;  // wait status
  bool mpirun_was_told = false;      // to end, by the launcher
  std::int64_t mpirun_pid = 0;
  std::int64_t workers_seen = 0;       // that were there, with or without a record
  std::optional<RunPosition> overdue;  // where the run was when its deadline passed
  double deadline_seconds = 0;         // then
};

}  // namespace understudy::launcher
