// SPDX-License-Identifier: Apache-2.0
// Follows lowered code and keeps the node that each buffer holds: the abstract interpreter behind
// flow_of(). Straight code is in follower.cc, loops and branches in follower_loops.cc. Used once;
// thread-compatible.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "program/analysis/flow.h"
#include "program/analysis/memory.h"
#include "program/analysis/tracking.h"

namespace understudy::program::analysis {

class Follower {
 public:
  Follower(const passes::Draft& draft, const Interface& interface);

  void follow(const Code& code);
  // Moves all out. Call last.
  Flow take();

 private:
  using Place = Memory::Place;

  NodePointer add(Node node);
  NodePointer held(Place place) const;
  Place place_of(const Operand& operand) const;
  NodePointer read(const Operand& operand) const;
  void write(const Instruction& instruction, const Operand& out, NodePointer fresh);
  std::vector<NodePointer> inputs_of(const Instruction& instruction) const;
  void follow(const Instruction& instruction);

  // ---- loops
  // What a place holds at the start of each round: its value before the round joined with the
  // value after it. The predicate takes part, as it decides how many rounds run.
  struct Carried {
    Place place = 0;
    Node node;
    bool is_fixed = false;  // the round said nothing new
  };
  // How much of a loop is still followed exactly.
  enum class Effort : std::uint8_t {
    exact,
    widen_changing,  // a value that still changes may differ on every process
    widen_all        // so may every carried value: the next round is the last
  };
  Effort effort(int round, int widened) const;
  void follow_loop(const While& loop, const Instruction& instruction);
  std::vector<Carried> joined(const While& loop, const std::vector<Memory::Change>& changes,
                              Effort effort);
  void close(const Instruction& instruction, std::vector<Carried> carried);
  void start_again(std::size_t first, const std::vector<Memory::Change>& changes,
                   const std::unordered_map<Place, NodePointer>& origins,
                   const std::vector<Carried>& carried);
  void resume(const Instruction& loop);

  void follow_branches(const Case& branch, const Instruction& instruction);

  const passes::Draft& draft_;
  const Interface& interface_;
  std::size_t processes_;
  Classes uniform_;
  Tracking tracking_;
  std::deque<Node> nodes_;
  NodePointer constant_;
  std::vector<NodePointer> arguments_;
  Memory memory_;
  std::map<const Instruction*, NodePointer> collectives_;
  struct Left {
    Place place = 0;
    Classes classes;
    bool touched = false;
    Track track;
  };
  std::unordered_map<const Instruction*, std::vector<Left>> left_;  // by loops
  Classes reached_;  // processes of one class take the same way
  std::unordered_set<const Instruction*> diverged_;
  std::vector<Divergence> divergences_;
  std::uint64_t visits_ = 0;       // of instructions
  std::uint64_t late_visits_ = 0;  // of them in rounds after the first few
  int most_rounds_ = 0;            // of one visit of one loop
};

}  // namespace understudy::program::analysis
