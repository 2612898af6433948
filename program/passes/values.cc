// SPDX-License-Identifier: Apache-2.0
#include "program/passes/values.h"

#include <algorithm>

namespace understudy::program::passes {

namespace {

// A branch may not run, a loop may not end; Rng gives other numbers each time; padding and slices
// whose sizes a run finds end it where they do not fit.
bool is_pure(const Instruction& instruction) {
  return !holds_effect(instruction) && !std::holds_alternative<DynamicPad>(instruction.work) &&
         !std::holds_alternative<RealDynamicSlice>(instruction.work) &&
         !std::holds_alternative<While>(instruction.work) &&
         !std::holds_alternative<Case>(instruction.work) &&
         !std::holds_alternative<Rng>(instruction.work);
}

bool is_inflating(const Instruction& instruction) {
  std::int64_t in = 0, out = 0;
  for (const Operand& operand : instruction.inputs) in += operand.type.bytes();
  for (const Operand& operand : instruction.outputs) out += operand.type.bytes();
  return out > in;
}

// What a reducer captures is read at its own time, not where the instruction stands.
bool bodies_are_closed(const Instruction& instruction) {
  bool closed = true;
  for (const Body* const body : bodies_of(instruction)) {
    const auto look = [&](const Operand& operand, Access) {
      closed = closed && operand.at.space != Space::temporary;
    };
    for (const Operand& result : body->results) look(result, Access::read);
    for (const Instruction& inner : body->code) visit_operands(inner, look);
  }
  return closed;
}

}  // namespace

Writes::Writes(const Draft& draft) : bytes_(draft.bytes) {
  for (const Instruction& instruction : draft.code)
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      if (operand.at.space != Space::temporary) return;
      Counts& of = counts_[operand.at.index];
      ++of.uses;
      if (access == Access::write) ++of.writes;
    });
}

std::map<std::uint32_t, Accesses> accesses_in(const Code& code) {
  std::map<std::uint32_t, Accesses> all;
  for (std::size_t i = 0; i < code.size(); ++i)
    visit_operands(code[i], [&](const Operand& operand, Access access) {
      if (operand.at.space != Space::temporary) return;
      Accesses& of = all[operand.at.index];
      (access == Access::write ? of.writes : of.reads).push_back(i);
    });
  return all;
}

bool Writes::is_value(const Operand& written) const {
  return written.at.space == Space::temporary && written.at.offset == 0 &&
         counts_.at(written.at.index).writes == 1 &&
         bytes_[written.at.index] == static_cast<std::uint64_t>(written.type.bytes());
}

bool Writes::is_stable(const Buffer& read) const {
  if (read.space == Space::argument || read.space == Space::constant) return true;
  if (read.space != Space::temporary) return false;
  const auto found = counts_.find(read.index);
  return found != counts_.end() && found->second.writes == 1;
}

std::unordered_set<std::uint32_t> written_by(const Instruction& instruction) {
  std::unordered_set<std::uint32_t> written;
  visit_operands(instruction, [&](const Operand& operand, Access access) {
    if (operand.at.space == Space::temporary && access == Access::write)
      written.insert(operand.at.index);
  });
  return written;
}

bool runs_where_it_stands(const Instruction& instruction) {
  return !holds_effect(instruction) && !std::holds_alternative<While>(instruction.work) &&
         !std::holds_alternative<Case>(instruction.work) &&
         !std::holds_alternative<LocateSlice>(instruction.work);
}

bool is_function_of_inputs(const Instruction& instruction) {
  return !instruction.outputs.empty() && is_pure(instruction) && bodies_are_closed(instruction);
}

bool may_move(const Instruction& instruction) {
  return is_function_of_inputs(instruction) && !is_inflating(instruction);
}

}  // namespace understudy::program::passes
