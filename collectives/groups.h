// SPDX-License-Identifier: Apache-2.0
// StableHLO's replica groups to groups of ranks (spec, "Collective ops": the four strategies
// cross_replica, cross_partition, cross_replica_and_partition, flattened_ids). Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectives/collectives.h"

namespace understudy::collectives {

// The mode's names follow the spec.
enum class Grouping : std::uint8_t {
  cross_replica,
  cross_partition,
  cross_replica_and_partition,
  flattened_ids
};

// The group of process `self` (= replica * partitions + partition = its rank). Empty `groups` mean
// all replicas in one group (all partitions where the mode is cross_partition). nullopt when the
// process is in no group: such a process takes no part.
// Throws Error{input} for ids out of range or a process in two groups.
std::optional<Group> group_of(Grouping mode, std::span<const std::vector<std::int64_t>> groups,
                              std::int64_t replicas, std::int64_t partitions, std::int64_t self);

struct Peers {
  Rank to;
  Rank from;
};  // kNobody if there is none

// Source-target pairs of a collective_permute; mode is cross_replica or cross_partition.
Peers peers_of(Grouping mode, std::span<const std::pair<std::int64_t, std::int64_t>> pairs,
               std::int64_t replicas, std::int64_t partitions, std::int64_t self);

}  // namespace understudy::collectives
