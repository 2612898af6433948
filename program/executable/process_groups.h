// SPDX-License-Identifier: Apache-2.0
// The processes that a collective or a transfer joins. The lowering resolves replica_groups and
// source_target_pairs to these types once (group_mode.h, program/lowering/collective_groups.h);
// check_bounds() checks those of a loaded executable; every later reader takes them as they are.
// Plain values. Equivalents: XLA's ReplicaGroup after GetParticipatingDevicesGroups, the members of
// an MPI_Group.
#pragma once

#include <cstddef>
#include <vector>

#include "configs/base/ids.h"

namespace understudy::program {

// A process of a program as one number: replica * partitions + partition (the "flattened ids" of
// the StableHLO specification). Not the rank of the worker that runs it: worker/pod/process_ranks.h
// maps one to the other.
using ProcessId = Id<struct ProcessTag>;

// In the order of the group, which decides the order of a fold and of gathered pieces.
using ProcessGroup = std::vector<ProcessId>;

struct ProcessPair {
  ProcessId source;
  ProcessId target;
  bool operator==(const ProcessPair&) const = default;
};

}  // namespace understudy::program
