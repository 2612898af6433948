// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/chain.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <unordered_set>

#include "program/analysis/collective_classes.h"
#include "program/executable/listing.h"

namespace understudy::program::analysis {
namespace {

// Bounds of a walk: a report shows the last few exchanges, and a history is as long as the program.
constexpr std::size_t kMostLinks = 8;
constexpr std::size_t kMostNodes = 100'000;

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
}

Link link_of(NodePointer node, const Collective& collective, const std::vector<Axis>& axes) {
  Link link{node, std::string(name_of(collective.kind)), {}, false};
  if (reduces(collective.kind) && collective.reduction != Reduction::none)
    link.exchange += fmt::format(" {}", name_of(collective.reduction));
  std::size_t chips = 1;
  for (const Axis* axis : axes_along(collective, axes)) {
    link.axes.push_back(axis->name);
    chips *= static_cast<std::size_t>(axis->size);
  }
  link.partly = std::ranges::any_of(
      // Fewer members than the axes have chips: the group covers a part of the grid.
      collective.groups, [&](const ProcessGroup& group) { return group.size() < chips; });
  return link;
}

}  // namespace

std::vector<const Axis*> axes_along(const Collective& collective, const std::vector<Axis>& axes) {
  const std::vector<ProcessGroup> groups = connected_by(collective);
  // By process, not by group: two processes of one group that differ in a coordinate are enough.
  std::vector<const Axis*> along;
  for (const Axis& axis : axes) {
    const auto coordinate = [&](ProcessId process) {
      return axis.coordinate.at(index_of(process));
    };
    const bool varies = std::ranges::any_of(groups, [&](const ProcessGroup& group) {
      return std::ranges::any_of(
          group, [&](ProcessId member) { return coordinate(member) != coordinate(group.front()); });
    });
    if (varies) along.push_back(&axis);
  }
  return along;
}

// Breadth first, so that the nearest exchanges come first. Values that do not depend on data that
// differs between chips are left out, as their exchanges change nothing.
Chain chain_behind(NodePointer result, bool all, const std::vector<Axis>& axes) {
  Chain chain;
  std::deque<NodePointer> pending = {result};
  std::unordered_set<NodePointer> seen = {result};
  std::unordered_set<const Instruction*> named;
  while (!pending.empty() && !chain.is_cut) {
    const NodePointer node = pending.front();
    pending.pop_front();
    const auto* collective =
        node->instruction == nullptr ? nullptr : std::get_if<Collective>(&node->instruction->work);
    // One link per instruction, also where several nodes stand for it.
    if (collective != nullptr && node->touched && named.insert(node->instruction).second) {
      chain.is_cut = chain.links.size() == kMostLinks;
      if (!chain.is_cut) chain.links.push_back(link_of(node, *collective, axes));
    }
    // What lies behind an exchange of an array is of no interest: the exchange alone decides its
    // parts.
    if (collective != nullptr && !all) continue;
    for (const NodePointer input : node->inputs)
      // Bounded by nodes seen, so a program of any size costs a bounded time per result.
      if (input->touched && seen.size() < kMostNodes && seen.insert(input).second)
        pending.push_back(input);
  }
  std::ranges::reverse(chain.links);
  return chain;
}

}  // namespace understudy::program::analysis
