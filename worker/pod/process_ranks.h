// SPDX-License-Identifier: Apache-2.0
// Processes of a program and the ranks that run them: process = replica * partitions +
// partition. Processes of one program are neighbours, unless a host process chose their chips.
// Internal to the worker's collectives.
#pragma once

#include <cstdint>

#include "configs/base/ids.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

inline std::int64_t number_of(const ProcessId& process) {
  return process.replica * process.partitions + process.partition;
}

// The rank of process `number` of the program that `self` runs as `process`.
inline Rank rank_of(std::int64_t number, const ProcessId& process, Rank self) {
  if (!process.ranks.empty()) return Rank(process.ranks[static_cast<std::size_t>(number)]);
  return Rank(self.value - number_of(process) + number);
}

}  // namespace understudy::worker
