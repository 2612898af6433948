// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/executor.h"

#include <variant>

#include "configs/base/error.h"
#include "worker/chip/host_fallback.h"
#include "worker/chip/ops.h"

namespace understudy::worker {

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
    case program::Space::frame:
      return frame + buffer.offset * lanes;
    default:
      UNDERSTUDY_ASSERT(buffer.space == program::Space::result);
      return nullptr;
  }
}

void run(const program::Code& code, Execution& execution) {
  configs::StatusCell* const status = execution.status;
  for (const program::Instruction& instruction : code) {
    if (status != nullptr) status->op.store(instruction.op + 1, std::memory_order_relaxed);
    const Vmem::Scope scratch(*execution.vmem);
    const bool on_host = execution.fallback != nullptr && execution.fallback->takes(instruction.op);
    if (on_host) execution.fallback->fetch(instruction, execution);
    std::visit([&](const auto& work) { ops::run(work, instruction, execution); }, instruction.work);
    if (on_host) execution.fallback->put_back(instruction, execution);
    if (status != nullptr) status->instructions.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace understudy::worker
