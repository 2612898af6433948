// SPDX-License-Identifier: Apache-2.0
// Processes of a program and the ranks that run them. Processes of one program are neighbours,
// unless a host process chose their chips. Internal to the worker's collectives.
#pragma once

#include "configs/base/ids.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

// The rank that runs `process` of the program that rank `self` runs at `place`.
inline Rank rank_of(program::ProcessId process, const ProcessPlace& place, Rank self) {
  if (!place.ranks.empty()) return Rank(place.ranks[index_of(process)]);
  return Rank(self.value - place.id().value + process.value);
}

}  // namespace understudy::worker
