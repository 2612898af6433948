// SPDX-License-Identifier: Apache-2.0
// Bound selections, clamps and changes of the element type.
#include <cstring>

#include "worker/ops/binder.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::Instruction;

// A scalar pred selects one whole operand.
void run_pick(const LinkedStep& step, Execution& /*execution*/) {
  const std::byte* const from = step.in[*step.in[0] != std::byte{0} ? 1 : 2];
  if (from != step.out) std::memcpy(step.out, from, step.count);
}

void run_move(const LinkedStep& step, Execution& /*execution*/) {
  std::memmove(step.out, step.in[0], step.count);
}

}  // namespace

bool Binder::bind(const program::Select& /*work*/, const Instruction& instruction, Steps& steps) {
  const program::Operand& out = instruction.outputs[0];
  const std::size_t bytes = element_bytes(out);
  BoundStep step = step_of(instruction);
  if (!same_counts(instruction)) {
    if (instruction.inputs[0].type.elements() != 1) return false;
    step.run = &run_pick;
    step.count = static_cast<std::size_t>(out.type.bytes());
    steps.push_back(step);
    return true;
  }
  step.run = step.count == 1 ? scalar_select(bytes) : nullptr;
  if (step.run == nullptr) {
    step.run = &run_choose;
    step.choose = kernels_.select(bytes);
  }
  steps.push_back(step);
  return true;
}

// minimum(maximum(x, least), most), as in elementwise.cc, with the value between in the scratch.
bool Binder::bind(const program::Clamp& /*work*/, const Instruction& instruction, Steps& steps) {
  if (!same_counts(instruction)) return false;
  const program::Operand& out = instruction.outputs[0];
  BoundStep step = step_of(instruction);
  if (!step.is_quick()) return false;
  const auto between = take_scratch(static_cast<std::size_t>(out.type.bytes()));
  if (!between) return false;
  // The operands of the two parts are in the places of their steps.
  const auto part_of = [&](program::BinaryOp op) {
    return code_.keep(Instruction{program::Binary{op}, {out, out}, {out}, instruction.op});
  };
  const BoundPlace least = step.in[0], most = step.in[2];
  step.run = &run_two;
  BoundStep larger = step;
  larger.part = part_of(program::BinaryOp::maximum);
  larger.two = kernels_.binary(program::BinaryOp::maximum, out.type.element);
  larger.in = {step.in[1], least};
  larger.out = {kBoundScratch, *between};
  larger.ends = false;
  steps.push_back(larger);
  step.part = part_of(program::BinaryOp::minimum);
  step.two = kernels_.binary(program::BinaryOp::minimum, out.type.element);
  step.in = {larger.out, most};
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::BitcastConvert& /*work*/, const Instruction& instruction,
                  Steps& steps) {
  const auto from = instruction.inputs[0].type.element, to = instruction.outputs[0].type.element;
  if (program::bit_width(from) != program::bit_width(to)) return false;
  BoundStep step = step_of(instruction);
  step.count = static_cast<std::size_t>(instruction.outputs[0].type.bytes());
  step.run = &run_move;
  steps.push_back(step);
  return true;
}

}  // namespace understudy::worker::ops
