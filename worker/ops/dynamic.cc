// SPDX-License-Identifier: Apache-2.0
// Padding and slicing whose amounts are known only at run time, and assertions about such values.
// The result's shape is static, so amounts that do not give it are errors of the program's data.
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// One integer per dimension.
Shape vector_at(const Operand& operand, const Execution& execution) {
  const std::byte* const at = execution.address(operand.at);
  Shape values;
  for (std::int64_t d = 0; d < operand.type.elements(); ++d) {
    values.push_back(integer_of(operand.type.element,
                                at + static_cast<std::size_t>(d) * element_bytes(operand)));
  }
  return values;
}

void need(bool holds, const char* why, std::size_t dimension) {
  if (!holds) throw Error(ErrorKind::check, fmt::format("dimension {}: {}", dimension, why));
}

}  // namespace

void run(const program::DynamicPad&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const Shape low = vector_at(instruction.inputs[2], execution);
  const Shape high = vector_at(instruction.inputs[3], execution);
  const Shape interior = vector_at(instruction.inputs[4], execution);
  const std::size_t bytes = element_bytes(out);
  std::byte* const to = execution.writable(out.at);
  replicate(execution.address(instruction.inputs[1].at), bytes, to,
            static_cast<std::size_t>(out.type.elements()));
  const Shape in_strides = strides_of(x.type.shape);
  const Shape out_strides = strides_of(out.type.shape);
  Shape sizes, steps = out_strides;
  std::int64_t from_base = 0, to_base = 0;
  for (std::size_t d = 0; d < low.size(); ++d) {
    const std::int64_t size = x.type.shape[d], step = interior[d] + 1;
    need(interior[d] >= 0, "the interior padding is negative", d);
    // The spec's result size: elements, interior padding between them, and both edges; low and high
    // may be negative and then cut elements off.
    const std::int64_t made = size + std::max<std::int64_t>(size - 1, 0) * interior[d] + low[d];
    need(made + high[d] == out.type.shape[d], "the padded size differs from the result's size", d);
    // Elements first..last of x fall inside the result; negative padding drops the others. Element
    // i goes to low + i * step.
    const std::int64_t first = low[d] >= 0 ? 0 : (-low[d] + step - 1) / step;
    const std::int64_t room = out.type.shape[d] - 1 - low[d];
    const std::int64_t last = room < 0 ? -1 : std::min(size - 1, room / step);
    sizes.push_back(std::max<std::int64_t>(last - first + 1, 0));
    steps[d] *= step;
    from_base += first * in_strides[d];
    to_base += (low[d] + first * step) * out_strides[d];
  }
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return;
  const auto width = static_cast<std::int64_t>(bytes);
  CopyPlan(sizes, in_strides, steps, bytes)
      .run(execution.address(x.at) + from_base * width, to + to_base * width);
}

void run(const program::RealDynamicSlice&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const Shape starts = vector_at(instruction.inputs[1], execution);
  const Shape limits = vector_at(instruction.inputs[2], execution);
  const Shape steps = vector_at(instruction.inputs[3], execution);
  Shape strides = strides_of(x.type.shape);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < starts.size(); ++d) {
    const bool inside =
        0 <= starts[d] && starts[d] <= limits[d] && limits[d] <= x.type.shape[d] && steps[d] > 0;
    need(inside, "the slice is out of bounds", d);
    need((limits[d] - starts[d] + steps[d] - 1) / steps[d] == out.type.shape[d],
         "the slice size differs from the result's size", d);
    base += starts[d] * strides[d];
    strides[d] *= steps[d];
  }
  if (out.type.elements() == 0) return;
  const std::size_t bytes = element_bytes(out);
  CopyPlan(out.type.shape, strides, strides_of(out.type.shape), bytes)
      .run(execution.address(x.at) + base * static_cast<std::int64_t>(bytes),
           execution.writable(out.at));
}

void run(const program::Assert& work, const Instruction& instruction, Execution& execution) {
  if (integer_at(instruction.inputs[0], execution) != 0) return;
  // Replaces {0}, {1} ... in the message by the values of the further operands, as shape assertions
  // of JAX's export use them. The search goes on after each inserted value.
  std::string message = work.message;
  for (std::size_t i = 1; i < instruction.inputs.size(); ++i) {
    const std::string name = fmt::format("{{{}}}", i - 1);
    const std::string value = fmt::format("{}", integer_at(instruction.inputs[i], execution));
    for (std::size_t at = message.find(name); at != std::string::npos;
         at = message.find(name, at + value.size())) {
      message.replace(at, name.size(), value);
    }
  }
  throw Error(ErrorKind::check, message);
}

}  // namespace understudy::worker::ops
