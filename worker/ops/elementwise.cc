// SPDX-License-Identifier: Apache-2.0
// Elementwise ops: each picks a kernel for its element type once and runs it over all elements.
// read() gives an operand as a run of `n` elements, also where one scalar serves all lanes of a
// body.
#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

constexpr std::size_t kTile = 1024;  // elements of a scratch tile

// A bound of clamp, tile by tile: a scalar is replicated once, a full operand is walked along.
class Bound {
 public:
  Bound(const Operand& operand, std::size_t count, Execution& execution)
      : bytes_(element_bytes(operand)),
        walks_(count_of(operand, execution) == count),
        at_(walks_ ? execution.address(operand.at)
                   : read(operand, std::min(count, kTile), execution)) {}
  const std::byte* at(std::size_t i) const { return walks_ ? at_ + i * bytes_ : at_; }

 private:
  std::size_t bytes_;
  bool walks_;
  const std::byte* at_;
};

}  // namespace

void run(const program::Unary& work, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const auto kernel = execution.kernels->unary(work.op, x.type.element);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  const std::size_t n = count_of(out, execution);
  kernel(read(x, n, execution), execution.writable(out.at), n);
}

void run(const program::Binary& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const auto kernel = execution.kernels->binary(work.op, instruction.inputs[0].type.element);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  const std::size_t n = count_of(out, execution);
  kernel(read(instruction.inputs[0], n, execution), read(instruction.inputs[1], n, execution),
         execution.writable(out.at), n);
}

void run(const program::Compare& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const auto kernel = execution.kernels->compare(work.direction, work.total_order,
                                                 instruction.inputs[0].type.element);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  const std::size_t n = count_of(out, execution);
  kernel(read(instruction.inputs[0], n, execution), read(instruction.inputs[1], n, execution),
         execution.writable(out.at), n);
}

void run(const program::Select&, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const Operand& pred = instruction.inputs[0];
  const std::size_t n = count_of(out, execution);
  // A scalar predicate selects one whole operand: a copy, or nothing where it is in place.
  if (execution.lanes == 1 && pred.type.elements() == 1) {
    const bool chosen = *execution.address(pred.at) != std::byte{0};
    const std::byte* const from = read(instruction.inputs[chosen ? 1 : 2], n, execution);
    std::byte* const to = execution.writable(out.at);
    if (from != to) std::memcpy(to, from, n * element_bytes(out));
    return;
  }
  // Selection moves bytes: one kernel per element size, whatever the type.
  const auto kernel = execution.kernels->select(element_bytes(out));
  kernel(read(pred, n, execution), read(instruction.inputs[1], n, execution),
         read(instruction.inputs[2], n, execution), execution.writable(out.at), n);
}

// minimum(maximum(x, least), most), tile by tile through VMEM: the output may share its place with
// any of the three operands, and every element must be read before it is overwritten.
void run(const program::Clamp&, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const std::size_t n = count_of(out, execution);
  const std::size_t bytes = element_bytes(out);
  const Bound least(instruction.inputs[0], n, execution);
  const Bound most(instruction.inputs[2], n, execution);
  const std::byte* const x = read(instruction.inputs[1], n, execution);
  std::byte* const y = execution.writable(out.at);
  std::byte* const tile = execution.vmem->take(std::min(n, kTile) * bytes);
  const auto maximum = execution.kernels->binary(program::BinaryOp::maximum, out.type.element);
  const auto minimum = execution.kernels->binary(program::BinaryOp::minimum, out.type.element);
  UNDERSTUDY_ASSERT(maximum != nullptr && minimum != nullptr);
  for (std::size_t i = 0; i < n; i += kTile) {
    const std::size_t count = std::min(kTile, n - i);
    maximum(x + i * bytes, least.at(i), tile, count);
    minimum(tile, most.at(i), y + i * bytes, count);
  }
}

void run(const program::Convert&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const auto kernel = execution.kernels->convert(x.type.element, out.type.element);
  const std::size_t n = count_of(out, execution);
  kernel(read(x, n, execution), execution.writable(out.at), n);
}

void run(const program::Map& work, const Instruction& instruction, Execution& execution) {
  const auto n = static_cast<std::size_t>(instruction.outputs[0].type.elements());
  if (n == 0) return;
  // As many elements per evaluation of the body as its frame has lanes.
  BodyCall body(work.body, execution, n);
  for (std::size_t i = 0; i < n; i += body.lanes()) {
    const std::size_t count = std::min(body.lanes(), n - i);
    for (std::size_t p = 0; p < instruction.inputs.size(); ++p) {
      const Operand& input = instruction.inputs[p];
      const std::size_t bytes = element_bytes(input);
      std::memcpy(body.parameter(p, count), execution.address(input.at) + i * bytes, count * bytes);
    }
    body.call(count);
    for (std::size_t r = 0; r < instruction.outputs.size(); ++r) {
      const Operand& out = instruction.outputs[r];
      body.result(r, execution.writable(out.at) + i * element_bytes(out), count);
    }
  }
}

}  // namespace understudy::worker::ops
