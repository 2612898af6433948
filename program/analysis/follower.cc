// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/follower.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "program/analysis/collective_classes.h"

namespace understudy::program::analysis {
namespace {

// Processes with equal numbers are in one class; nullopt where a number is not known.
std::optional<Classes> classes_of(const Known& known) {
  if (!known) return std::nullopt;
  std::vector<std::int64_t> labels;
  for (const double value : *known) {
    // An unknown number could be anything, so the numbers tell no classes.
    if (std::isnan(value)) return std::nullopt;
    labels.push_back(std::ranges::find(*known, value) - known->begin());
  }
  return Classes::of(labels);
}

}  // namespace

Follower::Follower(const passes::Draft& draft, const Interface& interface)
    : draft_(draft),
      interface_(interface),
      processes_(static_cast<std::size_t>(interface.processes())),
      uniform_(Classes::uniform(processes_)),
      tracking_(draft, interface),
      // One node for all constants and for memory that was never written.
      constant_(add({.classes = uniform_})),
      memory_(draft.bytes.size(), interface.results.size()),
      reached_(uniform_) {
  for (std::size_t i = 0; i < interface.arguments.size(); ++i)
    arguments_.push_back(add({.kind = Node::Kind::argument,
                              .argument = i,
                              // Shards of one tile are equal by declaration: the plan gives
                              // replicas the same bytes.
                              .classes = Classes::of(interface.arguments[i].sharding.tile_of),
                              .track = tracking_.of_argument(i)}));
}

void Follower::follow(const Code& code) {
  for (const Instruction& instruction : code) {
    ++visits_;
    if (const auto* loop = std::get_if<While>(&instruction.work)) {
      follow_loop(*loop, instruction);
    } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
      follow_branches(*branch, instruction);
    } else {
      follow(instruction);
    }
  }
}

Flow Follower::take() {
  Flow flow;
  for (std::size_t i = 0; i < interface_.results.size(); ++i)
    flow.results.push_back(held(memory_.result(i)));
  for (const auto& [instruction, one] : collectives_) flow.made.push_back(one);
  flow.divergences = std::move(divergences_);
  flow.nodes = std::move(nodes_);
  flow.influences = std::make_shared<const Influences>(tracking_.take_influences());
  flow.most_rounds = most_rounds_;
  return flow;
}

NodePointer Follower::add(Node node) {
  Node& kept = nodes_.emplace_back(std::move(node));
  summarise(kept);
  return &kept;
}

NodePointer Follower::held(Place place) const {
  const NodePointer node = memory_.at(place);
  return node == nullptr ? constant_ : node;
}

Memory::Place Follower::place_of(const Operand& operand) const {
  return operand.at.space == Space::temporary ? memory_.temporary(operand.at.index)
                                              : memory_.result(operand.at.index);
}

// Frames belong to reducer bodies and hold no node; constants are equal everywhere.
NodePointer Follower::read(const Operand& operand) const {
  switch (operand.at.space) {
    case Space::argument:
      return arguments_.at(operand.at.index);
    case Space::temporary:
    case Space::result:
      return held(place_of(operand));
    case Space::constant:
    case Space::frame:
    case Space::host:   // only after placement
    case Space::slice:  // only after the passes
      break;
  }
  return constant_;
}

// A partial write leaves some of the old value, so both are joined: equal only where both are.
void Follower::write(const Instruction& instruction, const Operand& out, NodePointer fresh) {
  const Place place = place_of(out);
  const NodePointer before = memory_.at(place);
  // Two writes that cover a buffer in parts make two joins; the classes end up as fine as the
  // finest part.
  if (before != nullptr && before != fresh && !covers(draft_, instruction, out))
    fresh = add({.kind = Node::Kind::joined,
                 .inputs = {before, fresh},
                 .classes = before->classes.meet(fresh->classes),
                 .track = tracking_.either(before->track, fresh->track)});
  memory_.set(place, fresh);
}

std::vector<NodePointer> Follower::inputs_of(const Instruction& instruction) const {
  std::vector<NodePointer> inputs;
  for (const Operand& input : instruction.inputs) inputs.push_back(read(input));
  // Values that bodies capture from outside count as inputs too.
  // Bodies are not followed: their arguments are elements of the operands.
  for (const Body* body : passes::bodies_of(instruction))
    for (const Instruction& inner : body->code)
      passes::visit_operands(inner, [&](const Operand& operand, passes::Access access) {
        if (access == passes::Access::read && operand.at.space != Space::frame)
          inputs.push_back(read(operand));
      });
  return inputs;
}

void Follower::follow(const Instruction& instruction) {
  const std::vector<NodePointer> inputs = inputs_of(instruction);
  const auto* collective = std::get_if<Collective>(&instruction.work);
  Classes all = uniform_;
  for (const NodePointer input : inputs) all = all.meet(input->classes);
  for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
    // A collective maps operand i to result i; bucketed all_reduces have several. Every
    // other result depends on all inputs.
    const bool one_by_one = collective != nullptr && i < instruction.inputs.size();
    Classes classes = one_by_one ? classes_after(*collective, inputs[i]->classes) : all;
    if (const auto own = own_classes(instruction.work, interface_)) classes = *own;
    Track track =
        tracking_.after(instruction, one_by_one ? std::vector{inputs[i]} : inputs, i, one_by_one);
    // Numbers that are known are compared instead: the coordinates of a process along one axis.
    if (const auto known = classes_of(track.known)) classes = *known;
    // Processes that do not reach this instruction together may hold something else in its place.
    const NodePointer fresh = add({.kind = Node::Kind::made,
                                   .instruction = &instruction,
                                   .inputs = one_by_one ? std::vector{inputs[i]} : inputs,
                                   .classes = classes.meet(reached_),
                                   .track = std::move(track)});
    if (collective != nullptr) collectives_[&instruction] = fresh;
    write(instruction, instruction.outputs[i], fresh);
  }
  // A collective or message that only some processes reach makes others wait forever.
  const bool talks = collective != nullptr || std::holds_alternative<Transfer>(instruction.work);
  // Reported once per instruction, although loops visit it again and again.
  if (talks && !reached_.is_uniform() && diverged_.insert(&instruction).second)
    divergences_.push_back({&instruction, reached_});
}

}  // namespace understudy::program::analysis
