// SPDX-License-Identifier: Apache-2.0
// Dead code elimination, backwards from the results. Every temporary is written before the code
// that reads it, so one backward walk finds all that is live. There is no fixed point: loop-carried
// values count as live whenever the loop is.
#include <algorithm>
#include <variant>

#include "program/passes/draft.h"

namespace understudy::program::passes {

namespace {

class Sweep {
 public:
  explicit Sweep(std::size_t temporaries) : live_(temporaries, false) {}

  void run(Code& code) {
    std::vector<bool> dead(code.size(), true);
    // Backwards: users are seen before what they use.
    for (std::size_t i = code.size(); i-- > 0;) {
      if (!is_needed(code[i])) continue;
      dead[i] = false;
      keep(code[i]);
    }
    remove_marked(code, dead);
  }

 private:
  // Writing anything but a dead temporary counts: results of the program are never dead. An
  // output without elements stores nothing, but a While whose carried values are all empty still
  // has to run its condition and body, which may hold effects.
  bool is_needed(const Instruction& instruction) const {
    // It carries nothing that changes, so it ends at once or never, which is for the run to show.
    if (std::holds_alternative<While>(instruction.work) && instruction.outputs.empty()) return true;
    const bool writes = std::ranges::any_of(instruction.outputs, [&](const Operand& out) {
      // An empty output needs nobody to compute it.
      if (out.type.elements() == 0 && !std::holds_alternative<While>(instruction.work))
        return false;
      return out.at.space != Space::temporary || live_[out.at.index];
    });
    return writes || holds_effect(instruction);
  }

  void mark(const Operand& operand) {
    if (operand.at.space == Space::temporary) live_[operand.at.index] = true;
  }

  // Nested code is swept after the uses that follow it. A loop's body is swept before its
  // condition: the body may read what the condition wrote in the same iteration, while the
  // condition sees the body only through the carried values, which are marked already.
  void keep(Instruction& instruction) {
    // A partial write keeps the rest of its buffer alive, so outputs are live as well.
    for (const Operand& out : instruction.outputs) mark(out);
    if (auto* loop = std::get_if<While>(&instruction.work)) {
      run(loop->body);
      mark(loop->predicate);
      run(loop->condition);
    } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
      for (Code& code : branch->branches) run(code);
    } else {
      // Bodies are small (reducers, comparators) and use frames; temporaries that they read
      // from outside must live.
      for (Body* body : bodies_of(instruction)) {
        for (const Operand& result : body->results) mark(result);
        for (Instruction& inner : body->code)
          visit_operands(inner, [&](Operand& operand, Access) { mark(operand); });
      }
    }
    for (const Operand& input : instruction.inputs) mark(input);
  }

  std::vector<bool> live_;
};

}  // namespace

void eliminate_dead_code(Draft& draft) { Sweep(draft.bytes.size()).run(draft.code); }

}  // namespace understudy::program::passes
