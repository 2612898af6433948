// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/node.h"

#include <algorithm>
#include <variant>

namespace understudy::program::analysis {
namespace {

bool is_uniform(NodePointer node) { return node->classes.is_uniform(); }

// Operations whose result combines many elements: where a local metric gets its local meaning.
bool reduces_locally(const Node& node) {
  if (node.instruction == nullptr) return false;
  const Work& work = node.instruction->work;
  return std::holds_alternative<Reduce>(work) || std::holds_alternative<Dot>(work) ||
         std::holds_alternative<ReduceWindow>(work);
}

bool is_all_reduce(const Node& node) {
  const auto* work =
      node.instruction == nullptr ? nullptr : std::get_if<Collective>(&node.instruction->work);
  return work != nullptr && work->kind == CollectiveKind::all_reduce;
}

// Whether data decide if a value is reduced: the same program may agree with some inputs and differ
// with others. A choice counts only if some of its alternatives are equal everywhere and some are
// not; a select counts whenever its predicate depends on an argument.
bool chooses(const Node& node) {
  if (node.kind == Node::Kind::joined)
    // The last input is the index of the choice; a choice by something equal everywhere cannot
    // differ.
    return node.is_choice && !std::ranges::all_of(node.inputs, is_uniform) &&
           std::ranges::any_of(node.inputs, is_uniform) && node.inputs.back()->takes_data;
  return node.instruction != nullptr && std::holds_alternative<Select>(node.instruction->work) &&
         node.inputs.at(0)->takes_data;
}

bool exchanges(const Node& node) {
  if (node.instruction == nullptr) return false;
  const auto* collective = std::get_if<Collective>(&node.instruction->work);
  return std::holds_alternative<Transfer>(node.instruction->work) ||
         (collective != nullptr && (collective->kind == CollectiveKind::collective_permute ||
                                    collective->kind == CollectiveKind::all_to_all));
}

// Whether data decide which elements count: by an index, an order or the comparison of integers; or
// the place of a row does, as in a mask of padding. Comparisons of floats, such as maxima, do not:
// experiments with larger and smaller numbers see through them.
bool picks(const Node& node) {
  if (node.kind == Node::Kind::joined) return node.is_choice && node.inputs.back()->takes_data;
  if (node.instruction == nullptr) return false;
  const Work& work = node.instruction->work;
  const auto takes_data = [](NodePointer input) { return input->takes_data; };
  if (std::holds_alternative<Sort>(work)) return std::ranges::any_of(node.inputs, takes_data);
  if (std::holds_alternative<Gather>(work) || std::holds_alternative<TakeElements>(work) ||
      std::holds_alternative<DynamicSlice>(work) ||
      std::holds_alternative<DynamicUpdateSlice>(work) || std::holds_alternative<Scatter>(work))
    // From the second input on: the first is the array itself.
    return std::any_of(node.inputs.begin() + 1, node.inputs.end(), takes_data);
  if (!std::holds_alternative<Compare>(work)) return false;
  const bool floats = is_float(node.instruction->inputs[0].type.element);
  return (node.has_index && node.has_iota) ||
         (!floats && std::ranges::any_of(node.inputs, takes_data));
}

// The nearest instruction is the one to report; distance counts nodes back from the result.
// Ties keep the first, so results do not depend on the order of unrelated inputs.
void bring_nearer(Nearest& here, const Nearest& input) {
  if (input.instruction == nullptr) return;
  if (here.instruction == nullptr || input.distance + 1 < here.distance)
    here = {input.instruction, input.distance + 1};
}

}  // namespace

// Everything that a report asks of a whole history is accumulated here, once per node, from the
// summaries of its inputs. Walking back from each result would be quadratic.
void summarise(Node& node) {
  node.touched = node.touched || !node.classes.is_uniform();
  node.takes_data = node.kind == Node::Kind::argument;
  node.reduced = is_all_reduce(node);
  node.exchanges = exchanges(node);
  // Before the loop below, which adds what lies behind.
  const bool passed_on = node.exchanges;  // before that it may choose as it likes
  node.chooses = chooses(node);
  if (node.instruction != nullptr) node.maker = {node.instruction, 0};
  if (reduces_locally(node) && !node.classes.is_uniform())
    node.local_reduction = {node.instruction, 0};
  if (node.instruction != nullptr) {
    node.has_index = std::holds_alternative<ProcessIndex>(node.instruction->work);
    node.has_iota = std::holds_alternative<Iota>(node.instruction->work);
  }
  for (const NodePointer input : node.inputs) {
    // Behind data the process index no longer tells which row is meant.
    node.has_index = node.has_index || (input->has_index && !input->takes_data);
    node.has_iota = node.has_iota || (input->has_iota && !input->takes_data);
  }
  node.picks = picks(node);
  for (const NodePointer input : node.inputs) {
    node.picks = node.picks || input->picks;
    node.touched = node.touched || input->touched;
    node.takes_data = node.takes_data || input->takes_data;
    node.reduced = node.reduced || input->reduced;
    // Inputs that are equal on all processes cannot explain a difference, so nothing below them
    // is reported.
    if (input->classes.is_uniform()) continue;
    node.exchanges = node.exchanges || input->exchanges;
    node.chooses = node.chooses || (!passed_on && input->chooses);
    bring_nearer(node.maker, input->maker);
    bring_nearer(node.local_reduction, input->local_reduction);
  }
}

void absorb(Node& node, const Node& other) {
  node.touched = node.touched || other.touched;
  node.takes_data = node.takes_data || other.takes_data;
  node.reduced = node.reduced || other.reduced;
  node.exchanges = node.exchanges || other.exchanges;
  node.chooses = node.chooses || other.chooses;
  node.picks = node.picks || other.picks;
  node.has_index = node.has_index || other.has_index;
  node.has_iota = node.has_iota || other.has_iota;
  bring_nearer(node.maker, other.maker);
  bring_nearer(node.local_reduction, other.local_reduction);
}

// A list instead of recursion: a history may be as deep as the program is long.
std::unordered_set<NodePointer> all_behind(std::vector<NodePointer> nodes) {
  std::unordered_set<NodePointer> seen;
  while (!nodes.empty()) {
    const NodePointer node = nodes.back();
    nodes.pop_back();
    if (seen.insert(node).second)
      nodes.insert(nodes.end(), node->inputs.begin(), node->inputs.end());
  }
  return seen;
}

}  // namespace understudy::program::analysis
