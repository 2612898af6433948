// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/collective_classes.h"

#include <map>
#include <utility>

namespace understudy::program::analysis {

// Two processes hold equal results if they computed the same function of equal inputs. So each
// process is labelled with all that its result depends on: the classes of its group's members in
// group order, and its own position where each member gets another part. Keys start with a tag (-1,
// -2, -3) that keeps the cases apart.
Classes classes_after(const Collective& collective, const Classes& in, const Interface& interface) {
  const std::size_t processes = in.size();
  std::map<std::vector<std::int64_t>, std::int64_t> numbers;
  std::vector<std::int64_t> labels(processes);
  const auto number = [&](std::vector<std::int64_t> key) {
    return numbers.try_emplace(std::move(key), static_cast<std::int64_t>(numbers.size()))
        .first->second;
  };
  // A process in no group: collective_permute and others give zeros there; an all_reduce gives
  // the operand itself.
  const bool keeps = collective.kind == CollectiveKind::all_reduce;
  for (std::size_t p = 0; p < processes; ++p)
    labels[p] = number({-1, keeps ? std::int64_t{in[p]} : -1});
  if (collective.kind == CollectiveKind::collective_permute) {
    for (const auto& group : groups_of(collective, interface))
      labels[group[1]] = number({-2, std::int64_t{in[group[0]]}});
    return Classes::of(labels);
  }
  // Each member of a reduce_scatter or all_to_all gets its own part, so no two members agree.
  const bool own_part = collective.kind == CollectiveKind::reduce_scatter ||
                        collective.kind == CollectiveKind::all_to_all;
  for (const auto& group : groups_of(collective, interface)) {
    std::vector<std::int64_t> key = {-3};
    for (const std::size_t member : group) key.push_back(in[member]);
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::vector<std::int64_t> own = key;
      own.push_back(own_part ? static_cast<std::int64_t>(i) : -1);
      labels[group[i]] = number(std::move(own));
    }
  }
  return Classes::of(labels);
}

std::vector<std::vector<std::size_t>> groups_of(const Collective& collective,
                                                const Interface& interface) {
  const std::int64_t replicas = interface.replicas, partitions = interface.partitions;
  std::vector<std::vector<std::size_t>> groups;
  const auto add = [&](const std::vector<std::int64_t>& row, const auto& process_of) {
    std::vector<std::size_t>& group = groups.emplace_back();
    for (const std::int64_t id : row) group.push_back(static_cast<std::size_t>(process_of(id)));
  };
  std::vector<std::vector<std::int64_t>> rows = collective.groups;
  for (const auto& [source, target] : collective.source_target) rows.push_back({source, target});
  // The four grouping modes of the StableHLO specification ("Grouping"). A process number is
  // replica * partitions + partition.
  for (const auto& row : rows) switch (collective.mode) {
      case GroupMode::flattened_ids:
        add(row, [](std::int64_t id) { return id; });
        break;
      case GroupMode::cross_replica:
        for (std::int64_t p = 0; p < partitions; ++p)
          add(row, [&](std::int64_t id) { return id * partitions + p; });
        break;
      case GroupMode::cross_partition:
        for (std::int64_t r = 0; r < replicas; ++r)
          add(row, [&](std::int64_t id) { return r * partitions + id; });
        break;
      case GroupMode::cross_replica_and_partition: {
        std::vector<std::size_t>& group = groups.emplace_back();
        for (std::int64_t p = 0; p < partitions; ++p)
          for (const std::int64_t id : row)
            group.push_back(static_cast<std::size_t>(id * partitions + p));
        break;
      }
    }
  return groups;
}

std::optional<Classes> own_classes(const Work& work, const Interface& interface) {
  const auto processes = static_cast<std::size_t>(interface.processes());
  if (const auto* index = std::get_if<ProcessIndex>(&work)) {
    std::vector<std::int64_t> labels;
    for (std::size_t p = 0; p < processes; ++p) {
      const auto process = static_cast<std::int64_t>(p);
      labels.push_back(index->replica ? process / interface.partitions
                                      : process % interface.partitions);
    }
    return Classes::of(labels);
  }
  // The sender is another process and may send anything: nothing is known to be equal.
  if (std::holds_alternative<Transfer>(work) || std::holds_alternative<InfeedTurn>(work))
    return Classes::distinct(processes);
  return std::nullopt;
}

}  // namespace understudy::program::analysis
