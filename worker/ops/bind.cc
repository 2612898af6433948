// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/bind.h"

#include <algorithm>
#include <variant>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/binder.h"
#include "worker/ops/control.h"
#include "worker/ops/dot_plan.h"
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

struct BoundLoop {
  const BoundSteps *condition, *body;
};

void run_while(const LinkedStep& step, Execution& execution) {
  const auto& loop = *static_cast<const BoundLoop*>(step.details);
  LoopCount count(execution.status, step.instruction->op);
  while (true) {
    run_steps(*loop.condition, execution);
    if (*step.in[0] == std::byte{0}) return;
    count.next();
    run_steps(*loop.body, execution);
  }
}

void run_case(const LinkedStep& step, Execution& execution) {
  const auto& branches = *static_cast<const std::vector<const BoundSteps*>*>(step.details);
  run_steps(*branches[branch_of(*step.instruction, branches.size(), execution)], execution);
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

BoundPlace Binder::place_of(const program::Buffer& buffer) const {
  const auto arguments = static_cast<std::uint32_t>(code_.executable->arguments.size());
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

BoundStep Binder::step_of(const Instruction& instruction) const {
  BoundStep step;
  step.instruction = &instruction;
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
  return &code_.lists.emplace_back(BoundSteps{std::move(steps)});
}

void Binder::add(const Instruction& instruction, Steps& steps) {
  if (std::visit([&](const auto& work) { return bind(work, instruction, steps); },
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
  std::vector<const BoundSteps*> branches;
  for (const program::Code& branch : work.branches) branches.push_back(list(branch));
  BoundStep step = step_of(instruction);
  step.run = &run_case;
  step.is_leaf = false;
  step.details = code_.keep(std::move(branches));
  steps.push_back(step);
  return true;
}

BoundCode bind(const program::Executable& executable,
               const program::kernels::KernelTable& kernels) {
  BoundCode code;
  code.executable = &executable;
  code.steps = Binder(code, kernels).list(executable.code);
  return code;
}

}  // namespace understudy::worker::ops
