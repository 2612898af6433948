// SPDX-License-Identifier: Apache-2.0
// Control flow (while, case), and the ops that other parts of the worker execute: collectives,
// transfers and infeed turns.
#include "worker/ops/control.h"

#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <memory>

#include "configs/base/error.h"
#include "worker/chip/executor.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

LoopCount::LoopCount(configs::StatusCell* status, std::uint32_t op) : status_(status) {
  if (status_ == nullptr) return;
  auto& [outer, inner] = status_->loops;
  outermost_ = outer.op.load(std::memory_order_relaxed) == 0;
  before_ = {inner.op.load(std::memory_order_relaxed),
             inner.iterations.load(std::memory_order_relaxed)};
  op_ = op + 1;
  show({op_, 0});
}

std::size_t branch_of(const Instruction& instruction, std::size_t branches,
                      const Execution& execution) {
  const Operand& index = instruction.inputs[0];
  const auto last = static_cast<std::int64_t>(branches) - 1;
  std::int64_t branch = integer_at(index, execution);
  if (index.type.element == program::ElementType::pred) branch = branch != 0 ? 0 : 1;
  // StableHLO: an index out of range selects the last branch. `if` arrives as a case over a pred,
  // with the true branch first.
  if (branch < 0 || branch > last) branch = last;
  return static_cast<std::size_t>(branch);
}

void run(const program::While& work, const Instruction& instruction, Execution& execution) {
  // The predicate and the loop's variables are in fixed buffers; condition and body run in place.
  LoopCount count(execution.status, instruction.op);
  while (true) {
    worker::run(work.condition, execution);
    if (*execution.address(work.predicate.at) == std::byte{0}) return;
    count.add(1);
    worker::run(work.body, execution);
  }
}

void run(const program::Case& work, const Instruction& instruction, Execution& execution) {
  worker::run(work.branches[branch_of(instruction, work.branches.size(), execution)], execution);
}

void run(const program::Collective& work, const Instruction& instruction, Execution& execution) {
  UNDERSTUDY_ASSERT(execution.collectives != nullptr);
  std::shared_ptr<KeptCollective> for_now;
  execution.collectives->run(work, instruction, execution, for_now);
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
  // The queue is shared by all chips of a launch: each turn consumes one entry for the whole
  // launch.
  const std::int64_t turn =
      execution.infeed_turn ? execution.infeed_turn() : execution.own_infeed_turns++;
  const auto length = static_cast<std::int64_t>(work.fits.size());
  if (turn >= length)
    throw Error(ErrorKind::input,
                fmt::format("infeed {}: the queue has only {} entries", turn + 1, length));
  if (!work.fits[static_cast<std::size_t>(turn)])
    throw Error(ErrorKind::input,
                fmt::format("infeed {}: its queue entry has a different type", turn + 1));
  const auto value = static_cast<std::int32_t>(turn);
  std::memcpy(execution.writable(instruction.outputs[0].at), &value, sizeof value);
}

}  // namespace understudy::worker::ops
