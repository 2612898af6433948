// SPDX-License-Identifier: Apache-2.0
#include "program/passes/values.h"

#include <algorithm>

namespace understudy::program::passes {

Writes::Writes(const Draft& draft) : bytes_(draft.bytes) {
  for (const Instruction& instruction : draft.code)
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      if (operand.at.space == Space::temporary && access == Access::write)
        ++writes_[operand.at.index];
    });
}

bool Writes::is_value(const Operand& written) const {
  return written.at.space == Space::temporary && written.at.offset == 0 &&
         writes_.at(written.at.index) == 1 &&
         bytes_[written.at.index] == static_cast<std::uint64_t>(written.type.bytes());
}

bool Writes::is_stable(const Buffer& read) const {
  if (read.space == Space::argument || read.space == Space::constant) return true;
  if (read.space != Space::temporary) return false;
  const auto found = writes_.find(read.index);
  return found != writes_.end() && found->second == 1;
}

std::unordered_set<std::uint32_t> written_by(const Instruction& instruction) {
  std::unordered_set<std::uint32_t> written;
  visit_operands(instruction, [&](const Operand& operand, Access access) {
    if (operand.at.space == Space::temporary && access == Access::write)
      written.insert(operand.at.index);
  });
  return written;
}

bool is_pure(const Instruction& instruction) {
  return !holds_effect(instruction) && !std::holds_alternative<While>(instruction.work) &&
         !std::holds_alternative<Case>(instruction.work) &&
         !std::holds_alternative<Rng>(instruction.work);
}

bool is_inflating(const Instruction& instruction) {
  std::int64_t in = 0, out = 0;
  for (const Operand& operand : instruction.inputs) in += operand.type.bytes();
  for (const Operand& operand : instruction.outputs) out += operand.type.bytes();
  return out > in;
}

}  // namespace understudy::program::passes
