// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/metric_verdict.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unordered_set>

#include "program/analysis/patterns.h"
#include "program/analysis/scaled.h"
#include "program/passes/annotations.h"

namespace understudy::program::analysis {
namespace {

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
    if (devices != partitions || partitions == 1) continue;
    std::vector<std::int64_t> position(static_cast<std::size_t>(partitions));
    for (std::int64_t i = 0; i < partitions; ++i) {
      const auto at = static_cast<std::size_t>(i);
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
  const std::vector<const Operation*> operations = operations_in_order(module);
  const auto place_at = [&](const Instruction* instruction) -> Place {
    if (instruction == nullptr) return {};
    const Operation& op = *operations.at(instruction->op);
    return {op.name, op.location};
  };
  std::optional<std::unordered_set<NodePointer>> reduced;
  StaticReport report;
  report.axes = axes_of(module, interface);
  for (std::size_t i = 0; i < interface.results.size(); ++i) {
    const NodePointer node = flow.results[i];
    const Classes declared = declared_classes(interface.results[i], interface);
    StaticResult result;
    result.shared = declared.count() < declared.size();
    result.touched = node->touched;
    result.agrees = node->classes.at_least_as_equal_as(declared);
    if (!result.agrees) result.axes = differing_axes(report.axes, declared, node->classes);
    if (!result.agrees) {
      result.only_exchanged = node->exchanges && !node->chooses;
      result.by_choice = node->chooses;
    }
    result.place = place_at(place_behind(node));
    if (!result.agrees) {
      if (!reduced) reduced = all_that_is_reduced(flow);
      // The result is usually a copy of the value, so constant factors and moves are stripped
      // first.
      const Scaled value = scaled(*flow.draft, node);
      result.read_before_reduction =
          value.core->instruction != nullptr && reduced->contains(value.core);
    }
    if (result.read_before_reduction)
      result.warnings.push_back(
          {"read_before_reduction",
           "this value is reduced later, but the result is taken from before the reduction",
           result.place});
    const bool is_metric = interface.results[i].local.elements() == 1;
    if (is_metric)
      for (const Found& found : patterns_behind(node, flow, interface))
        result.warnings.push_back({found.pattern, found.text, place_at(found.node->instruction)});
    report.results.push_back(std::move(result));
  }
  for (const Found& found : patterns_of(flow))
    report.warnings.push_back({found.pattern, found.text, place_at(found.node->instruction)});
  return report;
}

}  // namespace understudy::program::analysis
