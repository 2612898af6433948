// SPDX-License-Identifier: Apache-2.0
// reduce_window and select_and_scatter (StableHLO spec). Windows slide over the input as it would
// be after padding and base dilation, which is never materialised.
#include <algorithm>
#include <cstring>
#include <optional>

#include "configs/base/error.h"
#include "worker/ops/operands.h"
#include "worker/ops/ops.h"

namespace understudy::worker::ops {
namespace {

// Where a window position meets the input: the flat element, or nothing in padding and holes.
class Windows {
 public:
  Windows(const program::Window& window, const Shape& input)
      : window_(window), input_(input), strides_(strides_of(input)) {}

  std::optional<std::int64_t> element(const Shape& output, const Shape& position) const {
    std::int64_t flat = 0;
    for (std::size_t d = 0; d < input_.size(); ++d) {
      const std::int64_t padded = output[d] * window_.strides[d] +
                                  position[d] * window_.window_dilations[d] -
                                  window_.padding_low[d];
      if (padded < 0 || padded % window_.base_dilations[d] != 0) return std::nullopt;
      const std::int64_t at = padded / window_.base_dilations[d];
      if (at >= input_[d]) return std::nullopt;
      flat += at * strides_[d];
    }
    return flat;
  }

 private:
  const program::Window& window_;
  const Shape& input_;
  Shape strides_;
};

// The indices of a run of outputs, walked anew for each window position.
std::vector<Shape> next_indices(Counter& counter, bool& more, std::size_t most) {
  std::vector<Shape> indices;
  while (more && indices.size() < most) {
    indices.push_back(counter.at());
    more = counter.next();
  }
  return indices;
}

// One fold step of one input: the accumulators stay, the window's elements come in.
void gather_elements(const Windows& windows, const std::vector<Shape>& outputs,
                     const Shape& position, const std::byte* input, const std::byte* init,
                     std::size_t bytes, std::byte* out) {
  for (const Shape& output : outputs) {
    const auto element = windows.element(output, position);
    const std::byte* const from =
        element ? input + static_cast<std::size_t>(*element) * bytes : init;
    std::memcpy(out, from, bytes);
    out += bytes;
  }
}

}  // namespace

void run(const program::ReduceWindow& work, const Instruction& instruction, Execution& execution) {
  const std::size_t inputs = instruction.outputs.size();
  Counter counter(instruction.outputs[0].type.shape);
  if (counter.empty()) return;
  const auto n = static_cast<std::size_t>(instruction.outputs[0].type.elements());
  const Vmem::Scope scope(*execution.vmem);
  BodyCall body(work.body, execution, n);
  std::vector<std::byte*> accumulators;
  for (std::size_t i = 0; i < inputs; ++i) {
    accumulators.push_back(
        execution.vmem->take(body.lanes() * element_bytes(instruction.inputs[inputs + i])));
  }
  const Windows windows(work.window, instruction.inputs[0].type.shape);
  bool more = true;
  for (std::size_t done = 0; more;) {
    const std::vector<Shape> outputs = next_indices(counter, more, body.lanes());
    const std::size_t count = outputs.size();
    for (std::size_t i = 0; i < inputs; ++i) {
      const Operand& init = instruction.inputs[inputs + i];
      replicate(execution.address(init.at), element_bytes(init), accumulators[i], count);
    }
    Counter position(work.window.dimensions);
    for (bool inside = !position.empty(); inside; inside = position.next()) {
      for (std::size_t i = 0; i < inputs; ++i) {
        const Operand& input = instruction.inputs[i];
        const Operand& init = instruction.inputs[inputs + i];
        std::memcpy(body.parameter(i, count), accumulators[i], count * element_bytes(init));
        gather_elements(windows, outputs, position.at(), execution.address(input.at),
                        execution.address(init.at), element_bytes(input),
                        body.parameter(inputs + i, count));
      }
      body.call(count);
      for (std::size_t i = 0; i < inputs; ++i) body.result(i, accumulators[i], count);
    }
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::size_t bytes = element_bytes(instruction.outputs[i]);
      std::memcpy(execution.writable(instruction.outputs[i].at) + done * bytes, accumulators[i],
                  count * bytes);
    }
    done += count;
  }
}

namespace {

// The element of one window that the select body keeps: the first, replaced by every later one that
// select(kept, later) is false for.
std::optional<std::int64_t> selected_element(const program::Window& window, const Windows& windows,
                                             const Shape& output, const std::byte* operand,
                                             std::size_t bytes, BodyCall& select) {
  std::optional<std::int64_t> kept;
  Counter position(window.dimensions);
  for (bool inside = !position.empty(); inside; inside = position.next()) {
    const auto element = windows.element(output, position.at());
    if (!element) continue;
    if (kept) {
      std::memcpy(select.parameter(0, 1), operand + static_cast<std::size_t>(*kept) * bytes, bytes);
      std::memcpy(select.parameter(1, 1), operand + static_cast<std::size_t>(*element) * bytes,
                  bytes);
      select.call(1);
      if (*select.result(0) != std::byte{0}) continue;
    }
    kept = element;
  }
  return kept;
}

}  // namespace

void run(const program::SelectAndScatter& work, const Instruction& instruction,
         Execution& execution) {
  const Operand& operand = instruction.inputs[0];
  const Operand& source = instruction.inputs[1];
  const Operand& init = instruction.inputs[2];
  const Operand& out = instruction.outputs[0];
  const std::size_t bytes = element_bytes(operand);
  const std::size_t out_bytes = element_bytes(out);
  const std::byte* const values = execution.address(operand.at);
  std::byte* const result = execution.writable(out.at);
  UNDERSTUDY_ASSERT(result != values);
  replicate(execution.address(init.at), out_bytes, result,
            static_cast<std::size_t>(out.type.elements()));
  const Vmem::Scope scope(*execution.vmem);
  BodyCall select(work.select, execution, 1);
  BodyCall scatter(work.scatter, execution, 1);
  const Windows windows(work.window, operand.type.shape);
  Counter counter(source.type.shape);
  const std::byte* from = execution.address(source.at);
  for (bool more = !counter.empty(); more; more = counter.next(), from += out_bytes) {
    const auto kept = selected_element(work.window, windows, counter.at(), values, bytes, select);
    if (!kept) continue;
    std::byte* const to = result + static_cast<std::size_t>(*kept) * out_bytes;
    std::memcpy(scatter.parameter(0, 1), from, out_bytes);
    std::memcpy(scatter.parameter(1, 1), to, out_bytes);
    scatter.call(1);
    scatter.result(0, to, 1);
  }
}

}  // namespace understudy::worker::ops
