// SPDX-License-Identifier: Apache-2.0
// What each temporary and result of a program holds while its code is followed. A scope notes what
// it changes, so that following a loop or a branch costs what it writes, not what there is.
// Thread-compatible.
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

  // Scopes nest. leave() ends the innermost and returns each place that was set in it once, with
  // what was there before; the scope around it has set those places too.
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

// Whether an instruction that writes this operand leaves nothing of what was there.
bool covers(const passes::Draft& draft, const Instruction& instruction, const Operand& out);

}  // namespace understudy::program::analysis
