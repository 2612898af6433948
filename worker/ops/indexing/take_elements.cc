// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/take_elements.h"

#include <numeric>

#include "worker/chip/ops.h"
#include "worker/ops/indexing/single_elements.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

ElementIndices indices_of(const TakenLine& line, const std::byte* indices, std::int64_t count) {
  ElementIndices numbers;
  numbers.at = indices;
  numbers.type = line.index;
  numbers.sizes[0] = line.size;
  numbers.strides[0] = line.stride;
  numbers.count = count;
  return numbers;
}

}  // namespace

void take_line(const TakenLine& line, const std::byte* x, const std::byte* indices,
               std::int64_t count, std::byte* out) {
  ElementIndices numbers = indices_of(line, indices, count);
  numbers.along = line.along;
  gather_elements(numbers, x, line.bytes, out);
}

void take_offsets(const TakenLine& line, const std::byte* indices, std::size_t count,
                  std::int64_t* offsets) {
  clamped_offsets(indices_of(line, indices, static_cast<std::int64_t>(count)), offsets);
}

// Line by line along the last dimension.
void run(const program::TakeElements& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const program::ElementType index = instruction.inputs[1].type.element;
  const std::size_t bytes = element_bytes(out);
  const TakenLine line{work.size, work.stride, index, bytes, work.strides.back()};
  const auto count = static_cast<std::size_t>(work.sizes.back());
  const std::byte* const from = execution.address(instruction.inputs[0].at);
  const std::byte* indices = execution.address(instruction.inputs[1].at);
  std::byte* to = execution.writable(out.at);
  Counter outer(Shape(work.sizes.begin(), work.sizes.end() - 1));
  do {
    const Shape& at = outer.at();
    const std::int64_t offset =
        std::inner_product(at.begin(), at.end(), work.strides.begin(), std::int64_t{0});
    take_line(line, from + static_cast<std::size_t>(offset) * bytes, indices, work.sizes.back(),
              to);
    indices += count * program::byte_size(index);
    to += count * bytes;
  } while (outer.next());
}

}  // namespace understudy::worker::ops
