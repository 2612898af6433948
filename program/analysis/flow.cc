// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/flow.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "program/analysis/collective_classes.h"
#include "program/analysis/memory.h"
#include "program/lowering/lowering.h"

namespace understudy::program::analysis {
namespace {

// Rounds per loop. Classes only get finer from round to round, so a fixed point exists, but it may
// take as many rounds as there are processes. A loop that still changes after this many rounds is
// assumed to leave nothing equal, which is sound: no result is then called agreed.
constexpr int kMostRounds = 16;

class Follower {
 public:
  Follower(const passes::Draft& draft, const Interface& interface)
      : draft_(draft),
        interface_(interface),
        processes_(static_cast<std::size_t>(interface.processes())),
        uniform_(Classes::uniform(processes_)),
        constant_(add({.classes = uniform_})),
        memory_(draft.bytes.size(), interface.results.size()),
        reached_(uniform_) {
    for (std::size_t i = 0; i < interface.arguments.size(); ++i)
      arguments_.push_back(add({.kind = Node::Kind::argument,
                                .argument = i,
                                .classes = Classes::of(interface.arguments[i].sharding.tile_of)}));
  }

  void follow(const Code& code) {
    for (const Instruction& instruction : code) {
      if (const auto* loop = std::get_if<While>(&instruction.work)) {
        follow_loop(*loop, instruction);
      } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
        follow_branches(*branch, instruction);
      } else {
        follow(instruction);
      }
    }
  }

  // Moves all out. Call last.
  Flow take() {
    Flow flow;
    for (std::size_t i = 0; i < interface_.results.size(); ++i)
      flow.results.push_back(held(memory_.result(i)));
    for (const auto& [instruction, one] : collectives_) flow.made.push_back(one);
    flow.divergences = std::move(divergences_);
    flow.nodes = std::move(nodes_);
    return flow;
  }

 private:
  using Place = Memory::Place;

  NodePointer add(Node node) {
    Node& kept = nodes_.emplace_back(std::move(node));
    summarise(kept);
    return &kept;
  }

  NodePointer join(std::vector<NodePointer> inputs, Classes classes) {
    return add(
        {.kind = Node::Kind::joined, .inputs = std::move(inputs), .classes = std::move(classes)});
  }

  NodePointer held(Place place) const {
    const NodePointer node = memory_.at(place);
    return node == nullptr ? constant_ : node;
  }

  Place place_of(const Operand& operand) const {
    return operand.at.space == Space::temporary ? memory_.temporary(operand.at.index)
                                                : memory_.result(operand.at.index);
  }

  // Frames belong to reducer bodies and hold no node; constants are equal everywhere.
  NodePointer read(const Operand& operand) const {
    switch (operand.at.space) {
      case Space::argument:
        return arguments_.at(operand.at.index);
      case Space::temporary:
      case Space::result:
        return held(place_of(operand));
      case Space::constant:
      case Space::frame:
        break;
    }
    return constant_;
  }

  // A partial write leaves some of the old value, so both are joined: equal only where both are.
  void write(const Instruction& instruction, const Operand& out, NodePointer fresh) {
    const Place place = place_of(out);
    const NodePointer before = memory_.at(place);
    if (before != nullptr && before != fresh && !covers(draft_, instruction, out))
      fresh = join({before, fresh}, before->classes.meet(fresh->classes));
    memory_.set(place, fresh);
  }

  std::vector<NodePointer> inputs_of(const Instruction& instruction) const {
    std::vector<NodePointer> inputs;
    for (const Operand& input : instruction.inputs) inputs.push_back(read(input));
    // Values that bodies capture from outside count as inputs too.
    for (const Body* body : passes::bodies_of(instruction))
      for (const Instruction& inner : body->code)
        passes::visit_operands(inner, [&](const Operand& operand, passes::Access access) {
          if (access == passes::Access::read && operand.at.space != Space::frame)
            inputs.push_back(read(operand));
        });
    return inputs;
  }

  void follow(const Instruction& instruction) {
    const std::vector<NodePointer> inputs = inputs_of(instruction);
    const auto* collective = std::get_if<Collective>(&instruction.work);
    Classes all = uniform_;
    for (const NodePointer input : inputs) all = all.meet(input->classes);
    for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
      // A collective maps operand i to result i; bucketed all_reduces have several. Every
      // other result depends on all inputs.
      const bool one_by_one = collective != nullptr && i < instruction.inputs.size();
      Classes classes =
          one_by_one ? classes_after(*collective, inputs[i]->classes, interface_) : all;
      if (const auto own = own_classes(instruction.work, interface_)) classes = *own;
      const NodePointer fresh = add({.kind = Node::Kind::made,
                                     .instruction = &instruction,
                                     .inputs = one_by_one ? std::vector{inputs[i]} : inputs,
                                     // Processes that do not
                                     // reach this instruction
                                     // together may hold
                                     // something else in its
                                     // place.
                                     .classes = classes.meet(reached_)});
      if (collective != nullptr) collectives_[&instruction] = fresh;
      write(instruction, instruction.outputs[i], fresh);
    }
    // A collective or message that only some processes reach makes others wait forever.
    const bool talks = collective != nullptr || std::holds_alternative<Transfer>(instruction.work);
    if (talks && !reached_.is_uniform() && diverged_.insert(&instruction).second)
      divergences_.push_back({&instruction, reached_});
  }

  // Follows a loop until its carried values reach a fixed point. The nodes of every round but the
  // last are dropped; only their summary of the carried values is kept. Otherwise nested loops
  // would multiply the number of nodes at each level.
  void follow_loop(const While& loop, const Instruction& instruction) {
    const Classes outer = reached_;
    resume(instruction);
    const std::size_t first = nodes_.size();
    std::unordered_map<Place, NodePointer> origins;  // what was there before the loop
    for (int round = 1;; ++round) {
      memory_.enter();
      follow(loop.condition);
      // Processes with different predicates leave the loop at different iterations, so the
      // body counts as reached by each class separately.
      reached_ = outer.meet(read(loop.predicate)->classes);
      follow(loop.body);
      reached_ = outer;
      const std::vector<Memory::Change> changes = memory_.leave();
      std::vector<Carried> carried = joined(loop, changes, round >= kMostRounds);
      if (std::ranges::all_of(carried, &Carried::is_fixed)) {
        close(instruction, std::move(carried));
        break;
      }
      for (const auto& [place, was] : changes) origins.try_emplace(place, was);
      start_again(first, changes, origins, carried);
    }
    for (const Operand& carried : instruction.outputs)
      if (const NodePointer node = memory_.at(place_of(carried)))
        memory_.set(place_of(carried), node);
  }

  // What a place holds at the start of each round: its value before the round joined with the
  // value after it. The predicate takes part, as it decides how many rounds run.
  struct Carried {
    Place place = 0;
    Node node;
    bool is_fixed = false;  // the round said nothing new
  };

  std::vector<Carried> joined(const While& loop, const std::vector<Memory::Change>& changes,
                              bool give_up) const {
    const NodePointer decides = read(loop.predicate);
    std::vector<Carried> all;
    for (const auto& [place, was] : changes) {
      // Not written before the loop, so it is written anew in each iteration before it is
      // read.
      if (was == nullptr) continue;  // made anew in every round
      const NodePointer now = held(place);
      Classes classes = was->classes.meet(now->classes).meet(decides->classes);
      if (give_up) classes = Classes::distinct(processes_);
      Node node{
          .kind = Node::Kind::joined, .inputs = {was, now, decides}, .classes = std::move(classes)};
      summarise(node);
      const bool is_fixed = node.classes == was->classes && node.touched == was->touched;
      all.push_back({place, std::move(node), is_fixed});
    }
    return all;
  }

  void close(const Instruction& instruction, std::vector<Carried> carried) {
    auto& left = left_[&instruction];
    left.clear();
    for (auto& [place, node, is_fixed] : carried) {
      left.push_back({place, node.classes, node.touched});
      memory_.set(place, add(std::move(node)));
    }
  }

  // Rolls back to the state before the round, then seeds each carried place with the classes
  // found so far. The seed refers to the value before the loop, not to the dropped nodes, and
  // absorbs their summary.
  void start_again(std::size_t first, const std::vector<Memory::Change>& changes,
                   const std::unordered_map<Place, NodePointer>& origins,
                   const std::vector<Carried>& carried) {
    while (nodes_.size() > first) nodes_.pop_back();
    for (const Memory::Change& change : changes) memory_.set(change.place, nullptr);
    for (const auto& [place, node, is_fixed] : carried) {
      nodes_.push_back(
          {.kind = Node::Kind::joined, .inputs = {origins.at(place)}, .classes = node.classes});
      summarise(nodes_.back());
      absorb(nodes_.back(), node);
      memory_.set(place, &nodes_.back());
    }
  }

  // An inner loop is visited again in each round of the outer one. It resumes from the classes of
  // its own last fixed point: whatever differed then still differs, and starting afresh would
  // double the work with each level of nesting.
  void resume(const Instruction& loop) {
    const auto last = left_.find(&loop);
    if (last == left_.end()) return;
    for (const auto& [place, left, touched] : last->second) {
      const NodePointer now = memory_.at(place);
      if (now == nullptr) continue;
      Classes classes = now->classes.meet(left);
      if (classes == now->classes && now->touched >= touched) continue;
      memory_.set(place, add({.kind = Node::Kind::joined,
                              .touched = touched,
                              .inputs = {now},
                              .classes = std::move(classes)}));
    }
  }

  // Each branch starts from the same memory. Afterwards every place written by some branch holds
  // a choice between what the branches left there and, if not all write it, what was there
  // before. The index is the last input of the choice (see Node::is_choice).
  void follow_branches(const Case& branch, const Instruction& instruction) {
    const NodePointer index = read(instruction.inputs[0]);
    const Classes outer = reached_;
    reached_ = outer.meet(index->classes);
    std::map<Place, std::vector<NodePointer>> left;
    for (const Code& code : branch.branches) {
      memory_.enter();
      follow(code);
      for (const auto& [place, before] : memory_.leave()) {
        left[place].push_back(memory_.at(place));
        memory_.set(place, before);
      }
    }
    reached_ = outer;
    for (auto& [place, nodes] : left) {
      Classes classes = index->classes;
      for (const NodePointer one : nodes) classes = classes.meet(one->classes);
      const NodePointer was = memory_.at(place);
      if (nodes.size() < branch.branches.size() && was != nullptr) {
        classes = classes.meet(was->classes);
        nodes.push_back(was);
      }
      nodes.push_back(index);
      memory_.set(place, add({.kind = Node::Kind::joined,
                              .is_choice = true,
                              .inputs = std::move(nodes),
                              .classes = std::move(classes)}));
    }
  }

  const passes::Draft& draft_;
  const Interface& interface_;
  std::size_t processes_;
  Classes uniform_;
  std::deque<Node> nodes_;
  NodePointer constant_;
  std::vector<NodePointer> arguments_;
  Memory memory_;
  std::map<const Instruction*, NodePointer> collectives_;
  struct Left {
    Place place = 0;
    Classes classes;
    bool touched = false;
  };
  std::unordered_map<const Instruction*, std::vector<Left>> left_;  // by loops
  Classes reached_;  // processes of one class take the same way
  std::unordered_set<const Instruction*> diverged_;
  std::vector<Divergence> divergences_;
};

}  // namespace

Flow flow_of(const Module& module, const CompileOptions& options, const Interface& interface) {
  auto draft = std::make_shared<passes::Draft>();
  passes::Lowering(module, interface, *draft).lower_main(entry_of(module, options));
  Follower follower(*draft, interface);
  follower.follow(draft->code);
  Flow flow = follower.take();
  flow.draft = std::move(draft);
  return flow;
}

}  // namespace understudy::program::analysis
