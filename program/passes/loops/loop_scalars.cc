// SPDX-License-Identifier: Apache-2.0
#include "program/passes/loops/loop_scalars.h"

#include <cstring>
#include <vector>

#include "program/passes/constants/evaluate.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Instructions that the compiler runs for one loop: about 5 ms.
constexpr std::size_t kMostSteps = 1 << 16;

bool is_scalar(const Operand& operand) {
  return operand.type.elements() == 1 && operand.at.offset == 0;
}

// A copy of one element, whatever its kind.
bool copies_one(const Instruction& instruction) {
  if (std::holds_alternative<Fill>(instruction.work)) return true;
  const auto* const copy = std::get_if<StridedCopy>(&instruction.work);
  return copy != nullptr && copy->in_base == 0 && copy->out_base == 0;
}

}  // namespace

const std::byte* ScalarValues::bytes_of(const Operand& operand) const {
  if (operand.type.elements() != 1) return nullptr;
  if (operand.at.space == Space::constant) return draft_.constants.data() + operand.at.offset;
  if (operand.at.space != Space::temporary || operand.at.offset != 0) return nullptr;
  const auto found = known_.find(operand.at.index);
  return found == known_.end() ? nullptr : found->second.data();
}

bool ScalarValues::compute(const Instruction& instruction, std::byte* out) const {
  std::vector<const std::byte*> in;
  for (const Operand& input : instruction.inputs)
    if (in.push_back(bytes_of(input)); in.back() == nullptr) return false;
  if (in.empty()) return false;
  if (!copies_one(instruction)) return evaluate(instruction, kernels_, in, out);
  std::memcpy(out, in[0], byte_size(instruction.outputs[0].type.element));
  return true;
}

void ScalarValues::run(const Instruction& instruction) {
  Value value{};
  const bool one = instruction.outputs.size() == 1 && is_scalar(instruction.outputs[0]) &&
                   instruction.outputs[0].at.space == Space::temporary;
  if (one && compute(instruction, value.data())) {
    known_[instruction.outputs[0].at.index] = value;
    return;
  }
  for (const std::uint32_t written : written_by(instruction)) known_.erase(written);
}

std::optional<std::int64_t> ScalarValues::integer(const Operand& operand) const {
  const std::byte* const at = bytes_of(operand);
  const ElementType element = operand.type.element;
  if (at == nullptr || !(is_integer(element) || is_pred(element))) return std::nullopt;
  std::int64_t value = 0;
  kernels_.convert(element, ElementType::i64)(at, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

bool follow_loop(const While& loop, ScalarValues values, const LoopVisitor& visit) {
  for (std::size_t steps = 0; steps < kMostSteps;
       steps += 1 + loop.condition.size() + loop.body.size()) {
    for (const Instruction& instruction : loop.condition) values.run(instruction);
    const auto goes_on = values.integer(loop.predicate);
    if (!goes_on) return false;
    if (*goes_on == 0) return true;
    for (const Instruction& instruction : loop.body) {
      visit(instruction, values);
      values.run(instruction);
    }
  }
  return false;
}

}  // namespace understudy::program::passes
