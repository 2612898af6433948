// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "worker/executor.h"
#include "worker/ops/operands.h"
#include "worker/ops/ops.h"

namespace understudy::worker::ops {

void run(const program::While& work, const Instruction&, Execution& execution) {
  while (true) {
    worker::run(work.condition, execution);
    if (*execution.address(work.predicate.at) == std::byte{0}) return;
    worker::run(work.body, execution);
  }
}

void run(const program::Case& work, const Instruction& instruction, Execution& execution) {
  const Operand& index = instruction.inputs[0];
  const auto last = static_cast<std::int64_t>(work.branches.size()) - 1;
  std::int64_t branch = integer_at(index, execution);
  if (index.type.element == program::ElementType::pred) branch = branch != 0 ? 0 : 1;
  if (branch < 0 || branch > last) branch = last;
  worker::run(work.branches[static_cast<std::size_t>(branch)], execution);
}

void run(const program::Collective& work, const Instruction& instruction, Execution& execution) {
  UNDERSTUDY_ASSERT(execution.collectives != nullptr);
  execution.collectives->run(work, instruction, execution);
}

void run(const program::CollectiveDone& work, const Instruction&, Execution& execution) {
  UNDERSTUDY_ASSERT(execution.collectives != nullptr);
  execution.collectives->run(work);
}

void run(const program::Transfer& work, const Instruction& instruction, Execution& execution) {
  UNDERSTUDY_ASSERT(execution.collectives != nullptr);
  execution.collectives->run(work, instruction, execution);
}

void run(const program::InfeedTurn& work, const Instruction& instruction, Execution& execution) {
  const std::int64_t turn =
      execution.infeed_turn ? execution.infeed_turn() : execution.own_infeed_turns++;
  const auto length = static_cast<std::int64_t>(work.fits.size());
  if (turn >= length)
    throw Error(ErrorKind::input, fmt::format("infeed {} of a queue of {}", turn + 1, length));
  if (!work.fits[static_cast<std::size_t>(turn)])
    throw Error(ErrorKind::input, fmt::format("infeed {} gets values of another type", turn + 1));
  const auto value = static_cast<std::int32_t>(turn);
  std::memcpy(execution.writable(instruction.outputs[0].at), &value, sizeof value);
}

}  // namespace understudy::worker::ops
