// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/collective_classes.h"

#include <map>
#include <utility>

namespace understudy::program::analysis {

// Two processes hold equal results if they computed the same function of equal inputs. So each
// process is labelled with all that its result depends on: the classes of its group's members in
// group order, and its own position where each member gets another part. Keys start with a tag (-1,
// -2, -3) that keeps the cases apart.
Classes classes_after(const Collective& collective, const Classes& in) {
  const std::size_t processes = in.size();
  std::map<std::vector<std::int64_t>, std::int64_t> numbers;
  std::vector<std::int64_t> labels(processes);
  // A map, not a hash: keys are short, and their order makes numbers independent of addresses.
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
    // A target receives from one source only, so the source's class decides.
    for (const auto& [source, target] : collective.source_target)
      labels[index_of(target)] = number({-2, std::int64_t{in[index_of(source)]}});
    return Classes::of(labels);
  }
  // Each member of a reduce_scatter or all_to_all gets its own part, so no two members agree.
  const bool own_part = collective.kind == CollectiveKind::reduce_scatter ||
                        collective.kind == CollectiveKind::all_to_all;
  for (const ProcessGroup& group : collective.groups) {
    // The members' order is part of the key: a reduction in another order may round differently.
    std::vector<std::int64_t> key = {-3};
    for (const ProcessId member : group) key.push_back(in[index_of(member)]);
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::vector<std::int64_t> own = key;
      own.push_back(own_part ? static_cast<std::int64_t>(i) : -1);
      labels[index_of(group[i])] = number(std::move(own));
    }
  }
  return Classes::of(labels);
}

std::vector<ProcessGroup> connected_by(const Collective& collective) {
  std::vector<ProcessGroup> all = collective.groups;
  for (const auto& [source, target] : collective.source_target) all.push_back({source, target});
  return all;
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
