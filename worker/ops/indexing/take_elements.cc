// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/take_elements.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/indexing/single_elements.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
void take_line(const TakenLine& line, const std::byte* x, const std::byte* indices,
               std::int64_t count, std::byte* out) {
  ElementIndices numbers;
  numbers.at = indices;
  numbers.type = line.index;
  numbers.sizes[0] = line.size;
  numbers.strides[0] = line.stride;
  numbers.count = count;
  numbers.along = line.along;
  gather_elements(numbers, x, line.bytes, out);
}

namespace {

// An unsigned index above the signed range is beyond every array.
template <class Index>
void clamp_offsets(const TakenLine& line, const std::byte* indices, std::size_t count,
                   std::int64_t* offsets) {
  const auto* const at = reinterpret_cast<const Index*>(indices);
  const std::int64_t last = line.size - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_beyond = std::cmp_greater(at[i], last);
    const auto number = static_cast<std::int64_t>(at[i]);
    offsets[i] = (is_beyond ? last : std::max<std::int64_t>(number, 0)) * line.stride;
  }
}

}  // namespace

void take_offsets(const TakenLine& line, const std::byte* indices, std::size_t count,
                  std::int64_t* offsets) {
  const auto clamp = [&](auto index) {
    clamp_offsets<decltype(index)>(line, indices, count, offsets);
  };
  using program::ElementType;
  switch (line.index) {
    case ElementType::i8:
      return clamp(std::int8_t{});
    case ElementType::ui8:
      return clamp(std::uint8_t{});
    case ElementType::i16:
      return clamp(std::int16_t{});
    case ElementType::ui16:
      return clamp(std::uint16_t{});
    case ElementType::i32:
      return clamp(std::int32_t{});
    case ElementType::ui32:
      return clamp(std::uint32_t{});
    case ElementType::i64:
      return clamp(std::int64_t{});
    case ElementType::ui64:
      return clamp(std::uint64_t{});
    default:
      UNDERSTUDY_ASSERT(program::is_integer(line.index));
      // Those of a few bits.
      for (std::size_t i = 0; i < count; ++i)
        offsets[i] =
            std::clamp<std::int64_t>(integer_of(line.index, indices + i), 0, line.size - 1) *
            line.stride;
  }
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
