// SPDX-License-Identifier: Apache-2.0
// Overlap of collectives and computation, one list of instructions at a time: a collective is
// entered where it stands and ended where somebody first needs what it touches, or at the end of
// the list. Between the two the chip computes, or is in other collectives; peers that wait do its
// share of the work. Equivalents: XLA's async collective creator and latency-hiding scheduler.
#include <algorithm>
#include <bitset>

#include "program/passes/draft.h"

namespace understudy::program::passes {

namespace {

using Operands = std::vector<Operand>;

bool is_branching(const Instruction& instruction) {
  return std::holds_alternative<While>(instruction.work) ||
         std::holds_alternative<Case>(instruction.work);
}

// What moves data by a known reducer, or by none.
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

class Overlapper {
 public:
  void run(Code& code) {
    for (std::size_t i = 0; i < code.size(); ++i) {
      end_those_before(code[i]);
      const bool has_company =
          i + 1 < code.size() && !depends(code[i + 1], code[i]) && !ends_all(code[i + 1]);
      if (can_be_entered(code[i]) && has_company) enter(code[i]);
      done_.push_back(std::move(code[i]));
    }
    for (Instruction& end : open_) done_.push_back(std::move(end));
    code = std::move(done_);
  }

 private:
  // Nothing is under way across collectives of an inner list, which have their own use of the
  // lanes, nor while this chip waits for a message of the program.
  static bool ends_all(const Instruction& instruction) {
    return std::holds_alternative<Transfer>(instruction.work) ||
           (is_branching(instruction) && holds_effect(instruction));
  }

  void end_those_before(const Instruction& instruction) {
    std::erase_if(open_, [&](Instruction& end) {
      if (!ends_all(instruction) && !depends(instruction, whole_of(end))) return false;
      used_.reset(std::get<CollectiveDone>(end.work).lane);
      done_.push_back(end);
      return true;
    });
  }

  // What an end stands for: its inputs are operands, then results.
  static Instruction whole_of(const Instruction& end) {
    const auto half = static_cast<std::ptrdiff_t>(end.inputs.size() / 2);
    return {end.work, Operands(end.inputs.begin(), end.inputs.begin() + half),
            Operands(end.inputs.begin() + half, end.inputs.end()), end.op};
  }

  void enter(Instruction& instruction) {
    std::uint32_t lane = 1;
    while (lane <= kAsyncLanes && used_[lane]) ++lane;
    if (lane > kAsyncLanes) return;
    used_.set(lane);
    std::get<Collective>(instruction.work).lane = lane;
    Instruction end{CollectiveDone{lane}, instruction.inputs, {}, instruction.op};
    end.inputs.insert(end.inputs.end(), instruction.outputs.begin(), instruction.outputs.end());
    open_.push_back(std::move(end));
  }

  Code done_;
  std::vector<Instruction> open_;  // the ends still to come, in the order of their entries
  std::bitset<kAsyncLanes + 1> used_;
};

void overlap_in(Code& code) {
  for (Instruction& instruction : code) {
    if (auto* loop = std::get_if<While>(&instruction.work)) {
      overlap_in(loop->condition);
      overlap_in(loop->body);
    } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
      for (Code& nested : branch->branches) overlap_in(nested);
    }
  }
  Overlapper().run(code);
}

}  // namespace

void overlap_collectives(Draft& draft) { overlap_in(draft.code); }

}  // namespace understudy::program::passes
