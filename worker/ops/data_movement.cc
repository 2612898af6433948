// SPDX-License-Identifier: Apache-2.0
// Ops that only move or generate data: iota, process indices, copies, fills and dynamic slices.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/chip/pcie.h"
#include "worker/ops/dense_runs.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// The start of a dynamic slice as an element offset. StableHLO clamps each start so that the slice
// fits. An unsigned start above the signed range counts as the largest.
std::int64_t clamped_offset(std::span<const Operand> starts, const Shape& shape, const Shape& sizes,
                            const Execution& execution) {
  std::int64_t offset = 0, stride = 1;
  for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    std::int64_t start = integer_at(starts[d], execution);
    if (starts[d].type.element == program::ElementType::ui64 && start < 0) start = INT64_MAX;
    offset += std::clamp<std::int64_t>(start, 0, shape[d] - sizes[d]) * stride;
  }
  return offset;
}

// `in` and `out`: the first elements of whole arrays.
void copy_elements(const program::StridedCopy& work, std::size_t bytes, const std::byte* in,
                   std::byte* out) {
  const auto size = static_cast<std::int64_t>(bytes);
  const std::byte* const from = in + work.in_base * size;
  std::byte* const to = out + work.out_base * size;
  if (from == to) return;
  if (const auto run = run_of(work.sizes, work.in_strides, work.out_strides))
    return copy_run(from, to, static_cast<std::size_t>(*run) * bytes);
  CopyPlan(work.sizes, work.in_strides, work.out_strides, bytes).run(from, to);
}

}  // namespace

void run(const program::Iota& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const Shape& shape = out.type.shape;
  if (out.type.elements() == 0) return;
  const auto dimension = static_cast<std::size_t>(work.dimension);
  const auto size = static_cast<std::size_t>(shape[dimension]);
  const std::size_t bytes = element_bytes(out);
  std::size_t inner = 1;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) {
    inner *= static_cast<std::size_t>(shape[d]);
  }
  std::byte* const to = execution.writable(out.at);
  const std::size_t period = size * inner * bytes;
  // Writes one period (the iota dimension and all later ones), then replicates it over the
  // dimensions before it. The numbers are made in pieces of kAtOnce, because the dimension may be
  // as large as HBM, and each is repeated `inner` times.
  constexpr std::size_t kAtOnce = 4096;
  std::vector<std::int64_t> numbers(std::min(size, kAtOnce));
  std::vector<std::byte> row(numbers.size() * bytes);
  const auto convert = execution.kernels->convert(program::ElementType::i64, out.type.element);
  for (std::size_t first = 0; first < size; first += numbers.size()) {
    const std::size_t count = std::min(numbers.size(), size - first);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(first));
    if (inner == 1) {
      convert(numbers.data(), to + first * bytes, count);
      continue;
    }
    convert(numbers.data(), row.data(), count);
    for (std::size_t i = 0; i < count; ++i)
      replicate(row.data() + i * bytes, bytes, to + (first + i) * inner * bytes, inner);
  }
  replicate(to, period, to, static_cast<std::size_t>(out.type.bytes()) / period);
}

void run(const program::ProcessIndex& work, const Instruction& instruction, Execution& execution) {
  // StableHLO: replica_id and partition_id are ui32.
  const auto value = static_cast<std::uint32_t>(work.replica ? execution.process.replica
                                                             : execution.process.partition);
  std::memcpy(execution.writable(instruction.outputs[0].at), &value, sizeof(value));
}

void run(const program::StridedCopy& work, const Instruction& instruction, Execution& execution) {
  const Operand& in = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  // Inside a lanewise body a scalar copy moves all lanes at once.
  if (work.sizes.empty() && out.at.space == program::Space::frame && execution.lanes > 1) {
    const std::byte* const from = read(in, execution.lanes, execution);
    std::memcpy(execution.writable(out.at), from, execution.lanes * element_bytes(out));
    return;
  }
  copy_elements(work, element_bytes(out), execution.address(in.at), execution.writable(out.at));
}

void run(const program::Join& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  for (std::size_t i = 0; i < work.parts.size(); ++i)
    copy_elements(work.parts[i], element_bytes(out), execution.address(instruction.inputs[i].at),
                  execution.writable(out.at));
}

void run(const program::Fill&, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const std::size_t n = count_of(out, execution);
  const std::byte* const from = execution.address(instruction.inputs[0].at);
  std::byte* const to = execution.writable(out.at);
  if (out.at.space == program::Space::frame && execution.lanes > 1) {
    std::memcpy(to, read(instruction.inputs[0], n, execution), n * element_bytes(out));
    return;
  }
  if (n > 0 && from != to) replicate(from, element_bytes(out), to, n);
}

void run(const program::Poison&, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  std::memset(execution.writable(out.at), program::kPoisonByte,
              static_cast<std::size_t>(out.type.bytes()));
}

// The compiler may have found both sides in one memory: that is no transfer.
void run(const program::HostMove& work, const Instruction& instruction, Execution& execution) {
  const Operand& in = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const std::byte* const from = execution.address(in.at);
  std::byte* const to = execution.writable(out.at);
  const auto bytes = static_cast<std::size_t>(out.type.bytes());
  if (from == to || bytes == 0) return;
  const bool crosses = in.at.space != out.at.space || in.at.space != program::Space::temporary;
  if (execution.pcie == nullptr || !crosses) {
    std::memcpy(to, from, bytes);
  } else if (work.to_host) {
    execution.pcie->to_host(to, from, bytes);
  } else {
    execution.pcie->to_chip(to, from, bytes);
  }
}

void run(const program::DynamicSlice&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const std::span<const Operand> starts = std::span(instruction.inputs).subspan(1);
  const std::int64_t offset = clamped_offset(starts, x.type.shape, out.type.shape, execution);
  const std::size_t bytes = element_bytes(out);
  const std::byte* const from = execution.address(x.at) + offset * static_cast<std::int64_t>(bytes);
  std::byte* const to = execution.writable(out.at);
  if (const auto run = run_of(x.type.shape, out.type.shape))
    return copy_run(from, to, static_cast<std::size_t>(*run) * bytes);
  CopyPlan(out.type.shape, strides_of(x.type.shape), strides_of(out.type.shape), bytes)
      .run(from, to);
}

void run(const program::LocateSlice&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const std::span<const Operand> starts = std::span(instruction.inputs).subspan(1);
  const std::int64_t offset = clamped_offset(starts, x.type.shape, out.type.shape, execution);
  if (execution.slices.size() <= out.at.index) execution.slices.resize(out.at.index + 1);
  // Nothing is written through a slice of an argument: check_bounds() has refused such an output.
  execution.slices[out.at.index] = const_cast<std::byte*>(execution.address(x.at)) +
                                   offset * static_cast<std::int64_t>(element_bytes(out));
}

void run(const program::DynamicUpdateSlice&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& update = instruction.inputs[1];
  const Operand& out = instruction.outputs[0];
  const std::span<const Operand> starts = std::span(instruction.inputs).subspan(2);
  const std::int64_t offset = clamped_offset(starts, x.type.shape, update.type.shape, execution);
  const std::byte* const from = execution.address(x.at);
  std::byte* const to = execution.writable(out.at);
  // In place where the compiler let the result share the operand's memory: then only the update is
  // copied.
  if (from != to) copy_dense(from, to, static_cast<std::size_t>(out.type.bytes()));
  const std::size_t bytes = element_bytes(out);
  if (const auto run = run_of(x.type.shape, update.type.shape))
    return copy_run(execution.address(update.at), to + offset * static_cast<std::int64_t>(bytes),
                    static_cast<std::size_t>(*run) * bytes);
  CopyPlan(update.type.shape, strides_of(update.type.shape), strides_of(x.type.shape), bytes)
      .run(execution.address(update.at), to + offset * static_cast<std::int64_t>(bytes));
}

}  // namespace understudy::worker::ops
