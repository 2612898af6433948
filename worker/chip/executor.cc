// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/executor.h"

#include <variant>

#include "configs/base/error.h"
#include "worker/chip/host_fallback.h"
#include "worker/chip/non_finite.h"
#include "worker/chip/ops.h"

namespace understudy::worker {

// Executables hold (space, offset) pairs and no addresses; the base addresses are bound at launch.
// check_bounds() has verified every offset, so nothing is checked here.
const std::byte* Execution::address(const program::Buffer& buffer) const {
  switch (buffer.space) {
    case program::Space::argument:
      return arguments[buffer.index] + buffer.offset;
    case program::Space::constant:
      return constants + buffer.offset;
    default:
      return writable(buffer);
  }
}

std::byte* Execution::writable(const program::Buffer& buffer) const {
  switch (buffer.space) {
    case program::Space::result:
      return results[buffer.index] + buffer.offset;
    case program::Space::temporary:
      return temporaries + buffer.offset;
    case program::Space::host:
      return host + buffer.offset;
    case program::Space::slice:
      return slices[buffer.index] + buffer.offset;
    case program::Space::frame:
      // A frame is laid out value by value, each with `lanes` elements in a row, so that a body of
      // many lanes runs on the same vector kernels as whole arrays.
      return frame + buffer.offset * lanes;
    default:
      UNDERSTUDY_ASSERT(buffer.space == program::Space::result);
      return nullptr;
  }
}

// The status is written with relaxed stores: other processes read it as a hint about progress, and
// nothing else is published with it. The operation is named before it runs, so that a death inside
// it is attributed to it; the instruction counts once it is complete.
void run(const program::Code& code, Execution& execution) {
  configs::StatusCell* const status = execution.status;
  for (const program::Instruction& instruction : code) {
    if (status != nullptr) status->op.store(instruction.op + 1, std::memory_order_relaxed);
    // Scratch lives for one instruction.
    const Vmem::Scope scratch(*execution.vmem);
    const bool on_host = execution.fallback != nullptr && execution.fallback->takes(instruction);
    if (on_host) execution.fallback->fetch(instruction, execution);
    if (execution.watch != nullptr) execution.watch->before(instruction, execution);
    std::visit([&](const auto& work) { ops::run(work, instruction, execution); }, instruction.work);
    if (execution.watch != nullptr) execution.watch->after(instruction, execution);
    if (on_host) execution.fallback->put_back(instruction, execution);
    // Only this thread counts: a load and a store cost less than an atomic sum.
    if (status != nullptr)
      status->instructions.store(status->instructions.load(std::memory_order_relaxed) + 1,
                                 std::memory_order_relaxed);
  }
}

}  // namespace understudy::worker
