// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_repeat.h"

#include <algorithm>
#include <cstring>

#include "worker/ops/operands.h"

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
  const std::size_t last = copy.sizes.size() - 2;
  step.run_follows = static_cast<std::size_t>(copy.in_strides[last]) == from.width;
  step.run = copy.in_strides[last] == 0 || step.run_follows
                 ? static_cast<std::size_t>(copy.sizes[last])
                 : 1;
}

void follow_tiles(std::size_t tile_rows, FusedStep& step) {
  FusedPlace& from = step.in[0];
  const bool is_one = tile_rows == 1;
  if (!is_one && step.run % tile_rows != 0) return;
  step.kind = FusedStep::Kind::fill;
  step.spread = spreader_of(step.out.bytes);
  from.by_row = is_one || step.run_follows;
}

bool is_in_place(const FusedStep& step) {
  return step.kind == FusedStep::Kind::fill && step.in[0].terms > 0 &&
         step.out.space == program::Space::frame && step.in[0].by_row == step.out.by_row &&
         step.in[0].by_column == step.out.by_column;
}

// Rows of the innermost dimension at once: the same ones of the operand, or one after the other.
void repeat_rows(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t first,
                 std::size_t rows, std::size_t columns) {
  const FusedPlace& from = step.in[0];
  const std::size_t bytes = step.out.bytes, row = columns * bytes;
  for (std::size_t r = first; r < first + rows;) {
    const std::size_t run = std::min(step.run - r % step.run, first + rows - r);
    const std::byte* const at = in + from.row_offset(r) * bytes;
    if (step.run_follows && from.by_column)
      std::memcpy(out, at, run * row);
    else if (step.run_follows)
      for (std::size_t i = 0; i < run; ++i) step.fill(at + i * bytes, out + i * row, columns);
    else if (from.by_column)
      replicate(at, row, out, run);
    else
      step.fill(at, out, run * columns);
    r += run;
    out += run * row;
  }
}

}  // namespace understudy::worker::ops
