// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/metric_verdict.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <optional>
#include <unordered_set>
#include <utility>

#include "program/analysis/patterns.h"
#include "program/analysis/scaled.h"
#include "program/passes/sharding/annotations.h"

namespace understudy::program::analysis {
namespace {

constexpr std::size_t kMostVisitedNodes = 100'000;  // that a search for a place visits

// True if processes a and b have the same coordinates on all axes but `axis`, and differ on that
// one. Comparing only such pairs attributes a difference to one axis.
bool differ_only_along(const std::vector<Axis>& axes, std::size_t axis, std::size_t a,
                       std::size_t b) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if ((axes[i].coordinate[a] == axes[i].coordinate[b]) == (i == axis)) return false;
  return true;
}

// Axes along which processes of one declared class hold different classes.
std::vector<std::string> differing_axes(const std::vector<Axis>& axes, const Classes& declared,
                                        const Classes& held) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    bool differs = false;
    // All pairs, but the loop ends with the first difference.
    for (std::size_t a = 0; a < held.size() && !differs; ++a)
      for (std::size_t b = a + 1; b < held.size() && !differs; ++b)
        differs = declared.same(a, b) && !held.same(a, b) && differ_only_along(axes, axis, a, b);
    if (differs) names.push_back(axes[axis].name);
  }
  return names;
}

// The nearest local reduction behind a node that may still differ; else what made the node.
const Instruction* place_behind(NodePointer result) {
  return result->local_reduction.instruction != nullptr ? result->local_reduction.instruction
                                                        : result->maker.instruction;
}

// What reductions between chips take, and all that lies before it.
std::unordered_set<NodePointer> all_that_is_reduced(const Flow& flow) {
  std::vector<NodePointer> taken;
  for (const NodePointer node : flow.made) {
    // Only reductions: an all_gather leaves the values as they are.
    const auto* work = std::get_if<Collective>(&node->instruction->work);
    if (work != nullptr && work->kind == CollectiveKind::all_reduce)
      taken.insert(taken.end(), node->inputs.begin(), node->inputs.end());
  }
  return all_behind(std::move(taken));
}

Classes declared_classes(const Parameter& result, const Interface& interface) {
  // A program does not declare whether replicas hold the same result. A metric should, so they
  // are treated as declared equal.
  if (result.sharding.per_replica)
    return Classes::uniform(static_cast<std::size_t>(interface.processes()));
  return Classes::of(result.sharding.tile_of);
}

// From nodes to what a report says of one result after the other.
class Reporter {
 public:
  Reporter(const Flow& flow, const Interface& interface, const std::vector<Axis>& axes,
           std::vector<const Operation*> operations)
      : flow_(flow), interface_(interface), axes_(axes), operations_(std::move(operations)) {}

  StaticResult result(std::size_t i) {
    const NodePointer node = flow_.results[i];
    const Classes declared = declared_classes(interface_.results[i], interface_);
    StaticResult result;
    result.shared = declared.count() < declared.size();
    result.touched = node->touched;
    result.agrees = node->classes.at_least_as_equal_as(declared);
    result.place = place_at(place_behind(node));
    result.picks = node->picks;
    add_reach(node, result);
    // Of one element: a metric. Arrays get no warnings about patterns, which would mostly be wrong
    // for activations.
    const bool is_metric = interface_.results[i].local.elements() == 1;
    const Chain chain = chain_behind(node, is_metric, axes_);
    result.has_earlier_steps = chain.is_cut;
    for (const Link& link : chain.links)
      result.chain.push_back(
          {link.exchange, link.axes, link.partly, place_at(link.node->instruction)});
    if (!result.agrees) add_difference(node, declared, result);
    if (is_metric)
      for (const Found& found : patterns_behind(node, flow_))
        result.warnings.push_back(warning(found));
    return result;
  }

  Warning warning(const Found& found) const {
    Warning warning{found.pattern, found.text, place_at(found.node->instruction)};
    if (found.division != nullptr) warning.division = place_at(found.division->instruction);
    return warning;
  }

 private:
  Place place_at(const Instruction* instruction) const {
    if (instruction == nullptr) return {};
    const Operation& op = *operations_.at(instruction->op);
    return {op.name, op.location};
  }

  // Whether the shards of all groups may influence the value, and where the first that may not is
  // kept out.
  void add_reach(NodePointer node, StaticResult& result) const {
    const Influences& influences = *flow_.influences;
    for (std::size_t g = 0; g < influences.groups().size(); ++g) {
      std::vector<bool>& reach = result.reach.emplace_back();
      for (std::size_t shard = 0; shard < influences.groups()[g].shards; ++shard)
        reach.push_back(influences.has(node->track.influence, g, shard));
      const auto out = std::ranges::find(reach, false);
      // Nothing reaches, or all: then no gate stands in between.
      if (out == reach.end() || std::ranges::find(reach, true) == reach.end()) continue;
      if (result.gate.op.empty())
        result.gate = place_at(
            gate_before(node, g, static_cast<std::size_t>(out - reach.begin()))->maker.instruction);
    }
  }

  // The nearest node before `node` that keeps out a shard which one of its inputs has.
  NodePointer gate_before(NodePointer node, std::size_t group, std::size_t shard) const {
    const auto has = [&](NodePointer one) {
      return flow_.influences->has(one->track.influence, group, shard);
    };
    std::deque<NodePointer> pending = {node};
    std::unordered_set<NodePointer> seen = {node};
    while (!pending.empty() && seen.size() < kMostVisitedNodes) {
      const NodePointer one = pending.front();
      pending.pop_front();
      if (std::ranges::any_of(one->inputs, has)) return one;
      for (const NodePointer input : one->inputs)
        if (input->touched && seen.insert(input).second) pending.push_back(input);
    }
    return node;
  }

  void add_difference(NodePointer node, const Classes& declared, StaticResult& result) {
    result.axes = differing_axes(axes_, declared, node->classes);
    result.only_exchanged = node->exchanges && !node->chooses;
    result.by_choice = node->chooses;
    // Computed once, at the first result that differs: most programs have none.
    if (!reduced_) reduced_ = all_that_is_reduced(flow_);
    // The result is usually a copy of the value, so constant factors and moves are stripped first.
    const Scaled value = scaled(*flow_.draft, node);
    result.read_before_reduction =
        value.core->instruction != nullptr && reduced_->contains(value.core);
    if (result.read_before_reduction)
      result.warnings.push_back(
          {"read_before_reduction",
           "this value is reduced later, but the result is taken from before the reduction",
           result.place});
  }

  const Flow& flow_;
  const Interface& interface_;
  const std::vector<Axis>& axes_;
  std::vector<const Operation*> operations_;
  std::optional<std::unordered_set<NodePointer>> reduced_;
};

}  // namespace

std::vector<Axis> axes_of(const Module& module, const Interface& interface) {
  std::vector<Axis> axes;
  const auto processes = static_cast<std::size_t>(interface.processes());
  const auto add = [&](const std::string& name, std::int64_t size, const auto& coordinate_of) {
    if (size < 2) return;
    Axis axis{name, size, {}};
    for (std::size_t p = 0; p < processes; ++p)
      axis.coordinate.push_back(coordinate_of(static_cast<std::int64_t>(p)));
    axes.push_back(std::move(axis));
  };
  const std::int64_t partitions = interface.partitions;
  add("replica", interface.replicas, [&](std::int64_t p) { return p / partitions; });
  for (const Mesh& mesh : passes::meshes_of(module)) {
    std::int64_t devices = 1;
    for (const auto& [name, size] : mesh.axes) devices *= size;
    // The first mesh that covers all partitions names the axes; smaller meshes describe parts
    // of the pod.
    // A mesh of another size says nothing about this grid of processes.
    if (devices != partitions || partitions == 1) continue;
    std::vector<std::int64_t> position(static_cast<std::size_t>(partitions));
    for (std::int64_t i = 0; i < partitions; ++i) {
      const auto at = static_cast<std::size_t>(i);
      // The mesh lists devices by position; coordinates are needed by device.
      position[static_cast<std::size_t>(mesh.device_ids.empty() ? i : mesh.device_ids[at])] = i;
    }
    // Row-major: the last axis has step 1.
    std::int64_t step = partitions;
    for (const auto& [name, size] : mesh.axes) {
      step /= size;
      add(name, size, [&, length = size](std::int64_t p) {
        return position[static_cast<std::size_t>(p % partitions)] / step % length;
      });
    }
    return axes;
  }
  add("partition", partitions, [&](std::int64_t p) { return p % partitions; });
  return axes;
}

StaticReport metric_report(const Module& module, const CompileOptions& options,
                           const Interface& interface) {
  const Flow flow = flow_of(module, options, interface);
  StaticReport report;
  report.axes = axes_of(module, interface);
  report.groups = flow.influences->groups();
  Reporter reporter(flow, interface, report.axes, operations_in_order(module));
  for (std::size_t i = 0; i < interface.results.size(); ++i)
    report.results.push_back(reporter.result(i));
  for (const Found& found : patterns_of(flow)) report.warnings.push_back(reporter.warning(found));
  return report;
}

}  // namespace understudy::program::analysis
