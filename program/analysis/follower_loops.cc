// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "program/analysis/follower.h"

namespace understudy::program::analysis {
namespace {

// A loop is followed to its fixed point. Every round before it makes at least one value differ on
// more processes or take data of more shards, so it exists, but a chain of n carried values needs
// n + 1 rounds. The rounds after the first few are therefore bounded by their work: visits of
// instructions, about 2 s in all.
constexpr int kFreeRounds = 16;
constexpr std::uint64_t kMostLateVisits = 600'000;

// Rounds in which only values that still change are widened; loop counters then stay known.
constexpr int kWideningRounds = 16;

bool equal_tracks(const Track& a, const Track& b) {
  return a.influence == b.influence && equally_known(a.known, b.known);
}

}  // namespace

Follower::Effort Follower::effort(int round, int widened) const {
  // Widening only loses precision, so it may begin whenever the effort demands it.
  if (widened >= kWideningRounds) return Effort::widen_all;
  return widened > 0 || (round > kFreeRounds && late_visits_ >= kMostLateVisits)
             ? Effort::widen_changing
             : Effort::exact;
}

// Follows a loop until its carried values reach a fixed point. The nodes of every round but the
// last are dropped; only their summary of the carried values is kept. Otherwise nested loops
// would multiply the number of nodes at each level.
void Follower::follow_loop(const While& loop, const Instruction& instruction) {
  // Processes that reach the loop; restored after each round.
  const Classes outer = reached_;
  resume(instruction);
  const std::size_t first = nodes_.size();
  std::unordered_map<Place, NodePointer> origins;  // what was there before the loop
  int widened = 0;
  for (int round = 1;; ++round) {
    most_rounds_ = std::max(most_rounds_, round);
    const std::uint64_t visits = visits_;
    memory_.enter();
    follow(loop.condition);
    // Processes with different predicates leave the loop at different iterations, so the
    // body counts as reached by each class separately.
    // The condition may exchange data, so it is followed in every round as well.
    reached_ = outer.meet(read(loop.predicate)->classes);
    follow(loop.body);
    reached_ = outer;
    if (round > kFreeRounds) late_visits_ += visits_ - visits;
    const Effort now = effort(round, widened);
    if (now != Effort::exact) ++widened;
    const std::vector<Memory::Change> changes = memory_.leave();
    std::vector<Carried> carried = joined(loop, changes, now);
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

std::vector<Follower::Carried> Follower::joined(const While& loop,
                                                const std::vector<Memory::Change>& changes,
                                                Effort effort) {
  const NodePointer decides = read(loop.predicate);
  std::vector<Carried> all;
  for (const auto& [place, was] : changes) {
    // Not written before the loop, so it is written anew in each iteration before it is read.
    if (was == nullptr) continue;
    const NodePointer now = held(place);
    Track track = tracking_.either(was->track, now->track);
    track.influence = tracking_.influences().unite(track.influence, decides->track.influence);
    Node node{.kind = Node::Kind::joined,
              .inputs = {was, now, decides},
              .classes = was->classes.meet(now->classes).meet(decides->classes),
              .track = std::move(track)};
    const auto is_fixed = [&] {
      summarise(node);
      return node.classes == was->classes && node.touched == was->touched &&
             equal_tracks(node.track, was->track);
    };
    bool fixed = is_fixed();
    if (effort == Effort::widen_all || (effort == Effort::widen_changing && !fixed)) {
      node.classes = Classes::distinct(processes_);
      // Different on every process, from any data: nothing is above it, so the next comparison
      // finds it fixed.
      node.track = tracking_.unknown();
      fixed = is_fixed();
    }
    all.push_back({place, std::move(node), fixed});
  }
  return all;
}

void Follower::close(const Instruction& instruction, std::vector<Carried> carried) {
  auto& left = left_[&instruction];
  // Only the latest fixed point counts: the outer loop has moved on since the last one.
  left.clear();
  for (auto& [place, node, is_fixed] : carried) {
    left.push_back({place, node.classes, node.touched, node.track});
    memory_.set(place, add(std::move(node)));
  }
}

// Rolls back to the state before the round, then seeds each carried place with the classes
// found so far. The seed refers to the value before the loop, not to the dropped nodes, and
// absorbs their summary.
void Follower::start_again(std::size_t first, const std::vector<Memory::Change>& changes,
                           const std::unordered_map<Place, NodePointer>& origins,
                           const std::vector<Carried>& carried) {
  // Nodes of the round are at the end of the deque, so pointers to older ones stay valid.
  while (nodes_.size() > first) nodes_.pop_back();
  for (const Memory::Change& change : changes) memory_.set(change.place, nullptr);
  for (const auto& [place, node, is_fixed] : carried) {
    nodes_.push_back({.kind = Node::Kind::joined,
                      .inputs = {origins.at(place)},
                      .classes = node.classes,
                      .track = node.track});
    summarise(nodes_.back());
    absorb(nodes_.back(), node);
    memory_.set(place, &nodes_.back());
  }
}

// An inner loop is visited again in each round of the outer one. It resumes from the classes of
// its own last fixed point: whatever differed then still differs, and starting afresh would
// double the work with each level of nesting.
void Follower::resume(const Instruction& loop) {
  const auto last = left_.find(&loop);
  if (last == left_.end()) return;
  for (const auto& [place, left, touched, track] : last->second) {
    const NodePointer now = memory_.at(place);
    if (now == nullptr) continue;
    Classes classes = now->classes.meet(left);
    Track both = tracking_.either(now->track, track);
    if (classes == now->classes && now->touched >= touched && equal_tracks(both, now->track))
      continue;
    memory_.set(place, add({.kind = Node::Kind::joined,
                            .touched = touched,
                            .inputs = {now},
                            .classes = std::move(classes),
                            .track = std::move(both)}));
  }
}

// Each branch starts from the same memory. Afterwards every place written by some branch holds
// a choice between what the branches left there and, if not all write it, what was there
// before. The index is the last input of the choice (see Node::is_choice).
void Follower::follow_branches(const Case& branch, const Instruction& instruction) {
  const NodePointer index = read(instruction.inputs[0]);
  const bool by_predicate = instruction.inputs[0].type.element == ElementType::pred;
  const Classes outer = reached_;
  reached_ = outer.meet(index->classes);
  const std::size_t count = branch.branches.size();
  std::map<Place, std::vector<NodePointer>> left;  // by branch; nullptr: not written
  for (std::size_t i = 0; i < count; ++i) {
    memory_.enter();
    follow(branch.branches[i]);
    for (const auto& [place, before] : memory_.leave()) {
      left.try_emplace(place, count, nullptr).first->second[i] = memory_.at(place);
      // Restored before the next branch is followed.
      memory_.set(place, before);
    }
  }
  reached_ = outer;
  for (auto& [place, by_branch] : left) {
    const NodePointer was = memory_.at(place);
    std::vector<NodePointer> nodes;
    for (NodePointer& one : by_branch) {
      if (one != nullptr) nodes.push_back(one);
      // A branch that does not write leaves the old value, which is one alternative.
      if (one == nullptr) one = was;
    }
    Classes classes = index->classes;
    for (const NodePointer one : nodes) classes = classes.meet(one->classes);
    if (nodes.size() < count && was != nullptr) {
      classes = classes.meet(was->classes);
      nodes.push_back(was);
    }
    nodes.push_back(index);
    memory_.set(place, add({.kind = Node::Kind::joined,
                            .is_choice = true,
                            .inputs = std::move(nodes),
                            .classes = std::move(classes),
                            .track = tracking_.chosen(index, by_predicate, by_branch)}));
  }
}

}  // namespace understudy::program::analysis
