// SPDX-License-Identifier: Apache-2.0
#include "collectives/groups.h"

#include <algorithm>
#include <numeric>

#include "fmt/format.h"

#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

using Ids = std::vector<std::int64_t>;

struct Grid {
  std::int64_t replicas;
  std::int64_t partitions;
  Rank process(std::int64_t replica, std::int64_t partition) const {
    return Rank(replica * partitions + partition);
  }
};

// How one mode reads the ids of a group, seen from one process. A row per strategy of the
// specification.
struct Mode {
  std::string_view id_word;
  std::int64_t (*ids)(const Grid& grid);  // how many there are
  std::vector<Rank> (*members)(const Grid& grid, const Ids& group, std::int64_t self);
};

// cross_replica: the ids are replicas; the members share our partition.
std::vector<Rank> across_replicas(const Grid& grid, const Ids& group, std::int64_t self) {
  std::vector<Rank> members;
  for (const auto replica : group) members.push_back(grid.process(replica, self % grid.partitions));
  return members;
}

// cross_partition: the ids are partitions; the members share our replica.
std::vector<Rank> across_partitions(const Grid& grid, const Ids& group, std::int64_t self) {
  std::vector<Rank> members;
  for (const auto partition : group) {
    members.push_back(grid.process(self / grid.partitions, partition));
  }
  return members;
}

// cross_replica_and_partition: the ids are replicas; all partitions of them are members, in the
// order of the specification: partition by partition.
std::vector<Rank> across_both(const Grid& grid, const Ids& group, std::int64_t) {
  std::vector<Rank> members;
  for (std::int64_t partition = 0; partition < grid.partitions; ++partition) {
    for (const auto replica : group) members.push_back(grid.process(replica, partition));
  }
  return members;
}

// flattened_ids: the ids are processes.
std::vector<Rank> flattened(const Grid&, const Ids& group, std::int64_t) {
  std::vector<Rank> members;
  for (const auto id : group) members.push_back(Rank(id));
  return members;
}

std::int64_t replicas_of(const Grid& grid) { return grid.replicas; }
std::int64_t partitions_of(const Grid& grid) { return grid.partitions; }
std::int64_t processes_of(const Grid& grid) { return grid.replicas * grid.partitions; }

const Mode& mode_of(Grouping grouping) {
  static constexpr Mode kModes[] = {
      {"replica", replicas_of, across_replicas},
      {"partition", partitions_of, across_partitions},
      {"replica", replicas_of, across_both},
      {"process", processes_of, flattened},
  };
  return kModes[static_cast<std::size_t>(grouping)];
}

// The groups without padding (-1, which the specification allows in groups of unequal size),
// checked. An id in two groups is an error.
std::vector<Ids> checked(const Mode& mode, const Grid& grid, std::span<const Ids> groups) {
  const std::int64_t count = mode.ids(grid);
  if (groups.empty()) {
    Ids all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return {all};
  }
  std::vector<Ids> result;
  std::vector<bool> seen(static_cast<std::size_t>(count));
  for (const Ids& group : groups) {
    Ids& ids = result.emplace_back();
    for (const auto id : group) {
      if (id == -1) continue;
      if (id < 0 || id >= count) {
        throw Error(ErrorKind::input,
                    fmt::format("replica_groups: {} id {} is out of range, expected 0 to {}",
                                mode.id_word, id, count - 1));
      }
      if (seen[static_cast<std::size_t>(id)]) {
        throw Error(ErrorKind::input,
                    fmt::format("replica_groups: duplicate {} id {}", mode.id_word, id));
      }
      seen[static_cast<std::size_t>(id)] = true;
      ids.push_back(id);
    }
  }
  return result;
}

// Each source and each target may occur once: two messages to one target would race for its result.
void check_pairs(std::span<const std::pair<std::int64_t, std::int64_t>> pairs,
                 std::string_view word, std::int64_t count) {
  std::vector<bool> sources(static_cast<std::size_t>(count));
  std::vector<bool> targets(static_cast<std::size_t>(count));
  const auto once = [&](std::vector<bool>& seen, std::int64_t id, std::string_view role) {
    if (id < 0 || id >= count) {
      throw Error(ErrorKind::input,
                  fmt::format("source_target_pairs: {} id {} is out of range, expected 0 to {}",
                              word, id, count - 1));
    }
    if (seen[static_cast<std::size_t>(id)]) {
      throw Error(ErrorKind::input,
                  fmt::format("source_target_pairs: duplicate {} {} {}", role, word, id));
    }
    seen[static_cast<std::size_t>(id)] = true;
  };
  for (const auto& [source, target] : pairs) {
    once(sources, source, "source");
    once(targets, target, "target");
  }
}

}  // namespace

std::optional<Group> group_of(Grouping mode, std::span<const std::vector<std::int64_t>> groups,
                              std::int64_t replicas, std::int64_t partitions, std::int64_t self) {
  const Grid grid{replicas, partitions};
  UNDERSTUDY_ASSERT(self >= 0 && self < processes_of(grid));
  const Mode& reading = mode_of(mode);
  for (const Ids& ids : checked(reading, grid, groups)) {
    Group group{.members = reading.members(grid, ids, self)};
    const auto place = std::find(group.members.begin(), group.members.end(), Rank(self));
    if (place == group.members.end()) continue;
    group.self = static_cast<std::size_t>(place - group.members.begin());
    return group;
  }
  return std::nullopt;
}

Peers peers_of(Grouping mode, std::span<const std::pair<std::int64_t, std::int64_t>> pairs,
               std::int64_t replicas, std::int64_t partitions, std::int64_t self) {
  UNDERSTUDY_ASSERT(mode == Grouping::cross_replica || mode == Grouping::cross_partition);
  const Grid grid{replicas, partitions};
  const Mode& reading = mode_of(mode);
  check_pairs(pairs, reading.id_word, reading.ids(grid));
  Peers peers{kNobody, kNobody};
  for (const auto& [source, target] : pairs) {
    const auto ranks = reading.members(grid, {source, target}, self);
    if (ranks[0] == Rank(self)) peers.to = ranks[1];
    if (ranks[1] == Rank(self)) peers.from = ranks[0];
  }
  return peers;
}

}  // namespace understudy::collectives
