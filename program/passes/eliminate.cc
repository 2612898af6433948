// SPDX-License-Identifier: Apache-2.0
// Dead code: backwards from the results. Every temporary is defined before the code that reads it,
// so one walk suffices; what a loop carries is alive when the loop is.
#include <algorithm>
#include <variant>

#include "program/passes/draft.h"

namespace understudy::program::passes {

namespace {

class Sweep {
 public:
  explicit Sweep(std::size_t temporaries) : live_(temporaries, false) {}

  void run(Code& code) {
    std::vector<bool> needed(code.size(), false);
    for (std::size_t i = code.size(); i-- > 0;) {
      if (!is_needed(code[i])) continue;
      needed[i] = true;
      keep(code[i]);
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (!needed[i]) continue;
      if (next != i) code[next] = std::move(code[i]);
      ++next;
    }
    code.resize(next);
  }

 private:
  bool is_needed(const Instruction& instruction) const {
    const bool writes = std::ranges::any_of(instruction.outputs, [&](const Operand& out) {
      if (out.type.elements() == 0 && !std::holds_alternative<While>(instruction.work))
        return false;
      return out.at.space != Space::temporary || live_[out.at.index];
    });
    return writes || holds_effect(instruction);
  }

  void mark(const Operand& operand) {
    if (operand.at.space == Space::temporary) live_[operand.at.index] = true;
  }

  void keep(Instruction& instruction) {
    for (const Operand& out : instruction.outputs) mark(out);
    if (auto* loop = std::get_if<While>(&instruction.work)) {
      run(loop->body);
      mark(loop->predicate);
      run(loop->condition);
    } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
      for (Code& code : branch->branches) run(code);
    } else {
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
