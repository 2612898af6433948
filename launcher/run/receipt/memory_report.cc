// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/memory_report.h"

#include <fmt/format.h>

#include "configs/base/units.h"
#include "program/executable/memory_plan.h"

namespace understudy::launcher {

configs::PlannedMemory planned_memory(const LoadedProgram& program) {
  const program::MemoryPlan plan =
      program::memory_plan(program::compile(*program.module, program.options));
  configs::PlannedMemory memory;
  memory.hbm_peak_bytes = plan.hbm();
  memory.arguments_bytes = plan.arguments;
  memory.results_bytes = plan.results;
  memory.temporaries_bytes = plan.temporaries;
  memory.constants_bytes = plan.constants;
  memory.instructions_bytes = plan.instructions;
  memory.donated_bytes = plan.donated;
  memory.host_bytes = plan.host;
  return memory;
}

std::string memory_text(const configs::PlannedMemory& memory, std::uint64_t hbm_bytes) {
  std::string text = fmt::format(
      "HBM of each chip: {} predicted of {}: arguments {}, results {}, temporaries {}, code {}",
      bytes_text(memory.hbm_peak_bytes), bytes_text(hbm_bytes), bytes_text(memory.arguments_bytes),
      bytes_text(memory.results_bytes), bytes_text(memory.temporaries_bytes),
      bytes_text(memory.constants_bytes + memory.instructions_bytes));
  if (memory.donated_bytes > 0)
    text += fmt::format("\nresults in donated arguments: {}", bytes_text(memory.donated_bytes));
  if (memory.host_bytes > 0)
    text += fmt::format("\nhost memory for each chip: {}", bytes_text(memory.host_bytes));
  return text;
}

}  // namespace understudy::launcher
