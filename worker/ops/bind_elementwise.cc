// SPDX-License-Identifier: Apache-2.0
// Bound element-wise work, copies, windows with dynamic starts, and reductions to one number.
#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "configs/base/error.h"
#include "program/kernels/kernels.h"
#include "worker/chip/copy.h"
#include "worker/chip/lanes.h"
#include "worker/ops/binder.h"
#include "worker/ops/dense_runs.h"
#include "worker/ops/fused/fused_step.h"
#include "worker/ops/operands.h"
#include "worker/ops/windows.h"

namespace understudy::worker::ops {
namespace {

using program::Instruction;

void run_copy(const LinkedStep& step, Execution& /*execution*/) {
  static_cast<const CopyPlan*>(step.details)->run(step.in[0], step.out);
}

struct BoundStart : MovingStart {
  std::size_t input = 0;  // of the step
};
struct BoundWindow {
  std::vector<BoundStart> starts;
  std::optional<CopyPlan> plan;  // of a window that is no dense run
};
const BoundWindow& bound_window(const LinkedStep& step) {
  return *static_cast<const BoundWindow*>(step.details);
}

std::int64_t start_value(const BoundStart& start, const LinkedStep& step) {
  const std::byte* const place = step.in[start.input];
  // Counters of loops, without a call.
  if (start.type == program::ElementType::i32) {
    std::int32_t value = 0;
    std::memcpy(&value, place, sizeof(value));
    return value;
  }
  const std::int64_t value = integer_of(start.type, place);
  // An unsigned start above the signed range counts as the largest.
  return start.type == program::ElementType::ui64 && value < 0 ? start.most : value;
}

std::int64_t window_offset(const LinkedStep& step) {
  std::int64_t offset = 0;
  for (const BoundStart& start : bound_window(step).starts)
    offset += std::clamp<std::int64_t>(start_value(start, step), 0, start.most) * start.stride;
  return offset;
}

// One element, or any, from one start that a counter gives: the usual slices of loops.
template <class T>
void slice_element(const LinkedStep& step, Execution& /*execution*/) {
  const auto& start = *static_cast<const BoundStart*>(step.details);
  const std::int64_t value = load<std::int32_t>(step.in[1]);
  store<T>(step.out,
           load<T>(step.in[0] + std::clamp<std::int64_t>(value, 0, start.most) * start.stride));
}
template <class T>
void update_element(const LinkedStep& step, Execution& /*execution*/) {
  const auto& start = *static_cast<const BoundStart*>(step.details);
  const std::int64_t value = load<std::int32_t>(step.in[2]);
  store<T>(step.out + std::clamp<std::int64_t>(value, 0, start.most) * start.stride,
           load<T>(step.in[1]));
}

// nullptr where there is none for an element of these bytes.
BoundFunction slice_function(std::size_t bytes) {
  return bytes == 4   ? &slice_element<std::uint32_t>
         : bytes == 8 ? &slice_element<std::uint64_t>
                      : nullptr;
}
BoundFunction update_function(std::size_t bytes) {
  return bytes == 4   ? &update_element<std::uint32_t>
         : bytes == 8 ? &update_element<std::uint64_t>
                      : nullptr;
}

// To or from a window.
void copy_window(const LinkedStep& step, const std::byte* from, std::byte* to) {
  const std::optional<CopyPlan>& plan = bound_window(step).plan;
  if (plan) return plan->run(from, to);
  copy_run(from, to, step.count);
}

void run_slice(const LinkedStep& step, Execution& /*execution*/) {
  copy_window(step, step.in[0] + window_offset(step), step.out);
}

void run_update(const LinkedStep& step, Execution& /*execution*/) {
  std::byte* const to = step.out;
  const std::byte* const from = step.in[0];
  const program::Operand& whole = step.instruction->outputs[0];
  if (from != to) std::memcpy(to, from, static_cast<std::size_t>(whole.type.bytes()));
  copy_window(step, step.in[1], to + window_offset(step));
}

// A known reduction of all elements of an array (worker/ops/reduce.cc).
struct BoundFold {
  program::kernels::FoldKernel fold = nullptr;
  program::kernels::UnaryKernel widen = nullptr, narrow = nullptr;  // to the accumulator, and back
};

void run_fold_all(const LinkedStep& step, Execution& /*execution*/) {
  const auto& fold = *static_cast<const BoundFold*>(step.details);
  alignas(16) std::byte sum[16];  // one accumulator of any type
  fold.widen(step.in[1], sum, 1);
  fold.fold(step.in[0], step.count, sum);
  fold.narrow(sum, step.out, 1);
}

}  // namespace

bool same_counts(const Instruction& instruction) {
  const std::int64_t count = instruction.outputs[0].type.elements();
  return std::ranges::all_of(instruction.inputs, [&](const program::Operand& input) {
    return input.type.elements() == count;
  });
}

bool Binder::bind(const program::Reduce& work, const Instruction& instruction, Steps& steps) {
  const program::TensorType& in = instruction.inputs[0].type;
  const program::TensorType& out = instruction.outputs[0].type;
  if (work.reduction == program::Reduction::none || instruction.outputs.size() != 1) return false;
  if (!program::kernels::reduces_to(in.element, out.element)) return false;
  if (out.elements() != 1 || in.elements() == 0) return false;
  const auto wide = program::kernels::accumulator_type(in.element);
  BoundStep step = step_of(instruction);
  step.run = &run_fold_all;
  step.count = static_cast<std::size_t>(in.elements());
  step.details = code_.keep(BoundFold{kernels_.fold(work.reduction, in.element),
                                      kernels_.convert(out.element, wide),
                                      kernels_.convert(wide, out.element)});
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Unary& work, const Instruction& instruction, Steps& steps) {
  if (!same_counts(instruction)) return false;
  BoundStep step = step_of(instruction);
  step.run = &run_one;
  step.one = kernels_.unary(work.op, instruction.inputs[0].type.element);
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Convert& /*work*/, const Instruction& instruction, Steps& steps) {
  if (!same_counts(instruction)) return false;
  const auto from = instruction.inputs[0].type.element, to = instruction.outputs[0].type.element;
  BoundStep step = step_of(instruction);
  step.run = &run_one;
  step.one = kernels_.convert(from, to);
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Binary& work, const Instruction& instruction, Steps& steps) {
  if (!same_counts(instruction)) return false;
  const auto type = instruction.inputs[0].type.element;
  BoundStep step = step_of(instruction);
  step.run = step.count == 1 ? scalar_function(work.op, type) : nullptr;
  if (step.run == nullptr) {
    step.run = &run_two;
    step.two = kernels_.binary(work.op, type);
  }
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Compare& work, const Instruction& instruction, Steps& steps) {
  if (!same_counts(instruction)) return false;
  const auto type = instruction.inputs[0].type.element;
  BoundStep step = step_of(instruction);
  step.run = step.count == 1 && !work.total_order ? scalar_compare(work.direction, type) : nullptr;
  if (step.run == nullptr) {
    step.run = &run_two;
    step.two = kernels_.compare(work.direction, work.total_order, type);
  }
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::Fill& /*work*/, const Instruction& instruction, Steps& steps) {
  const std::size_t bytes = element_bytes(instruction.outputs[0]);
  BoundStep step = step_of(instruction);
  if (step.count == 1) {
    step.run = copy_function(bytes);
    step.count = bytes;
  } else {
    step.run = &run_fill;
    step.fill = filler_of(bytes);
  }
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::StridedCopy& work, const Instruction& instruction, Steps& steps) {
  const auto bytes = static_cast<std::int64_t>(element_bytes(instruction.outputs[0]));
  BoundStep step = step_of(instruction);
  step.in[0].offset += static_cast<std::size_t>(work.in_base * bytes);
  step.out.offset += static_cast<std::size_t>(work.out_base * bytes);
  if (const auto run = run_of(work.sizes, work.in_strides, work.out_strides)) {
    step.count = static_cast<std::size_t>(*run * bytes);
    step.run = copy_function(step.count);
  } else {
    step.details = code_.keep(
        CopyPlan(work.sizes, work.in_strides, work.out_strides, static_cast<std::size_t>(bytes)));
    step.run = &run_copy;
  }
  steps.push_back(step);
  return true;
}

// `first`: the first input of the step that is free for starts.
bool Binder::bind_window(const program::TensorType& whole, const program::Shape& window,
                         std::span<const program::Operand> starts, std::size_t first,
                         BoundStep& step) {
  const std::size_t bytes = program::byte_size(whole.element);
  BoundWindow moving;
  for (const MovingStart& start : moving_starts(whole, window, starts)) {
    const std::size_t input = first + moving.starts.size();
    if (input >= step.in.size()) return false;
    step.in[input] = place_of(starts[start.dimension].at);
    moving.starts.push_back({start, input});
  }
  const auto run = run_of(whole.shape, window);
  const bool is_slice = first == 1;
  if (run) {
    step.count = static_cast<std::size_t>(*run) * bytes;
  } else {
    program::Shape from = strides_of(whole.shape), to = strides_of(window);
    if (!is_slice) std::swap(from, to);
    moving.plan = CopyPlan(window, from, to, bytes);
  }
  // A step that goes without its own function for one start has none.
  const bool is_counted =
      run && moving.starts.size() == 1 && moving.starts[0].type == program::ElementType::i32;
  const BoundFunction quick = !is_counted              ? nullptr
                              : is_slice               ? slice_function(step.count)
                              : step.in[0] == step.out ? update_function(step.count)
                                                       : nullptr;
  if (quick != nullptr) {
    step.run = quick;
    step.details = code_.keep(moving.starts[0]);
  } else {
    step.details = code_.keep(std::move(moving));
  }
  return true;
}

bool Binder::bind(const program::DynamicSlice& /*work*/, const Instruction& instruction,
                  Steps& steps) {
  BoundStep step = step_of(instruction);
  step.run = &run_slice;
  if (!bind_window(instruction.inputs[0].type, instruction.outputs[0].type.shape,
                   std::span(instruction.inputs).subspan(1), 1, step))
    return false;
  steps.push_back(step);
  return true;
}

bool Binder::bind(const program::DynamicUpdateSlice& /*work*/, const Instruction& instruction,
                  Steps& steps) {
  BoundStep step = step_of(instruction);
  step.run = &run_update;
  step.is_leaf = step.in[0] == step.out;  // it copies all else
  if (!bind_window(instruction.inputs[0].type, instruction.inputs[1].type.shape,
                   std::span(instruction.inputs).subspan(2), 2, step))
    return false;
  steps.push_back(step);
  return true;
}

}  // namespace understudy::worker::ops
