// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_views.h"

#include <algorithm>
#include <cstring>

#include "worker/chip/copy_lines.h"
#include "worker/ops/indexing/move_runs.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

namespace {

// Of all dimensions but the last.
void add_row_terms(const Shape& sizes, const Shape& strides, FusedPlace& place) {
  std::size_t divisor = 1;
  for (std::size_t d = sizes.size() - 1; d-- > 0;) {
    const auto size = static_cast<std::size_t>(sizes[d]);
    if (strides[d] != 0)
      place.row_terms[place.terms++] = {divisor, size, static_cast<std::size_t>(strides[d])};
    divisor *= size;
  }
}

// The distance from element to element where it is the same in all rows and from row to row, and
// each lane has so many elements of the operand for itself; else 1.
std::size_t element_step_of(const program::StridedCopy& copy, std::size_t elements) {
  std::int64_t step = 0, lanes = 1;
  for (std::size_t d = copy.sizes.size(); d-- > 0;) {
    if (copy.sizes[d] == 1) continue;
    if (step == 0) step = copy.in_strides[d];
    if (copy.in_strides[d] != step * lanes) return 1;
    lanes *= copy.sizes[d];
  }
  const auto all = static_cast<std::int64_t>(elements);
  return step > 1 && copy.in_base / step + lanes <= all / step ? static_cast<std::size_t>(step) : 1;
}

}  // namespace

void view_of(const program::StridedCopy& copy, std::size_t elements, FusedStep& step) {
  FusedPlace& from = step.in[0];
  from.base = static_cast<std::size_t>(copy.in_base);
  if (const std::size_t step_of_all = element_step_of(copy, elements); step_of_all > 1) {
    step.kind = FusedStep::Kind::strided;
    from.by_row = step.out.by_row;
    from.by_column = step.out.by_column;
    from.width = step.out.width;
    from.element_step = step_of_all;
    return;
  }
  step.kind = FusedStep::Kind::view;
  step.fill = filler_of(step.out.bytes);
  from.by_row = false;
  from.by_column = copy.sizes.back() > 1 && copy.in_strides.back() == 1;
  from.width = from.by_column ? static_cast<std::size_t>(copy.sizes.back()) : 1;
  from.is_view = true;
  add_row_terms(copy.sizes, copy.in_strides, from);
  const std::size_t last = copy.sizes.size() - 2;
  step.run = static_cast<std::size_t>(copy.sizes[last]);
  step.run_step = static_cast<std::size_t>(copy.in_strides[last]);
  if (copy.sizes.back() > 1)
    from.element_step = static_cast<std::size_t>(std::max<std::int64_t>(copy.in_strides.back(), 1));
}

void follow_tiles(std::size_t tile_rows, std::size_t run_rows, FusedStep& step) {
  FusedPlace& from = step.in[0];
  if (from.element_step > 1 || step.run % run_rows != 0) return;
  const bool is_one = tile_rows == 1;
  if (is_one || step.run_step == 0 || step.run_step == from.width) {
    step.kind = FusedStep::Kind::fill;
    step.spread = spreader_of(step.out.bytes);
    from.by_row = is_one || step.run_step != 0;
    if (is_one && run_rows > 1) from.row_step = step.run_step;  // tiles may be joined
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

namespace {

// The elements of a row are some elements apart, or each row of the loop has one.
bool has_steps(const FusedStep& step) {
  return step.in[0].element_step > 1 || (step.out.width == 1 && step.run_step > 1);
}

void copy_with_steps(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t rows,
                     std::size_t columns) {
  const auto bytes_of = [&](std::size_t elements) {
    return static_cast<std::int64_t>(elements * step.out.bytes);
  };
  const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  Plane plane{{count(rows), bytes_of(step.run_step), bytes_of(columns)},
              {count(columns), bytes_of(step.in[0].element_step), bytes_of(1)},
              step.out.bytes};
  if (columns == 1) {
    plane.columns = {plane.rows.count, plane.rows.in, bytes_of(1)};
    plane.rows = {};
  } else if (rows > 1 && step.run_step == step.in[0].element_step * columns) {
    plane.columns.count *= plane.rows.count;
    plane.rows = {};
  }
  copy_plane(plane, in, out);
}

template <std::size_t kBytes>
void repeat_short(const std::byte* row, std::byte* out, std::size_t count) {
  std::byte copy[kBytes];
  std::memcpy(copy, row, kBytes);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * kBytes, copy, kBytes);
}
// A row of `bytes` again and again; short ones without a call for each of a few.
void repeat_row(const std::byte* row, std::size_t bytes, std::byte* out, std::size_t count) {
  switch (bytes) {
    case 8:
      return repeat_short<8>(row, out, count);
    case 16:
      return repeat_short<16>(row, out, count);
    case 32:
      return repeat_short<32>(row, out, count);
    case 64:
      return repeat_short<64>(row, out, count);
    default:
      return replicate(row, bytes, out, count);
  }
}

}  // namespace

void take_strided(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t n) {
  copy_with_steps(step, in, out, 1, n);
}

// Rows of the innermost dimension at once: one row of the operand, or rows that follow each other.
void view_part(const FusedStep& step, const std::byte* in, std::byte* out, const LoopPart& part) {
  const FusedPlace& from = step.in[0];
  const std::size_t columns = part.columns, end = part.row + part.rows;
  const std::size_t bytes = step.out.bytes, row = columns * bytes;
  for (std::size_t r = part.row; r < end;) {
    const std::size_t run = std::min(step.run - r % step.run, end - r);
    const std::byte* at = in + from.row_offset(r) * bytes;
    r += run;
    if (has_steps(step)) {
      copy_with_steps(step, at + part.column * from.element_step * bytes, out, run, columns);
      out += run * row;
    } else if (step.run_step == 0) {
      if (from.by_column)
        repeat_row(at, row, out, run);
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

void take_of(const program::TakeElements& take, program::ElementType index, FusedStep& step) {
  step.kind = FusedStep::Kind::take;
  step.line = {take.size, take.stride, index, step.out.bytes, take.strides.back()};
  FusedPlace& from = step.in[0];
  from.by_row = from.by_column = false;
  from.is_view = true;
  add_row_terms(take.sizes, take.strides, from);
}

namespace {

// One index for each row.
void take_rows(const FusedStep& step, const std::byte* x, const std::byte* indices, std::byte* out,
               const LoopPart& part) {
  constexpr std::size_t kAtOnce = 128;
  std::int64_t offsets[kAtOnce];
  const std::size_t bytes = step.out.bytes, row = part.columns * bytes;
  for (std::size_t r = 0; r < part.rows; r += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, part.rows - r);
    take_offsets(step.line, indices + r * step.in[1].bytes, count, offsets);
    gather_runs_of_bytes({offsets, count}, bytes, row, x + part.column * bytes, out + r * row);
  }
}

}  // namespace

void take_part(const FusedStep& step, const std::byte* x, const std::byte* indices, std::byte* out,
               const LoopPart& part) {
  if (step.out.by_column && !step.in[1].by_column) return take_rows(step, x, indices, out, part);
  const auto columns = static_cast<std::int64_t>(part.columns);
  // The whole part is one line where the operand moves along neither rows nor columns.
  if (step.in[0].terms == 0 && step.line.along == 0)
    return take_line(step.line, x, indices, static_cast<std::int64_t>(part.rows) * columns, out);
  const std::size_t column = part.column * static_cast<std::size_t>(step.line.along);
  for (std::size_t r = part.row; r < part.row + part.rows; ++r) {
    const std::size_t first = step.in[0].row_offset(r) + column;
    take_line(step.line, x + first * step.out.bytes, indices, columns, out);
    indices += part.columns * step.in[1].bytes;
    out += part.columns * step.out.bytes;
  }
}

}  // namespace understudy::worker::ops
