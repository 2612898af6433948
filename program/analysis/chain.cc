// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/chain.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_set>

#include "program/analysis/collective_classes.h"

namespace understudy::program::analysis {
namespace {

// Bounds of a walk: a report shows the last few exchanges, and a history is as long as the program.
constexpr std::size_t kMostLinks = 8;
constexpr std::size_t kMostNodes = 100'000;

constexpr std::array<const char*, 7> kKinds = {
    "all_reduce",         "all_gather",           "reduce_scatter",   "all_to_all",
    "collective_permute", "collective_broadcast", "ragged_all_to_all"};
constexpr std::array<const char*, 7> kReductions = {"",         " sum", " product", " minimum",
                                                    " maximum", " and", " or"};

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
}

Link link_of(NodePointer node, const Collective& collective, const std::vector<Axis>& axes,
             const Interface& interface) {
  Link link{node, kKinds.at(static_cast<std::size_t>(collective.kind)), {}, false};
  if (reduces(collective.kind))
    link.exchange += kReductions.at(static_cast<std::size_t>(collective.reduction));
  const auto groups = groups_of(collective, interface);
  const bool pairs = collective.kind == CollectiveKind::collective_permute;
  std::size_t chips = 1;
  for (const Axis& axis : axes) {
    const bool varies = std::ranges::any_of(groups, [&](const auto& group) {
      return std::ranges::any_of(group, [&](std::size_t member) {
        return axis.coordinate[member] != axis.coordinate[group.front()];
      });
    });
    if (!varies) continue;
    link.axes.push_back(axis.name);
    chips *= static_cast<std::size_t>(axis.size);
  }
  link.partly = !pairs && std::ranges::any_of(
                              groups, [&](const auto& group) { return group.size() < chips; });
  return link;
}

}  // namespace

// Breadth first, so that the nearest exchanges come first. Values that do not depend on data that
// differs between chips are left out, as their exchanges change nothing.
Chain chain_behind(NodePointer result, bool all, const std::vector<Axis>& axes,
                   const Interface& interface) {
  Chain chain;
  std::deque<NodePointer> pending = {result};
  std::unordered_set<NodePointer> seen = {result};
  std::unordered_set<const Instruction*> named;
  while (!pending.empty() && !chain.is_cut) {
    const NodePointer node = pending.front();
    pending.pop_front();
    const auto* collective =
        node->instruction == nullptr ? nullptr : std::get_if<Collective>(&node->instruction->work);
    if (collective != nullptr && node->touched && named.insert(node->instruction).second) {
      chain.is_cut = chain.links.size() == kMostLinks;
      if (!chain.is_cut) chain.links.push_back(link_of(node, *collective, axes, interface));
    }
    if (collective != nullptr && !all) continue;
    for (const NodePointer input : node->inputs)
      if (input->touched && seen.size() < kMostNodes && seen.insert(input).second)
        pending.push_back(input);
  }
  std::ranges::reverse(chain.links);
  return chain;
}

}  // namespace understudy::program::analysis
