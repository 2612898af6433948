// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/bind.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <variant>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/binder.h"
#include "worker/ops/control.h"
#include "worker/ops/dot_plan.h"
#include "worker/ops/machine_code/machine_code.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// An instruction without a quicker form. Its scratch lives until it is done; bodies that it runs
// have counted their own instructions.
void run_whole(const LinkedStep& step, Execution& execution) {
  const Vmem::Scope scratch(*execution.vmem);
  const Instruction& instruction = *step.instruction;
  std::visit([&](const auto& work) { ops::run(work, instruction, execution); }, instruction.work);
  if (execution.status != nullptr)
    execution.instructions_done = execution.status->instructions.load(std::memory_order_relaxed);
}

void run_dot(const LinkedStep& step, Execution& execution) {
  const Vmem::Scope scratch(*execution.vmem);
  static_cast<const DotPlan*>(step.details)
      ->run(std::get<program::Dot>(step.instruction->work), *step.instruction, execution);
}

// What the runner keeps from launch to launch, which run one at a time.
struct BoundCollective {
  mutable std::shared_ptr<KeptCollective> kept;
};

void run_collective(const LinkedStep& step, Execution& execution) {
  UNDERSTUDY_ASSERT(execution.collectives != nullptr);
  const Vmem::Scope scratch(*execution.vmem);
  execution.collectives->run(std::get<program::Collective>(step.instruction->work),
                             *step.instruction, execution,
                             static_cast<const BoundCollective*>(step.details)->kept);
  // A reduction by a body of the program has counted the body's instructions.
  if (execution.status != nullptr)
    execution.instructions_done = execution.status->instructions.load(std::memory_order_relaxed);
}

// Runs a loop of short iterations: the status is updated once for kAtOnce of them.
void run_quick_while(const LinkedStep& step, const BoundLoop& loop, LoopCount& count,
                     Execution& execution) {
  constexpr std::uint64_t kAtOnce = 64;
  configs::StatusCell* const status = execution.status;
  if (status != nullptr && !loop.body->linked.empty())
    status->op.store(loop.body->linked[0].instruction->op + 1, std::memory_order_relaxed);
  for (bool more = true; more;) {
    std::uint64_t done = 0;
    for (; done < kAtOnce; ++done) {
      loop.condition->run_quickly(execution);
      more = *step.in[0] != std::byte{0};
      if (!more) break;
      loop.body->run_quickly(execution);
    }
    count.add(done);
    execution.instructions_done += done * (loop.condition->instructions + loop.body->instructions) +
                                   (more ? 0 : loop.condition->instructions);
    if (status != nullptr)
      status->instructions.store(execution.instructions_done, std::memory_order_relaxed);
  }
}

void run_while(const LinkedStep& step, Execution& execution) {
  const auto& loop = *static_cast<const BoundLoop*>(step.details);
  LoopCount count(execution.status, step.instruction->op);
  if (loop.condition->is_quick && loop.body->is_quick)
    return run_quick_while(step, loop, count, execution);
  while (true) {
    run_steps(*loop.condition, execution);
    if (*step.in[0] == std::byte{0}) return;
    count.add(1);
    run_steps(*loop.body, execution);
  }
}

void run_case(const LinkedStep& step, Execution& execution) {
  const auto& branches = *static_cast<const BoundBranches*>(step.details);
  run_steps(*branches[branch_of(*step.instruction, branches.size(), execution)], execution);
}

// Runs a branch of quick steps. Its instructions are counted here; the list that has the step
// counts the step itself.
void run_quick_branch(const BoundSteps& branch, Execution& execution) {
  branch.run_quickly(execution);
  execution.instructions_done += branch.instructions;
}
void run_quick_if(const LinkedStep& step, Execution& execution) {
  const auto& branches = *static_cast<const BoundBranches*>(step.details);
  run_quick_branch(*branches[*step.in[0] != std::byte{0} ? 0 : 1], execution);
}
// By an i32, of which one out of range selects the last branch.
void run_quick_case(const LinkedStep& step, Execution& execution) {
  const auto& branches = *static_cast<const BoundBranches*>(step.details);
  std::uint32_t index = 0;
  std::memcpy(&index, step.in[0], sizeof(index));
  run_quick_branch(*branches[std::min<std::size_t>(index, branches.size() - 1)], execution);
}

// nullptr where a branch is no quicker without the status.
BoundFunction quick_function(const BoundBranches& branches, program::ElementType index) {
  const auto is_quick = [](const BoundSteps* branch) { return branch->is_quick; };
  if (branches.empty() || !std::ranges::all_of(branches, is_quick)) return nullptr;
  if (program::is_pred(index)) return branches.size() == 2 ? &run_quick_if : nullptr;
  return index == program::ElementType::i32 ? &run_quick_case : nullptr;
}

}  // namespace

void run_one(const LinkedStep& step, Execution& /*execution*/) {
  step.one(step.in[0], step.out, step.count);
}
void run_two(const LinkedStep& step, Execution& /*execution*/) {
  step.two(step.in[0], step.in[1], step.out, step.count);
}
void run_choose(const LinkedStep& step, Execution& /*execution*/) {
  step.choose(step.in[0], step.in[1], step.in[2], step.out, step.count);
}

void run_fill(const LinkedStep& step, Execution& /*execution*/) {
  step.fill(step.in[0], step.out, step.count);
}

BoundPlace bound_place(const program::Buffer& buffer, const program::Executable& executable) {
  const auto arguments = static_cast<std::uint32_t>(executable.arguments.size());
  switch (buffer.space) {
    case program::Space::argument:
      return {kFirstArgument + buffer.index, buffer.offset};
    case program::Space::result:
      return {kFirstArgument + arguments + buffer.index, buffer.offset};
    case program::Space::constant:
      return {kConstants, buffer.offset};
    case program::Space::host:
      return {kHostTemporaries, buffer.offset};
    default:
      UNDERSTUDY_ASSERT(buffer.space == program::Space::temporary);
      return {kTemporaries, buffer.offset};
  }
}

bool uses_slices(const Instruction& instruction) {
  const auto is_slice = [](const program::Operand& operand) {
    return operand.at.space == program::Space::slice;
  };
  return std::ranges::any_of(instruction.inputs, is_slice) ||
         std::ranges::any_of(instruction.outputs, is_slice);
}

BoundPlace Binder::place_of(const program::Buffer& buffer) const {
  return bound_place(buffer, *code_.executable);
}

BoundStep Binder::step_of(const Instruction& instruction) const {
  BoundStep step;
  step.instruction = step.part = &instruction;
  if (uses_slices(instruction)) return step;
  for (std::size_t i = 0; i < std::min(step.in.size(), instruction.inputs.size()); ++i)
    step.in[i] = place_of(instruction.inputs[i].at);
  if (!instruction.outputs.empty()) {
    step.out = place_of(instruction.outputs[0].at);
    step.count = static_cast<std::size_t>(instruction.outputs[0].type.elements());
  }
  return step;
}

BoundSteps* Binder::list(const program::Code& code) {
  Steps steps;
  for (const Instruction& instruction : code) add(instruction, steps);
  return &code_.lists.emplace_back(std::move(steps));
}

void Binder::add(const Instruction& instruction, Steps& steps) {
  const bool asks_for_addresses = std::holds_alternative<program::Dot>(instruction.work) ||
                                  std::holds_alternative<program::Fused>(instruction.work) ||
                                  std::holds_alternative<program::Collective>(instruction.work);
  const bool may_bind = asks_for_addresses || !uses_slices(instruction);
  if (may_bind && std::visit([&](const auto& work) { return bind(work, instruction, steps); },
                             instruction.work))
    return;
  BoundStep step = step_of(instruction);
  step.run = &run_whole;
  step.is_leaf = false;
  steps.push_back(step);
}

bool Binder::bind(const program::Dot& work, const Instruction& instruction, Steps& steps) {
  BoundStep step = step_of(instruction);
  step.run = &run_dot;
  step.is_leaf = false;
  step.details = code_.keep(DotPlan(work, instruction));
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Collective& /*work*/, const Instruction& instruction,
                  Steps& steps) {
  BoundStep step = step_of(instruction);
  step.run = &run_collective;
  step.is_leaf = false;
  step.details = code_.keep(BoundCollective());
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::While& work, const Instruction& instruction, Steps& steps) {
  ++loops_;
  BoundLoop loop{list(work.condition), list(work.body)};
  --loops_;
  BoundStep step = step_of(instruction);
  step.run = &run_while;
  step.is_leaf = false;
  step.in[0] = place_of(work.predicate.at);
  step.details = code_.keep(std::move(loop));
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Case& work, const Instruction& instruction, Steps& steps) {
  BoundBranches branches;
  for (const program::Code& branch : work.branches) branches.push_back(list(branch));
  BoundStep step = step_of(instruction);
  step.count = 1;
  step.run = quick_function(branches, instruction.inputs[0].type.element);
  if (step.run == nullptr) {
    step.run = &run_case;
    step.is_leaf = false;
  }
  step.details = code_.keep(std::move(branches));
  steps.push_back(step);
  return true;
}

BoundCode bind(const program::Executable& executable,
               const program::kernels::KernelTable& kernels) {
  BoundCode code;
  code.executable = &executable;
  code.steps = Binder(code, kernels).list(executable.code);
  compile_loops(code, kernels);
  return code;
}

}  // namespace understudy::worker::ops
