// SPDX-License-Identifier: Apache-2.0
#include "program/executable/group_mode.h"

namespace understudy::program {

std::int64_t ProcessCounts::ids(GroupMode mode) const {
  switch (mode) {
    case GroupMode::cross_partition:
      return partitions;
    case GroupMode::flattened_ids:
      return replicas * partitions;
    case GroupMode::cross_replica:
    case GroupMode::cross_replica_and_partition:
      break;
  }
  return replicas;
}

// A group of cross_replica stands for one group per partition, one of cross_partition for one per
// replica. cross_replica_and_partition joins the groups of all partitions, partition by partition.
std::vector<ProcessGroup> ProcessCounts::groups(GroupMode mode,
                                                const std::vector<Shape>& rows) const {
  const bool flattened = mode == GroupMode::flattened_ids;
  const bool of_replicas = mode != GroupMode::cross_partition;  // what the ids are
  const bool joins = mode == GroupMode::cross_replica_and_partition;
  const std::int64_t others = flattened ? 1 : of_replicas ? partitions : replicas;
  std::vector<ProcessGroup> all;
  for (const Shape& row : rows)
    for (std::int64_t other = 0; other < others; ++other) {
      if (other == 0 || !joins) all.emplace_back();
      for (const std::int64_t id : row)
        all.back().emplace_back(flattened     ? id
                                : of_replicas ? id * partitions + other
                                              : other * partitions + id);
    }
  return all;
}

// Channel and global ids: flattened_ids; channel alone: cross_replica_and_partition; neither:
// cross_replica.
GroupMode reducing_mode(std::int64_t channel, bool global_ids) {
  if (global_ids) return GroupMode::flattened_ids;
  return channel > 0 ? GroupMode::cross_replica_and_partition : GroupMode::cross_replica;
}

GroupMode moving_mode(std::int64_t channel) {
  return channel > 0 ? GroupMode::cross_partition : GroupMode::cross_replica;
}

}  // namespace understudy::program
