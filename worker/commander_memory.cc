// SPDX-License-Identifier: Apache-2.0
// The account of a chip's memory: what the plan says before each launch, and what was observed.
#include <algorithm>

#include "program/ir/sizes.h"
#include "worker/commander.h"

namespace understudy::worker {

// A program was loaded: its launch needs at least this.
void Commander::note_plan(const program::MemoryPlan& plan) {
  if (plan.hbm() < memory_.hbm_predicted) return;
  memory_.hbm_predicted = plan.hbm();
  memory_.hbm_conditional = plan.conditional;
  memory_.hbm_regions = plan.regions;
}

// The need of the launch that comes: its own, and what the run keeps beside it, such as the code of
// other programs. From types and plans alone, not from the allocator. *Requires*: its arguments and
// results are held.
void Commander::predict(const Loaded& loaded) {
  std::uint64_t bytes = loaded.memory.temporaries;
  for (const auto& [name, program] : programs_)
    bytes = program::sum_of_bytes(bytes, program.memory.code());
  for (const auto& [name, buffer] : buffers_)
    bytes = program::sum_of_bytes(bytes, static_cast<std::uint64_t>(buffer.type.bytes()));
  if (bytes < memory_.hbm_predicted) return;
  memory_.hbm_predicted = bytes;
  memory_.hbm_conditional = loaded.memory.conditional;
  memory_.hbm_regions = programs_.size() + buffers_.size() + 1;
}

configs::MemorySeen Commander::memory_seen() const {
  configs::MemorySeen seen = memory_;
  const Hbm& hbm = setup_.chip.hbm;
  seen.hbm_allocated = std::max(hbm.peak(), client_peak_);
  seen.hbm_capacity = hbm.capacity();
  seen.hbm_observed = *seen.hbm_allocated;
  if (const auto populated = setup_.populated ? setup_.populated() : std::nullopt) {
    seen.hbm_observed = populated->bytes;
    seen.page_bytes = populated->page_bytes;
  }
  // A host process places its buffers itself: only the largest of its programs is predicted.
  if (client_peak_ > 0) seen.hbm_regions.reset();
  return seen;
}

}  // namespace understudy::worker
