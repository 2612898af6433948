// SPDX-License-Identifier: Apache-2.0
// What the numbers in replica_groups and source_target_pairs are: the grouping modes of the
// StableHLO specification ("Collective ops"), which HLO shares. The only place that knows them.
#pragma once

#include <cstdint>
#include <vector>

#include "program/executable/process_groups.h"
#include "program/ir/types.h"

namespace understudy::program {

// The names are those of the specification.
enum class GroupMode : std::uint8_t {
  cross_replica,                // replicas; members have the same partition
  cross_partition,              // partitions; members have the same replica
  cross_replica_and_partition,  // replicas; all their partitions are members
  flattened_ids                 // processes
};

// On how many processes a program runs.
struct ProcessCounts {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;

  // How many ids `mode` distinguishes: ids are 0 to one less.
  std::int64_t ids(GroupMode mode) const;
  // Rows of ids to processes, in the order of the specification. *Requires* ids in range.
  std::vector<ProcessGroup> groups(GroupMode mode, const std::vector<Shape>& rows) const;
};

// all_reduce, reduce_scatter and all_gather. *Requires* a channel where `global_ids` is set.
GroupMode reducing_mode(std::int64_t channel, bool global_ids);
// all_to_all and other kinds that move data: a channel means cross_partition.
GroupMode moving_mode(std::int64_t channel);

}  // namespace understudy::program
