// SPDX-License-Identifier: Apache-2.0
// The node that each temporary and result holds while code is followed. A scope records what it
// changes, so following a loop or branch costs as much as it writes, not as much as the program
// has. Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/analysis/node.h"
#include "program/passes/draft.h"

namespace understudy::program::analysis {

class Memory {
 public:
  using Place = std::size_t;  // temporaries by index, then results

  struct Change {
    Place place = 0;
    NodePointer before = nullptr;  // nullptr: nothing was there
  };

  Memory(std::size_t temporaries, std::size_t results)
      : temporaries_(temporaries),
        held_(temporaries + results, nullptr),
        noted_(temporaries + results, 0) {}

  Place temporary(std::uint32_t index) const { return index; }
  Place result(std::size_t index) const { return temporaries_ + index; }

  NodePointer at(Place place) const { return held_[place]; }
  void set(Place place, NodePointer node) {
    note(place, held_[place]);
    held_[place] = node;
  }

  // Scopes nest. leave() ends the innermost one and returns each place that was set in it, once,
  // with its previous content; the places then count as set in the surrounding scope.
  void enter() { scopes_.push_back({++last_scope_, {}}); }
  std::vector<Change> leave();

 private:
  struct Noted : Change {
    std::uint64_t outer = 0;  // the scope that noted the place before this one
  };
  struct Scope {
    std::uint64_t number = 0;
    std::vector<Noted> changes;
  };

  // Each scope notes a place once, with what it held when the scope began.
  void note(Place place, NodePointer before) {
    if (scopes_.empty() || noted_[place] >= scopes_.back().number) return;
    scopes_.back().changes.push_back({{place, before}, noted_[place]});
    noted_[place] = scopes_.back().number;
  }

  std::size_t temporaries_;
  std::vector<NodePointer> held_;
  std::vector<std::uint64_t> noted_;  // the innermost scope that noted the place; 0: none
  std::vector<Scope> scopes_;
  std::uint64_t last_scope_ = 0;
};

// True if writing this operand replaces all of the previous content.
bool covers(const passes::Draft& draft, const Instruction& instruction, const Operand& out);

}  // namespace understudy::program::analysis
