// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/flow.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "program/passes/lowering.h"

namespace understudy::program::analysis {
namespace {

constexpr int kMostRounds = 64;  // of one loop; classes only ever get finer, so far fewer do

// Where a node lies: temporaries and results by index. Frames belong to bodies and hold none.
using Place = std::pair<Space, std::uint32_t>;

class Follower {
 public:
  Follower(const passes::Draft& draft, const Interface& interface)
      : draft_(draft),
        interface_(interface),
        processes_(static_cast<std::size_t>(interface.processes())),
        constant_(node(Node::Kind::constant, {}, Classes::uniform(processes_))),
        reached_(Classes::uniform(processes_)) {
    for (std::size_t i = 0; i < interface.arguments.size(); ++i) {
      auto one =
          node(Node::Kind::argument, {}, Classes::of(interface.arguments[i].sharding.tile_of));
      one->argument = i;
      one->touched = !one->classes.is_uniform();
      arguments_.push_back(std::move(one));
    }
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

  NodePointer result(std::size_t index) const {
    return held({Space::result, static_cast<std::uint32_t>(index)});
  }
  std::vector<NodePointer> collectives() const {
    std::vector<NodePointer> all;
    for (const auto& [instruction, one] : collectives_) all.push_back(one);
    return all;
  }
  std::vector<Divergence> divergences;

 private:
  std::shared_ptr<Node> node(Node::Kind kind, std::vector<NodePointer> inputs, Classes classes) {
    auto one =
        std::make_shared<Node>(Node{kind, 0, nullptr, std::move(inputs), classes, false, false});
    one->touched = !classes.is_uniform();
    for (const NodePointer& input : one->inputs) one->touched = one->touched || input->touched;
    return one;
  }

  NodePointer held(const Place& place) const {
    const auto found = memory_.find(place);
    return found == memory_.end() ? constant_ : found->second;
  }

  NodePointer read(const Operand& operand) const {
    switch (operand.at.space) {
      case Space::argument:
        return arguments_.at(operand.at.index);
      case Space::temporary:
      case Space::result:
        return held({operand.at.space, operand.at.index});
      case Space::constant:
      case Space::frame:
        break;
    }
    return constant_;
  }

  // Whether writing this operand leaves nothing of what was there.
  bool covers(const Instruction& instruction, const Operand& out) const {
    if (out.at.space == Space::temporary &&
        static_cast<std::uint64_t>(out.type.bytes()) < draft_.bytes.at(out.at.index))
      return false;
    const auto* copy = std::get_if<StridedCopy>(&instruction.work);
    if (copy == nullptr) return true;
    std::int64_t moved = 1;
    for (const std::int64_t size : copy->sizes) moved *= size;
    return moved >= out.type.elements();
  }

  void write(const Instruction& instruction, const Operand& out, NodePointer fresh) {
    const Place place{out.at.space, out.at.index};
    const auto before = memory_.find(place);
    if (before != memory_.end() && !covers(instruction, out)) fresh = join(before->second, fresh);
    memory_[place] = std::move(fresh);
    if (written_ != nullptr) written_->insert(place);
  }

  NodePointer join(const NodePointer& a, const NodePointer& b) {
    if (a == b) return a;
    return node(Node::Kind::joined, {a, b}, a->classes.meet(b->classes));
  }

  std::vector<NodePointer> inputs_of(const Instruction& instruction) const {
    std::vector<NodePointer> inputs;
    for (const Operand& input : instruction.inputs) inputs.push_back(read(input));
    // What bodies take from outside.
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
    Classes all = Classes::uniform(processes_);
    for (const NodePointer& input : inputs) all = all.meet(input->classes);
    for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
      const bool one_by_one = collective != nullptr && i < instruction.inputs.size();
      Classes classes = one_by_one ? after(*collective, inputs[i]->classes) : all;
      if (const auto own = own_classes(instruction.work)) classes = *own;
      auto fresh = node(Node::Kind::made, one_by_one ? std::vector{inputs[i]} : inputs,
                        classes.meet(reached_));
      fresh->instruction = &instruction;
      if (collective != nullptr) collectives_[&instruction] = fresh;
      write(instruction, instruction.outputs[i], fresh);
    }
    const bool talks = collective != nullptr || std::holds_alternative<Transfer>(instruction.work);
    if (talks && !reached_.is_uniform()) diverge(instruction);
  }

  void diverge(const Instruction& instruction) {
    for (const Divergence& known : divergences)
      if (known.collective == &instruction) return;
    divergences.push_back({&instruction, reached_});
  }

  // Of work that differs between processes by itself.
  std::optional<Classes> own_classes(const Work& work) const {
    if (const auto* index = std::get_if<ProcessIndex>(&work)) {
      std::vector<std::int64_t> labels;
      for (std::size_t p = 0; p < processes_; ++p) {
        const auto process = static_cast<std::int64_t>(p);
        labels.push_back(index->replica ? process / interface_.partitions
                                        : process % interface_.partitions);
      }
      return Classes::of(labels);
    }
    if (std::holds_alternative<Transfer>(work) || std::holds_alternative<InfeedTurn>(work))
      return Classes::distinct(processes_);
    return std::nullopt;
  }

  // What a collective leaves on each process, by what goes into it there.
  Classes after(const Collective& collective, const Classes& in) const {
    std::map<std::vector<std::int64_t>, std::int64_t> numbers;
    std::vector<std::int64_t> labels(processes_);
    const auto number = [&](std::vector<std::int64_t> key) {
      return numbers.try_emplace(std::move(key), static_cast<std::int64_t>(numbers.size()))
          .first->second;
    };
    // In no group: zeros, or the operand itself.
    const bool keeps = collective.kind == CollectiveKind::all_reduce;
    for (std::size_t p = 0; p < processes_; ++p)
      labels[p] = number({-1, keeps ? std::int64_t{in[p]} : -1});
    if (collective.kind == CollectiveKind::collective_permute) {
      for (const auto& group : groups_of(collective, interface_))
        labels[group[1]] = number({-2, std::int64_t{in[group[0]]}});
      return Classes::of(labels);
    }
    const bool own_part = collective.kind == CollectiveKind::reduce_scatter ||
                          collective.kind == CollectiveKind::all_to_all;
    for (const auto& group : groups_of(collective, interface_)) {
      std::vector<std::int64_t> key = {-3};
      for (const std::size_t member : group) key.push_back(in[member]);
      for (std::size_t i = 0; i < group.size(); ++i) {
        std::vector<std::int64_t> own = key;
        own.push_back(own_part ? static_cast<std::int64_t>(i) : -1);
        labels[group[i]] = number(std::move(own));
      }
    }
    return Classes::of(labels);
  }

  // All that `code` writes, as it is written: what was there before is joined by the caller.
  template <class Follow>
  std::set<Place> writes_of(const Follow& follow_code) {
    std::set<Place> own;
    std::set<Place>* const outer = std::exchange(written_, &own);
    follow_code();
    written_ = outer;
    if (written_ != nullptr) written_->insert(own.begin(), own.end());
    return own;
  }

  void follow_loop(const While& loop, const Instruction& instruction) {
    const Classes outer = reached_;
    for (int round = 0; round < kMostRounds; ++round) {
      const std::map<Place, NodePointer> before = memory_;
      const std::set<Place> written = writes_of([&] {
        follow(loop.condition);
        reached_ = outer.meet(read(loop.predicate)->classes);
        follow(loop.body);
        reached_ = outer;
      });
      bool is_fixed = true;
      const NodePointer decides = read(loop.predicate);
      const Classes turns = decides->classes;
      for (const Place& place : written) {
        const auto was = before.find(place);
        if (was == before.end()) continue;  // made anew in every round
        const NodePointer now = held(place);
        const Classes classes = was->second->classes.meet(now->classes).meet(turns);
        auto joined = node(Node::Kind::joined, {was->second, now, decides}, classes);
        if (classes != was->second->classes || joined->touched != was->second->touched)
          is_fixed = false;
        memory_[place] = std::move(joined);
      }
      if (is_fixed) break;
    }
    for (const Operand& carried : instruction.outputs)
      if (written_ != nullptr) written_->insert({carried.at.space, carried.at.index});
  }

  void follow_branches(const Case& branch, const Instruction& instruction) {
    const NodePointer index = read(instruction.inputs[0]);
    const Classes outer = reached_;
    reached_ = outer.meet(index->classes);
    const std::map<Place, NodePointer> before = memory_;
    std::map<Place, std::vector<NodePointer>> left;
    for (const Code& code : branch.branches) {
      memory_ = before;
      for (const Place& place : writes_of([&] { follow(code); }))
        left[place].push_back(held(place));
    }
    memory_ = before;
    reached_ = outer;
    for (auto& [place, nodes] : left) {
      Classes classes = index->classes;
      for (const NodePointer& one : nodes) classes = classes.meet(one->classes);
      const auto was = before.find(place);
      if (nodes.size() < branch.branches.size() && was != before.end())
        classes = classes.meet(was->second->classes), nodes.push_back(was->second);
      nodes.push_back(index);
      auto joined = node(Node::Kind::joined, nodes, classes);
      joined->is_choice = true;
      memory_[place] = std::move(joined);
    }
  }

  const passes::Draft& draft_;
  const Interface& interface_;
  std::size_t processes_;
  NodePointer constant_;
  std::vector<NodePointer> arguments_;
  std::map<Place, NodePointer> memory_;
  std::map<const Instruction*, NodePointer> collectives_;
  Classes reached_;                     // processes of one class take the same way
  std::set<Place>* written_ = nullptr;  // of the loop or branch at work
};

}  // namespace

std::vector<std::vector<std::size_t>> groups_of(const Collective& collective,
                                                const Interface& interface) {
  const std::int64_t replicas = interface.replicas, partitions = interface.partitions;
  std::vector<std::vector<std::size_t>> groups;
  const auto add = [&](const std::vector<std::int64_t>& row, const auto& process_of) {
    std::vector<std::size_t>& group = groups.emplace_back();
    for (const std::int64_t id : row) group.push_back(static_cast<std::size_t>(process_of(id)));
  };
  std::vector<std::vector<std::int64_t>> rows = collective.groups;
  for (const auto& [source, target] : collective.source_target) rows.push_back({source, target});
  for (const auto& row : rows) switch (collective.mode) {
      case GroupMode::flattened_ids:
        add(row, [](std::int64_t id) { return id; });
        break;
      case GroupMode::cross_replica:
        for (std::int64_t p = 0; p < partitions; ++p)
          add(row, [&](std::int64_t id) { return id * partitions + p; });
        break;
      case GroupMode::cross_partition:
        for (std::int64_t r = 0; r < replicas; ++r)
          add(row, [&](std::int64_t id) { return r * partitions + id; });
        break;
      case GroupMode::cross_replica_and_partition: {
        std::vector<std::size_t>& group = groups.emplace_back();
        for (std::int64_t p = 0; p < partitions; ++p)
          for (const std::int64_t id : row)
            group.push_back(static_cast<std::size_t>(id * partitions + p));
        break;
      }
    }
  return groups;
}

Flow flow_of(const Module& module, const CompileOptions& options, const Interface& interface) {
  auto draft = std::make_shared<passes::Draft>();
  passes::Lowering(module, interface, *draft).lower_main(entry_of(module, options));
  Follower follower(*draft, interface);
  follower.follow(draft->code);
  Flow flow;
  for (std::size_t i = 0; i < interface.results.size(); ++i)
    flow.results.push_back(follower.result(i));
  flow.made = follower.collectives();
  flow.divergences = std::move(follower.divergences);
  flow.draft = std::move(draft);
  return flow;
}

}  // namespace understudy::program::analysis
