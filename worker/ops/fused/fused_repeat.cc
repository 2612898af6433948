// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_repeat.h"

#include <cstring>

namespace understudy::worker::ops {

void repeat_of(const program::StridedCopy& copy, FusedStep& step) {
  step.kind = FusedStep::Kind::repeat;
  step.fill = filler_of(step.out.bytes);
  FusedPlace& from = step.in[0];
  from.by_row = false;
  std::size_t divisor = 1;
  for (std::size_t d = copy.sizes.size() - 1; d-- > 0;) {
    const auto size = static_cast<std::size_t>(copy.sizes[d]);
    if (copy.in_strides[d] != 0)
      from.row_terms[from.terms++] = {divisor, size, static_cast<std::size_t>(copy.in_strides[d])};
    divisor *= size;
  }
}

void follow_tiles(const program::StridedCopy& copy, std::size_t tile_rows, FusedStep& step) {
  FusedPlace& from = step.in[0];
  const std::size_t last = copy.sizes.size() - 2;
  const auto stride = static_cast<std::size_t>(copy.in_strides[last]);
  const bool is_one = tile_rows == 1;
  const bool is_even = static_cast<std::size_t>(copy.sizes[last]) % tile_rows == 0 &&
                       (stride == 0 || stride == from.width);
  if (!is_one && !is_even) return;
  step.kind = FusedStep::Kind::fill;
  step.spread = spreader_of(step.out.bytes);
  from.by_row = is_one || stride != 0;
}

bool is_in_place(const FusedStep& step) {
  return step.kind == FusedStep::Kind::fill && step.in[0].terms > 0 &&
         step.out.space == program::Space::frame && step.in[0].by_row == step.out.by_row &&
         step.in[0].by_column == step.out.by_column;
}

void repeat_rows(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t first,
                 std::size_t rows, std::size_t columns) {
  const std::size_t bytes = step.out.bytes, row = columns * bytes;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::byte* const from = in + step.in[0].row_offset(first + r) * bytes;
    if (step.in[0].by_column)
      std::memcpy(out + r * row, from, row);
    else
      step.fill(from, out + r * row, columns);
  }
}

}  // namespace understudy::worker::ops
