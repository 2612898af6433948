// SPDX-License-Identifier: Apache-2.0
// The lists of instructions inside of loops and branches. Bodies that run per element are not among
// them (bodies_of() of draft.h).
#pragma once

#include <utility>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Visits each list directly below the instruction, in the order in which they run: the condition of
// a loop before its body. `instruction` may be const.
template <class AnyInstruction, class Visit>
void for_each_nested(AnyInstruction& instruction, const Visit& visit) {
  if (auto* loop = std::get_if<While>(&instruction.work)) {
    visit(loop->condition);
    visit(loop->body);
  } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
    for (auto& code : branch->branches) visit(code);
  }
}

// Makes each list anew, inner ones first: append(instruction, code) puts what takes the place of an
// instruction, or the instruction itself, behind the code so far.
template <class Append>
void rebuild(Code& code, const Append& append) {
  Code all;
  std::swap(all, code);
  for (Instruction& instruction : all) {
    for_each_nested(instruction, [&](Code& nested) { rebuild(nested, append); });
    append(std::move(instruction), code);
  }
}

}  // namespace understudy::program::passes
