// SPDX-License-Identifier: Apache-2.0
#include "program/passes/liveness.h"

#include <algorithm>
#include <utility>

#include "configs/base/error.h"
#include "program/passes/slices.h"

namespace understudy::program::passes {

namespace {

class Liveness {
 public:
  explicit Liveness(std::size_t temporaries) : intervals_(temporaries) {}

  std::vector<Interval> run(const Code& code) {
    walk(code);
    offer_in_place();
    return std::move(intervals_);
  }

 private:
  struct Loop {
    std::uint32_t begin;
    std::vector<std::uint32_t> outer;  // temporaries from before the loop, read or written in it
  };
  struct Offer {
    std::uint32_t position, out, input;
  };

  void walk(const Code& code) {
    for (const Instruction& instruction : code) visit(instruction);
  }

  // A While reads its carried buffers before the first test of the condition, and its body writes
  // them last, so they are touched on both sides. Extra positions (++now_) separate the phases: a
  // temporary of the condition must not share a position with one of the body.
  void visit(const Instruction& instruction) {
    const std::uint32_t position = ++now_;
    slices_.note(instruction);
    for (const Operand& input : instruction.inputs) touch(input);
    if (const auto* loop = std::get_if<While>(&instruction.work)) {
      for (const Operand& carried : instruction.outputs) touch(carried);
      loops_.push_back({++now_, {}});
      walk(loop->condition);
      ++now_;
      // A pass that moves or replaces what makes the predicate must rename it here too.
      UNDERSTUDY_ASSERT(is_made(loop->predicate));
      touch(loop->predicate);
      walk(loop->body);
      for (const Operand& carried : instruction.outputs) touch(carried);
      leave_loop();
    } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
      for (const Code& nested : branch->branches) walk(nested);
      ++now_;
    } else {
      const auto touch_any = [&](const Operand& operand, Access) { touch(operand); };
      for (const Body* body : bodies_of(instruction)) {
        for (const Instruction& inner : body->code) visit_operands(inner, touch_any);
        for (const Operand& result : body->results) touch(result);
      }
      remember_offers(instruction, position);
    }
    for (const Operand& output : instruction.outputs) touch(output);
  }

  bool is_made(const Operand& operand) const {
    return operand.at.space != Space::temporary ||
           intervals_[operand.at.index].first != Interval::kNever;
  }

  void touch(const Operand& operand) {
    const Buffer at = slices_.array_of(operand.at);
    if (at.space != Space::temporary) return;
    Interval& interval = intervals_[at.index];
    if (interval.first == Interval::kNever) interval.first = now_;
    interval.last = std::max(interval.last, now_);
    // The temporary is older than some loop around this access. The next iteration will access
    // it again, so it must live to the end of the outermost such loop.
    const auto loop = std::ranges::upper_bound(loops_, interval.first, {}, &Loop::begin);
    if (loop != loops_.end()) loop->outer.push_back(at.index);
  }

  // leave_loop() runs after every access of the loop, so one assignment extends each of its outer
  // temporaries to the end.
  void leave_loop() {
    ++now_;
    const Loop loop = std::move(loops_.back());
    loops_.pop_back();
    for (const std::uint32_t id : loop.outer) intervals_[id].last = now_;
  }

  // Whether the input dies here is known only after the whole walk, so candidates are noted now
  // and decided in offer_in_place(). Offsets other than 0 are parts of a larger temporary, whose
  // remainder may still be in use.
  void remember_offers(const Instruction& instruction, std::uint32_t position) {
    const bool is_fused = std::holds_alternative<Fused>(instruction.work);
    if (instruction.outputs.size() != 1 && !is_fused) return;
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      const Operand& out = instruction.outputs[o];
      if (out.at.space != Space::temporary || out.at.offset != 0) continue;
      for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
        const Operand& in = instruction.inputs[i];
        if (in.at.space == Space::temporary && in.at.offset == 0 && in.at.index != out.at.index &&
            is_alone(instruction, i) && may_run_in_place(instruction, i, o))
          offers_.push_back({position, out.at.index, in.at.index});
      }
    }
  }

  // Requires that no other input reads the same temporary at another offset or shape: element i
  // of the output could be written before that input's element i is read. A dynamic_update_slice
  // copies a whole block and a scatter writes anywhere, so even an equal range is refused there.
  bool is_alone(const Instruction& instruction, std::size_t input) const {
    const Operand& in = instruction.inputs[input];
    const bool any_overlap = std::holds_alternative<DynamicUpdateSlice>(instruction.work) ||
                             std::holds_alternative<Scatter>(instruction.work);
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      const Operand& other = instruction.inputs[i];
      if (i == input || whole_of(slices_.array_of(other.at)) != whole_of(in.at)) continue;
      if (any_overlap || other.at.space == Space::slice || other.at.offset != in.at.offset ||
          other.type.shape != in.type.shape)
        return false;
    }
    return true;
  }

  // The first offer wins: an output has one buffer.
  void offer_in_place() {
    for (const Offer& offer : offers_) {
      Interval& out = intervals_[offer.out];
      if (out.takes_over == Interval::kNever && out.first == offer.position &&
          intervals_[offer.input].last == offer.position)
        out.takes_over = offer.input;
    }
  }

  std::vector<Interval> intervals_;
  std::vector<Loop> loops_;
  std::vector<Offer> offers_;
  SliceArrays slices_;
  std::uint32_t now_ = 0;
};

}  // namespace

std::vector<Interval> live_intervals(const Code& code, std::size_t temporaries) {
  return Liveness(temporaries).run(code);
}

}  // namespace understudy::program::passes
