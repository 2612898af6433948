// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/metric_verdict.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "program/analysis/patterns.h"
#include "program/analysis/scaled.h"

namespace understudy::program::analysis {
namespace {

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

bool reduces_locally(const Node& node) {
  if (node.instruction == nullptr) return false;
  const Work& work = node.instruction->work;
  return std::holds_alternative<Reduce>(work) || std::holds_alternative<Dot>(work) ||
         std::holds_alternative<ReduceWindow>(work);
}

// The nearest local reduction behind a node that may still differ; else what made the node.
const Node* place_behind(const NodePointer& result) {
  std::vector<const Node*> queue{result.get()};
  std::unordered_set<const Node*> seen;
  const Node* maker = nullptr;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Node* const node = queue[next];
    if (!seen.insert(node).second) continue;
    if (maker == nullptr && node->instruction != nullptr) maker = node;
    if (reduces_locally(*node) && !node->classes.is_uniform()) return node;
    for (const NodePointer& input : node->inputs)
      if (!input->classes.is_uniform()) queue.push_back(input.get());
  }
  return maker;
}

bool depends_on_data(const NodePointer& from) {
  std::vector<const Node*> queue{from.get()};
  std::unordered_set<const Node*> seen;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (!seen.insert(queue[next]).second) continue;
    if (queue[next]->kind == Node::Kind::argument) return true;
    for (const NodePointer& input : queue[next]->inputs) queue.push_back(input.get());
  }
  return false;
}

// Whether what a node takes depends on data: the same program may reduce with some and not with
// other data.
bool chooses(const Node& node) {
  if (node.kind == Node::Kind::joined) {
    const auto uniform = [](const NodePointer& input) { return input->classes.is_uniform(); };
    return node.is_choice && !std::ranges::all_of(node.inputs, uniform) &&
           std::ranges::any_of(node.inputs, uniform) && depends_on_data(node.inputs.back());
  }
  return node.instruction != nullptr && std::holds_alternative<Select>(node.instruction->work) &&
         depends_on_data(node.inputs.at(0));
}

bool exchanges(const Node& node) {
  if (node.instruction == nullptr) return false;
  const auto* collective = std::get_if<Collective>(&node.instruction->work);
  return std::holds_alternative<Transfer>(node.instruction->work) ||
         (collective != nullptr && (collective->kind == CollectiveKind::collective_permute ||
                                    collective->kind == CollectiveKind::all_to_all));
}

// Of the part of the history that may differ: whether it chooses; whether it exchanges and does not
// choose.
struct History {
  bool chooses = false, only_exchanged = false;
};
History history_of(const NodePointer& result) {
  std::vector<const Node*> queue{result.get()};
  std::unordered_set<const Node*> seen;
  bool any = false;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (!seen.insert(queue[next]).second) continue;
    if (chooses(*queue[next])) return {true, false};
    const bool passed_on = exchanges(*queue[next]);
    any = any || passed_on;
    if (passed_on) continue;  // before that it may choose as it likes
    for (const NodePointer& input : queue[next]->inputs)
      if (!input->classes.is_uniform()) queue.push_back(input.get());
  }
  return {false, any};
}

// Whether a reduction between chips takes what this result is.
bool feeds_a_reduction(const NodePointer& result, const Flow& flow) {
  // Results are copies of values.
  const Scaled value = scaled(*flow.draft, result);
  if (value.core->instruction == nullptr) return false;
  std::vector<const Node*> queue;
  for (const NodePointer& collective : flow.made) {
    const auto* work = std::get_if<Collective>(&collective->instruction->work);
    if (work != nullptr && work->kind == CollectiveKind::all_reduce)
      for (const NodePointer& input : collective->inputs) queue.push_back(input.get());
  }
  std::unordered_set<const Node*> seen;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (!seen.insert(queue[next]).second) continue;
    if (queue[next] == value.core.get()) return true;
    for (const NodePointer& input : queue[next]->inputs) queue.push_back(input.get());
  }
  return false;
}

Classes declared_classes(const Parameter& result, const Interface& interface) {
  // Nothing says of a replica's own result that others hold the same; a metric should.
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
  for (const Mesh& mesh : module.meshes) {
    std::int64_t devices = 1;
    for (const auto& [name, size] : mesh.axes) devices *= size;
    if (devices != partitions || partitions == 1) continue;
    std::vector<std::int64_t> position(static_cast<std::size_t>(partitions));
    for (std::int64_t i = 0; i < partitions; ++i) {
      const auto at = static_cast<std::size_t>(i);
      position[static_cast<std::size_t>(mesh.device_ids.empty() ? i : mesh.device_ids[at])] = i;
    }
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
  const auto place_of_node = [&](const Node* node) -> Place {
    if (node == nullptr || node->instruction == nullptr) return {};
    const Operation& op = *operations.at(node->instruction->op);
    return {op.name, op.location};
  };
  StaticReport report;
  report.axes = axes_of(module, interface);
  for (std::size_t i = 0; i < interface.results.size(); ++i) {
    const NodePointer& node = flow.results[i];
    const Classes declared = declared_classes(interface.results[i], interface);
    StaticResult result;
    result.shared = declared.count() < declared.size();
    result.touched = node->touched;
    result.agrees = node->classes.at_least_as_equal_as(declared);
    if (!result.agrees) result.axes = differing_axes(report.axes, declared, node->classes);
    if (!result.agrees) {
      const History history = history_of(node);
      result.only_exchanged = history.only_exchanged;
      result.by_choice = history.chooses;
    }
    result.place = place_of_node(place_behind(node));
    result.read_before_reduction = !result.agrees && feeds_a_reduction(node, flow);
    if (result.read_before_reduction)
      result.warnings.push_back(
          {"read_before_reduction",
           "this value goes on into a reduction, but the result is what it was before",
           result.place});
    const bool is_metric = interface.results[i].local.elements() == 1;
    if (is_metric)
      for (const Found& found : patterns_behind(node, flow, interface))
        result.warnings.push_back({found.pattern, found.text, place_of_node(found.node.get())});
    report.results.push_back(std::move(result));
  }
  for (const Found& found : patterns_of(flow))
    report.warnings.push_back({found.pattern, found.text, place_of_node(found.node.get())});
  return report;
}

}  // namespace understudy::program::analysis
