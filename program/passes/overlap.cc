// SPDX-License-Identifier: Apache-2.0
// Overlaps collectives with computation, one list of instructions at a time. A collective is
// entered where it stands. A CollectiveDone ends it before the first instruction that needs what it
// touches, or at the end of the list. In between, the chip computes or enters further collectives;
// peers that wait do its share of the work. Equivalents: XLA's async collective creator and
// latency-hiding scheduler.
//
// Lanes 1 to kAsyncLanes number the collectives under way at one time; lane 0 means synchronous.
// Every chip runs the same code, so all chips assign the same lane to the same collective.
#include <algorithm>
#include <bitset>

#include "program/passes/draft.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

bool is_branching(const Instruction& instruction) {
  return std::holds_alternative<While>(instruction.work) ||
         std::holds_alternative<Case>(instruction.work);
}

// Collectives that need no callback into the executor: a known reduction, or none. A reducer body
// would have to run on the chip while it executes other instructions. Permutes and all_to_alls stay
// synchronous.
bool can_be_entered(const Instruction& instruction) {
  const auto* const work = std::get_if<Collective>(&instruction.work);
  if (work == nullptr) return false;
  switch (work->kind) {
    case CollectiveKind::all_reduce:
    case CollectiveKind::reduce_scatter:
      return work->reduction != Reduction::none;
    case CollectiveKind::all_gather:
      return true;
    default:
      return false;
  }
}

// The CollectiveDone of a collective under way, and the owner number under which touched_ knows it.
struct Open {
  Instruction end;
  std::size_t entry = 0;
};

class Overlapper {
 public:
  void run(Code& code) {
    for (std::size_t i = 0; i < code.size(); ++i) {
      end_those_before(code[i]);
      // Splitting pays only if the next instruction can run in between. The last instruction
      // of a list never splits.
      // An immediate user would end the collective at once: an entry and an end cost more than one
      // call.
      const bool can_overlap = can_be_entered(code[i]) && i + 1 < code.size() &&
                               !ends_all(code[i + 1]) && !depends(code[i + 1], code[i]);
      if (can_overlap) enter(code[i]);
      done_.push_back(std::move(code[i]));
    }
    // Whatever is still under way ends with its list.
    for (Open& open : open_) done_.push_back(std::move(open.end));
    code = std::move(done_);
  }

 private:
  // All collectives end before nested code that holds effects (its own collectives use the same
  // lanes) and before a send or receive (a peer could wait in the collective that this chip has
  // not finished while this chip waits for that peer's message).
  static bool ends_all(const Instruction& instruction) {
    return std::holds_alternative<Transfer>(instruction.work) ||
           (is_branching(instruction) && holds_effect(instruction));
  }

  void end_those_before(const Instruction& instruction) {
    if (open_.empty()) return;
    const bool all = ends_all(instruction);
    const std::vector<std::size_t> met = touched_.take_met_by(instruction);
    // In order of entry, so that every chip ends the same collectives in the same order.
    std::erase_if(open_, [&](Open& open) {
      if (!all && std::ranges::find(met, open.entry) == met.end()) return false;
      used_.reset(std::get<CollectiveDone>(open.end.work).lane);
      done_.push_back(std::move(open.end));
      return true;
    });
  }

  // With all lanes in use the collective stays synchronous: waiting for a lane would end an older
  // collective earlier than needed.
  void enter(Instruction& instruction) {
    std::uint32_t lane = 1;
    while (lane <= kAsyncLanes && used_[lane]) ++lane;
    if (lane > kAsyncLanes) return;
    used_.set(lane);
    std::get<Collective>(instruction.work).lane = lane;
    // The end lists the operands as inputs too, and the results. The liveness analysis in
    // plan.cc then keeps the operands' buffers alive while peers still read them.
    Instruction end{CollectiveDone{lane}, instruction.inputs, {}, instruction.op};
    end.inputs.insert(end.inputs.end(), instruction.outputs.begin(), instruction.outputs.end());
    open_.push_back({std::move(end), ++entries_});
    touched_.add(instruction, entries_);
  }

  Code done_;
  std::vector<Open> open_;  // in the order of their entries
  std::size_t entries_ = 0;
  Touched touched_;  // by what was entered
  std::bitset<kAsyncLanes + 1> used_;
};

// Each list uses the lanes on its own: ends_all() keeps lists with collectives apart.
void overlap_in(Code& code) {
  // Nested lists first; their lanes are free again when this list goes on.
  for (Instruction& instruction : code)
    for_each_nested(instruction, [](Code& nested) { overlap_in(nested); });
  Overlapper().run(code);
}

}  // namespace

void overlap_collectives(Draft& draft) { overlap_in(draft.code); }

}  // namespace understudy::program::passes
