// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_views.h"

#include <algorithm>
#include <cstring>

#include "worker/ops/operands.h"

namespace understudy::worker::ops {

void view_of(const program::StridedCopy& copy, FusedStep& step) {
  step.kind = FusedStep::Kind::view;
  step.fill = filler_of(step.out.bytes);
  FusedPlace& from = step.in[0];
  from.by_row = false;
  from.by_column = copy.sizes.back() > 1 && copy.in_strides.back() == 1;
  from.width = from.by_column ? static_cast<std::size_t>(copy.sizes.back()) : 1;
  from.base = static_cast<std::size_t>(copy.in_base);
  from.is_view = true;
  std::size_t divisor = 1;
  for (std::size_t d = copy.sizes.size() - 1; d-- > 0;) {
    const auto size = static_cast<std::size_t>(copy.sizes[d]);
    if (copy.in_strides[d] != 0)
      from.row_terms[from.terms++] = {divisor, size, static_cast<std::size_t>(copy.in_strides[d])};
    divisor *= size;
  }
  const std::size_t last = copy.sizes.size() - 2;
  step.run = static_cast<std::size_t>(copy.sizes[last]);
  step.run_step = static_cast<std::size_t>(copy.in_strides[last]);
}

void follow_tiles(std::size_t tile_rows, FusedStep& step) {
  FusedPlace& from = step.in[0];
  const bool is_one = tile_rows == 1;
  if (!is_one && step.run % tile_rows != 0) return;
  if (is_one || step.run_step == 0 || step.run_step == from.width) {
    step.kind = FusedStep::Kind::fill;
    step.spread = spreader_of(step.out.bytes);
    from.by_row = is_one || step.run_step != 0;
  } else if (from.by_column) {
    from.by_row = true;
    from.row_step = step.run_step;
  }
}

bool is_in_place(const FusedStep& step) {
  return step.kind == FusedStep::Kind::fill && step.in[0].is_view &&
         step.out.space == program::Space::frame && step.in[0].by_row == step.out.by_row &&
         step.in[0].by_column == step.out.by_column;
}

// Rows of the innermost dimension at once: one row of the operand, or rows that follow each other.
void view_rows(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t first,
               std::size_t rows, std::size_t columns) {
  const FusedPlace& from = step.in[0];
  const std::size_t bytes = step.out.bytes, row = columns * bytes;
  for (std::size_t r = first; r < first + rows;) {
    const std::size_t run = std::min(step.run - r % step.run, first + rows - r);
    const std::byte* at = in + from.row_offset(r) * bytes;
    r += run;
    if (step.run_step == 0) {
      if (from.by_column)
        replicate(at, row, out, run);
      else
        step.fill(at, out, run * columns);
      out += run * row;
    } else if (from.by_column && step.run_step == from.width) {
      std::memcpy(out, at, run * row);
      out += run * row;
    } else {
      for (std::size_t i = 0; i < run; ++i, at += step.run_step * bytes, out += row) {
        if (from.by_column)
          std::memcpy(out, at, row);
        else
          step.fill(at, out, columns);
      }
    }
  }
}

}  // namespace understudy::worker::ops
