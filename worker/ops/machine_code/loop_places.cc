// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/loop_places.h"

#include <algorithm>
#include <ranges>

namespace understudy::worker::ops::machine {
namespace {

// A slot is valid where its register has what memory would have: from the start of the loop until
// a slot that overlaps it is written. This walks the loop as it runs, and takes registers from
// slots that are read where they are not valid.
class Walk {
 public:
  explicit Walk(LoopGraph& graph) : graph_(graph), overlaps_(graph.slots.size()) {
    for (std::size_t i = 0; i < graph.slots.size(); ++i)
      for (std::size_t k = 0; k < graph.slots.size(); ++k)
        if (i != k && graph.slots[i].range().overlaps(graph.slots[k].range()))
          overlaps_[i].push_back(k);
  }

  // True if a slot lost its register.
  bool run() {
    changed_ = false;
    while (spread()) {
    }
    Valid valid(graph_.slots.size(), true);
    walk(graph_.loop, valid);
    for (std::size_t i = 0; i < graph_.slots.size(); ++i)
      if (graph_.slots[i].leaves) read(i, valid);
    return changed_;
  }

 private:
  using Valid = std::vector<bool>;

  // What overlaps memory that is read is in memory too.
  bool spread() {
    bool more = false;
    for (std::size_t i = 0; i < graph_.slots.size(); ++i) {
      if (!graph_.slots[i].in_memory) continue;
      for (const std::size_t other : overlaps_[i]) {
        more = more || !graph_.slots[other].in_memory;
        graph_.slots[other].in_memory = true;
      }
    }
    return more;
  }
  void read(std::size_t slot, const Valid& valid) {
    if (valid[slot] || graph_.slots[slot].in_memory) return;
    changed_ = true;
    graph_.slots[slot].in_memory = true;
  }
  void write(std::size_t slot, Valid& valid) const {
    valid[slot] = true;
    for (const std::size_t other : overlaps_[slot]) valid[other] = false;
  }
  // A called step writes more than its results: slots of which it overwrites a part.
  void write(const Call& call, Valid& valid) const {
    for (std::size_t i = 0; i < graph_.slots.size(); ++i)
      for (const Range& range : call.writes)
        if (graph_.slots[i].range().overlaps(range)) valid[i] = false;
    for (const int slot : call.results) valid[static_cast<std::size_t>(slot)] = true;
  }

  void walk(const Loop& loop, Valid& valid) {
    while (true) {
      const Valid before = valid;
      walk(graph_.blocks[loop.condition], valid);
      if (!loop.predicate.is_constant()) read(static_cast<std::size_t>(loop.predicate.slot), valid);
      Valid after = valid;
      walk(graph_.blocks[loop.body], after);
      const Valid both = meet(before, after);
      if (both == before) return;
      valid = both;
    }
  }
  void walk(const Branch& branch, Valid& valid) {
    if (!branch.index.is_constant()) read(static_cast<std::size_t>(branch.index.slot), valid);
    Valid all(valid.size(), true);
    for (const std::size_t block : branch.blocks) {
      Valid one = valid;
      walk(graph_.blocks[block], one);
      all = meet(all, one);
    }
    valid = all;
  }
  void walk(const Block& block, Valid& valid) {
    for (const Part& part : block.parts) {
      if (const auto* loop = std::get_if<Loop>(&part)) {
        walk(*loop, valid);
      } else if (const auto* branch = std::get_if<Branch>(&part)) {
        walk(*branch, valid);
      } else {
        visit_slots(
            part, [&](int slot) { read(static_cast<std::size_t>(slot), valid); },
            [&](int slot) { write(static_cast<std::size_t>(slot), valid); });
        if (const auto* call = std::get_if<Call>(&part)) write(*call, valid);
      }
    }
  }
  static Valid meet(const Valid& a, const Valid& b) {
    Valid both(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) both[i] = a[i] && b[i];
    return both;
  }

  LoopGraph& graph_;
  std::vector<std::vector<std::size_t>> overlaps_;
  bool changed_ = false;
};

template <class Use>
void each_overlapped(LoopGraph& graph, const Range& range, const Use& use) {
  for (std::size_t i = 0; i < graph.slots.size(); ++i)
    if (graph.slots[i].range().overlaps(range)) use(i);
}

// Memory that machine code or a called step reaches in another way than by slots.
void mark_memory(LoopGraph& graph, Part& part) {
  if (auto* window = std::get_if<Window>(&part)) {
    each_overlapped(graph, window->array,
                    [&](std::size_t slot) { graph.slots[slot].in_memory = true; });
  } else if (auto* call = std::get_if<Call>(&part)) {
    for (const Range& range : call->reads)
      each_overlapped(graph, range,
                      [&](std::size_t slot) { graph.slots[slot].stored_at_once = true; });
    for (const Range& range : call->writes)
      each_overlapped(graph, range, [&](std::size_t slot) {
        if (!range.holds(graph.slots[slot].range())) return;
        call->results.push_back(static_cast<int>(slot));
        graph.slots[slot].is_written = true;
      });
  }
}

// A segment is a run of parts without control flow.
void mark_needed(LoopGraph& graph, const Block& block) {
  std::vector<bool> written(graph.slots.size(), false);
  for (const Part& part : block.parts) {
    visit_slots(
        part,
        [&](int slot) {
          const auto i = static_cast<std::size_t>(slot);
          // The value that a loop tests is of its condition, and counted there.
          if (!written[i] && !std::holds_alternative<Loop>(part)) graph.slots[i].is_needed = true;
        },
        [&](int slot) { written[static_cast<std::size_t>(slot)] = true; });
    if (std::holds_alternative<Loop>(part) || std::holds_alternative<Branch>(part))
      written.assign(written.size(), false);
  }
}

void mark_tested(LoopGraph& graph, const Loop& loop) {
  // It is needed after its block unless the last segment has made it.
  if (loop.predicate.is_constant()) return;
  for (const Part& part : std::views::reverse(graph.blocks[loop.condition].parts)) {
    if (std::holds_alternative<Loop>(part) || std::holds_alternative<Branch>(part)) break;
    bool is_made = false;
    visit_slots(
        part, [](int) {}, [&](int slot) { is_made = is_made || slot == loop.predicate.slot; });
    if (is_made) return;
  }
  graph.slots[static_cast<std::size_t>(loop.predicate.slot)].is_needed = true;
}

}  // namespace

void place_slots(LoopGraph& graph) {
  for (Block& block : graph.blocks)
    for (Part& part : block.parts) mark_memory(graph, part);
  for (Slot& slot : graph.slots) {
    slot.leaves = slot.is_written && std::ranges::any_of(graph.outputs, [&](const Range& output) {
                    return slot.range().overlaps(output);
                  });
  }
  Walk walk(graph);
  while (walk.run()) {
  }
  for (const Block& block : graph.blocks) {
    mark_needed(graph, block);
    for (const Part& part : block.parts)
      if (const auto* loop = std::get_if<Loop>(&part)) mark_tested(graph, *loop);
  }
  mark_tested(graph, graph.loop);
  for (Slot& slot : graph.slots) {
    if (slot.in_memory || slot.stored_at_once) slot.leaves = false;
    slot.is_needed = slot.is_needed || slot.leaves;
  }
}

}  // namespace understudy::worker::ops::machine
