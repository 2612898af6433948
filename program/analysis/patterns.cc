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
#include "program/analysis/scaled.h"

namespace understudy::program::analysis {
namespace {

// One all_reduce in the history of a metric, with the constant factors before and after it.
struct Site {
  NodePointer node = nullptr;
  const Collective* collective = nullptr;
  double members = 1;     // of its largest group
  double copies = 1;      // how often each distinct value is in a group; 1 where that differs
  double after = 1;       // constant factors between it and the result
  bool in_ratio = false;  // something that is computed divides it later
  bool alone = true;      // the result is a constant multiple of it
  Scaled before;          // its operand, taken apart
  double elements = 1;    // that the local sum behind it adds; 1 where there is none
};

// Counts are divided in f32 or bf16 and multiplied back here, so a factor such as 1/3 is not exact.
bool about(double a, double b) { return std::fabs(a - b) <= 1e-3 * std::fabs(b); }

bool is_sum(const Site& site) { return site.collective->reduction == Reduction::sum; }

// The reduction on the chip that feeds the collective, with moves and constant factors stripped.
Reduction local_reduction(const Site& site) {
  const Node& core = *site.before.core;
  if (core.instruction == nullptr) return Reduction::none;
  const auto* reduce = std::get_if<Reduce>(&core.instruction->work);
  return reduce == nullptr ? Reduction::none : reduce->reduction;
}

// A local mean: a sum over n elements times 1/n.
bool means_locally(const Site& site) {
  return local_reduction(site) == Reduction::sum && site.elements > 1 &&
         about(site.before.factor * site.elements, 1);
}

// Something divides the sum by the number of members later, or by a computed count.
bool averages(const Site& site) { return site.in_ratio || about(site.after * site.members, 1); }

// ---- the rules: each returns a warning where its pattern matches --------------------------------

using Text = std::optional<std::string>;

Text reduced_twice(const Site& site) {
  if (!is_sum(site) || site.copies < 2 || averages(site) || !site.node->inputs[0]->reduced)
    return std::nullopt;
  return fmt::format("the sum adds a value that is already reduced, so it counts {} times",
                     site.copies);
}

Text reduced_over_equal_axis(const Site& site) {
  if (!is_sum(site) || site.copies < 2 || averages(site) || site.node->inputs[0]->reduced)
    return std::nullopt;
  return fmt::format(
      "{} chips of the group hold the same value before the sum, so it counts {} times",
      site.copies, site.copies);
}

// Only a division of two values that both differ between chips: a common count makes the mean of
// means exact.
Text mean_of_means(const Site& site) {
  const Node& core = *site.before.core;
  const auto* binary =
      core.instruction == nullptr ? nullptr : std::get_if<Binary>(&core.instruction->work);
  if (!is_sum(site) || binary == nullptr || binary->op != BinaryOp::divide) return std::nullopt;
  if (core.inputs[1]->classes.is_uniform() || core.inputs[0]->classes.is_uniform())
    return std::nullopt;
  return "each chip divides by its own count before the reduction: with unequal counts this is not "
         "the global mean. Reduce sums and counts, then divide";
}

Text sum_of_means(const Site& site) {
  if (!is_sum(site) || !means_locally(site) || averages(site) || site.copies > 1)
    return std::nullopt;
  return fmt::format("local means are summed, not averaged: the result is {} times the mean",
                     site.members);
}

// Factors before and after the collective both contain 1 / members.
Text divided_twice(const Site& site) {
  const double whole = site.before.factor * site.elements * site.members;
  if (!is_sum(site) || local_reduction(site) != Reduction::sum || site.in_ratio)
    return std::nullopt;
  if (site.elements <= 1 || !about(whole, 1) || !about(site.after * site.members, 1))
    return std::nullopt;
  return fmt::format(
      "the local sum is divided by the count of all chips, and the reduced sum is "
      "divided by the {} chips again",
      site.members);
}

Text sum_of_extremes(const Site& site) {
  const Reduction local = local_reduction(site);
  if (!is_sum(site) || (local != Reduction::maximum && local != Reduction::minimum))
    return std::nullopt;
  return "local maxima or minima are summed: take their maximum or minimum instead";
}

Text extreme_of_sums(const Site& site) {
  const Reduction between = site.collective->reduction;
  if (between != Reduction::maximum && between != Reduction::minimum) return std::nullopt;
  if (local_reduction(site) != Reduction::sum || site.elements <= 1) return std::nullopt;
  return "the maximum or minimum of local sums is taken where their sum is expected";
}

Text mean_of_exponentials(const Site& site) {
  const Node& core = *site.before.core;
  const auto* unary =
      core.instruction == nullptr ? nullptr : std::get_if<Unary>(&core.instruction->work);
  if (!is_sum(site) || unary == nullptr || unary->op != UnaryOp::exponential) return std::nullopt;
  return "exponentials of local values are averaged: a perplexity is the exponential of the mean";
}

// bf16 keeps 8 significant bits and f16 11, so a sum over many chips drops small terms; narrow
// integers overflow.
Text narrow_accumulation(const Site& site) {
  const ElementType element = site.node->instruction->inputs[0].type.element;
  const bool is_narrow = element == ElementType::bf16 || element == ElementType::f16 ||
                         (is_integer(element) && byte_size(element) < 4);
  if (!is_sum(site) || !is_narrow) return std::nullopt;
  return fmt::format(
      "the sum over chips is computed in {}: it loses precision or overflows as the "
      "pod grows",
      mlir_name(element));
}

// Matches a local mean or a global one: the factors before and after must cancel the number of all
// elements, padding included.
Text padding_counted(const Site& site) {
  const double whole = site.before.factor * site.elements;
  const bool counts_all =
      about(whole, 1) || about(whole * site.members, 1) ||
      (about(site.before.factor, 1) && about(site.after * site.elements * site.members, 1));
  if (local_reduction(site) != Reduction::sum || site.elements <= 1 || !counts_all)
    return std::nullopt;
  if (!is_padded(site.before.core->inputs[0])) return std::nullopt;
  return "padding counts as data: the divisor is the padded size, and no mask was found";
}

struct Rule {
  const char* pattern;
  Text (*find)(const Site& site);
};
constexpr Rule kRules[] = {
    {"reduced_twice", reduced_twice},
    {"reduced_over_equal_axis", reduced_over_equal_axis},
    {"mean_of_means", mean_of_means},
    {"sum_of_means", sum_of_means},
    {"divided_twice", divided_twice},
    {"sum_of_extremes", sum_of_extremes},
    {"extreme_of_sums", extreme_of_sums},
    {"mean_of_exponentials", mean_of_exponentials},
    {"narrow_accumulation", narrow_accumulation},
    {"padding_counted", padding_counted},
};

// ---- the walk from a metric back to its reductions ----------------------------------------------

// How many members of each group hold the same value before the reduction. A sum over a group then
// counts each value that many times. 1 if groups differ or the copies are uneven, as no factor can
// be stated.
double copies_in_groups(const Collective& collective, const Classes& classes,
                        const Interface& interface) {
  double copies = 0;
  for (const auto& group : groups_of(collective, interface)) {
    std::set<std::uint32_t> distinct;
    for (const std::size_t member : group) distinct.insert(classes[member]);
    const double here = static_cast<double>(group.size()) / static_cast<double>(distinct.size());
    if (copies != 0 && here != copies) return 1;
    copies = here;
  }
  return copies == std::floor(copies) ? std::max(copies, 1.0) : 1;
}

class Walk {
 public:
  Walk(const Flow& flow, const Interface& interface) : flow_(flow), interface_(interface) {}
  std::vector<Found> found;

  // Depth first, inputs in order. Pending nodes are in a list, as a history is as long as the
  // program. Each node is visited once, with the factors of the first path that reaches it.
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
    if (!operand->touched) return;
    Site site;
    site.node = node;
    site.collective = &collective;
    for (const auto& group : groups_of(collective, interface_))
      site.members = std::max(site.members, static_cast<double>(group.size()));
    site.copies = copies_in_groups(collective, operand->classes, interface_);
    site.after = step.after;
    site.in_ratio = step.in_ratio;
    site.alone = step.alone && !step.in_ratio;
    site.before = scaled(*flow_.draft, operand);
    if (const Instruction* local = site.before.core->instruction;
        local != nullptr && std::holds_alternative<Reduce>(local->work)) {
      const auto made = std::max<std::int64_t>(1, local->outputs[0].type.elements());
      site.elements =
          static_cast<double>(local->inputs[0].type.elements()) / static_cast<double>(made);
    }
    for (const Rule& rule : kRules) {
      const Text text = rule.find(site);
      if (!text) continue;
      found.push_back({rule.pattern, *text, node});
      if (rule.find == mean_of_means && site.alone) found.back().division = site.before.core;
    }
  }

  const Flow& flow_;
  const Interface& interface_;
  std::vector<Step> pending_;
  std::unordered_set<NodePointer> seen_;
};

}  // namespace

std::vector<Found> patterns_behind(NodePointer result, const Flow& flow,
                                   const Interface& interface) {
  Walk walk(flow, interface);
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
