// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/bound_code.h"

#include <algorithm>

#include "worker/chip/executor.h"

namespace understudy::worker {

BoundSteps::BoundSteps(std::vector<BoundStep> all)
    : steps(std::move(all)),
      is_quick(std::ranges::all_of(steps, &BoundStep::is_quick)),
      instructions(static_cast<std::uint64_t>(
          std::ranges::count_if(steps, [](const BoundStep& step) { return step.ends; }))) {}

// As in the executor: the operation is named before it runs, and counted once it is complete. Only
// this thread writes the cell, so the count is kept outside of it and stored.
void run_steps(const BoundSteps& steps, Execution& execution) {
  configs::StatusCell* const status = execution.status;
  if (status == nullptr || steps.linked.empty()) return steps.run_quickly(execution);
  if (steps.is_quick) {
    status->op.store(steps.linked[0].instruction->op + 1, std::memory_order_relaxed);
    steps.run_quickly(execution);
    execution.instructions_done += steps.instructions;
    status->instructions.store(execution.instructions_done, std::memory_order_relaxed);
    return;
  }
  for (const LinkedStep& step : steps.linked) {
    status->op.store(step.instruction->op + 1, std::memory_order_relaxed);
    step.run(step, execution);
    if (step.ends)
      status->instructions.store(++execution.instructions_done, std::memory_order_relaxed);
  }
}

namespace {

// In the order of BoundBase.
std::vector<std::byte*> bases_of(const BoundCode& code, Execution& execution) {
  std::vector<std::byte*> bases(kFirstArgument);
  bases[kTemporaries] = execution.temporaries;
  // Nothing is written through these two kinds: check_bounds() has refused such an output.
  bases[kConstants] = const_cast<std::byte*>(execution.constants);
  bases[kHostTemporaries] = execution.host;
  bases[kBoundScratch] = execution.vmem->take(code.scratch_bytes);
  for (const std::byte* argument : execution.arguments)
    bases.push_back(const_cast<std::byte*>(argument));
  bases.insert(bases.end(), execution.results.begin(), execution.results.end());
  return bases;
}

void link(BoundSteps& steps, const std::vector<std::byte*>& bases) {
  const auto address = [&](const BoundPlace& place) { return bases[place.base] + place.offset; };
  // What a step is does not change from launch to launch.
  if (steps.linked.empty())
    for (const BoundStep& step : steps.steps) steps.linked.push_back({step, {}, nullptr});
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    const BoundStep& from = steps.steps[i];
    LinkedStep& to = steps.linked[i];
    for (std::size_t k = 0; k < from.in.size(); ++k) to.in[k] = address(from.in[k]);
    to.out = address(from.out);
  }
}

}  // namespace

void run(BoundCode& code, Execution& execution) {
  if (execution.watch != nullptr || execution.fallback != nullptr)
    return run(code.executable->code, execution);
  const Vmem::Scope scratch(*execution.vmem);
  const std::vector<std::byte*> bases = bases_of(code, execution);
  for (BoundSteps& list : code.lists) link(list, bases);
  link(code.first, bases);
  execution.bases = bases.data();
  if (execution.status != nullptr)
    execution.instructions_done = execution.status->instructions.load(std::memory_order_relaxed);
  // They belong to instructions that count when the loop runs them.
  for (const LinkedStep& step : code.first.linked) step.run(step, execution);
  run_steps(*code.steps, execution);
}

}  // namespace understudy::worker
