// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/patterns.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "program/analysis/collective_classes.h"
#include "program/analysis/pattern_rules.h"

namespace understudy::program::analysis {
namespace {

// How many members of each group hold the same value before the reduction. A sum over a group then
// counts each value that many times. 1 if groups differ or the copies are uneven, as no factor can
// be stated.
double copies_in_groups(const Collective& collective, const Classes& classes) {
  double copies = 0;
  for (const ProcessGroup& group : collective.groups) {
    std::set<std::uint32_t> distinct;
    for (const ProcessId member : group) distinct.insert(classes[index_of(member)]);
    const double here = static_cast<double>(group.size()) / static_cast<double>(distinct.size());
    // Exact comparison: both are quotients of the same small integers.
    if (copies != 0 && here != copies) return 1;
    copies = here;
  }
  return copies == std::floor(copies) ? std::max(copies, 1.0) : 1;
}

class Walk {
 public:
  explicit Walk(const Flow& flow) : flow_(flow) {}
  std::vector<Found> found;

  // Depth first, inputs in order. Pending nodes are in a list, as a history is as long as the
  // program. Each node is visited once, with the factors of the first path that reaches it.
  // Another path may carry other factors, and would give another warning; one per node is enough.
  void run(NodePointer result) {
    pending_.push_back({result, 1, false, true});
    while (!pending_.empty()) {
      const Step step = pending_.back();
      pending_.pop_back();
      // No all_reduce before this node: no pattern can match.
      if (!step.node->reduced || !seen_.insert(step.node).second) continue;
      const std::size_t first = pending_.size();
      visit(step);
      // The list is a stack: reversing the new entries visits inputs in their written order.
      std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(first), pending_.end());
    }
  }

 private:
  struct Step {
    NodePointer node;
    double after;
    bool in_ratio;
    bool alone;
  };

  void visit(const Step& step) {
    const auto& [node, after, in_ratio, alone] = step;
    if (node->kind == Node::Kind::joined) {
      // A join passes factors on, but the value is no longer alone.
      for (const NodePointer input : node->inputs)
        pending_.push_back({input, after, in_ratio, false});
      return;
    }
    if (node->instruction == nullptr) return;
    if (const auto* collective = std::get_if<Collective>(&node->instruction->work))
      if (collective->kind == CollectiveKind::all_reduce) meet(step, *collective);
    const auto* binary = std::get_if<Binary>(&node->instruction->work);
    const bool divides = binary != nullptr && binary->op == BinaryOp::divide;
    if (divides && node->inputs.size() == 2) look_at_ratio(node);
    if (const auto linear = linear_step(*flow_.draft, *node)) {
      pending_.push_back({node->inputs[linear->input], after * linear->factor, in_ratio, alone});
      return;
    }
    // A sum keeps the factor of each term. Any other operation ends the chain of known factors;
    // a division marks everything before it as part of a ratio.
    const bool adds =
        binary != nullptr && (binary->op == BinaryOp::add || binary->op == BinaryOp::subtract);
    for (const NodePointer input : node->inputs)
      pending_.push_back(adds ? Step{input, after, in_ratio, false}
                              : Step{input, 1, in_ratio || divides, false});
  }

  // A ratio of two reductions of which only one was reduced over the chips.
  void look_at_ratio(NodePointer node) {
    const NodePointer above = node->inputs[0];
    const NodePointer below = node->inputs[1];
    if (above->classes.is_uniform() && above->touched && !below->classes.is_uniform() &&
        above->reduced)
      found.push_back({"count_not_reduced",
                       "a reduced sum is divided by a count that is local to each chip", node});
    if (below->classes.is_uniform() && below->touched && !above->classes.is_uniform() &&
        below->reduced && !above->reduced)
      found.push_back(
          {"sum_not_reduced", "a sum of one chip is divided by the count of all chips", node});
  }

  // An all_reduce on the way back from a metric: collects what the rules need to know about it.
  // An operand that is the same constant everywhere is no metric.
  void meet(const Step& step, const Collective& collective) {
    const NodePointer node = step.node;
    const NodePointer operand = node->inputs.at(0);
    // Equal on all chips from the start: counts and learning rates, not data.
    if (!operand->touched) return;
    Site site;
    site.node = node;
    site.collective = &collective;
    for (const ProcessGroup& group : collective.groups)
      site.members = std::max(site.members, static_cast<double>(group.size()));
    site.copies = copies_in_groups(collective, operand->classes);
    site.after = step.after;
    site.in_ratio = step.in_ratio;
    site.alone = step.alone && !step.in_ratio;
    site.before = scaled(*flow_.draft, operand);
    // Elements that one result of the local reduction stands for.
    if (const Instruction* local = site.before.core->instruction;
        local != nullptr && std::holds_alternative<Reduce>(local->work)) {
      const auto made = std::max<std::int64_t>(1, local->outputs[0].type.elements());
      site.elements =
          static_cast<double>(local->inputs[0].type.elements()) / static_cast<double>(made);
    }
    for (const Rule& rule : pattern_rules()) {
      const std::optional<std::string> text = rule.find(site);
      if (!text) continue;
      found.push_back({rule.pattern, *text, node});
      if (rule.names_division && site.alone) found.back().division = site.before.core;
    }
  }

  const Flow& flow_;
  std::vector<Step> pending_;
  std::unordered_set<NodePointer> seen_;
};

}  // namespace

std::vector<Found> patterns_behind(NodePointer result, const Flow& flow) {
  Walk walk(flow);
  walk.run(result);
  return std::move(walk.found);
}

// Patterns of the whole program: collectives that only some processes reach, and all_reduces whose
// results no result of the program depends on.
std::vector<Found> patterns_of(const Flow& flow) {
  std::vector<Found> all;
  std::unordered_multimap<const Instruction*, NodePointer> made;
  for (const NodePointer node : flow.made) made.emplace(node->instruction, node);
  for (const Divergence& divergence : flow.divergences) {
    const auto [first, last] = made.equal_range(divergence.collective);
    for (auto node = first; node != last; ++node)
      all.push_back({"collective_on_some_chips",
                     "the condition that leads here differs between chips: some chips wait for "
                     "others that never arrive",
                     node->second});
  }
  std::unordered_set<const Instruction*> read;
  for (const NodePointer node : all_behind(flow.results)) read.insert(node->instruction);
  for (const NodePointer node : flow.made) {
    const auto* collective = std::get_if<Collective>(&node->instruction->work);
    if (collective == nullptr || collective->kind != CollectiveKind::all_reduce) continue;
    if (!read.contains(node->instruction))
      all.push_back({"unused_reduction", "the reduced value is never read", node});
  }
  return all;
}

}  // namespace understudy::program::analysis
