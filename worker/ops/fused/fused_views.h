// SPDX-License-Identifier: Apache-2.0
// Operands of a fused loop whose rows are at regular places: repeated along parts of the rows, as
// x[:, None, :] in x[:, None, :] - y[None, :, :], or parts of longer rows, as x[:, :n]. Where the
// rows of each tile follow such an operand in one way, it is read from its place; otherwise a step
// copies it row by row. And operands whose elements are taken at indices. Pure functions.
#pragma once

#include <cstddef>

#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

// Completes the step of a StridedCopy. `elements`: of its operand.
void view_of(const program::StridedCopy& copy, std::size_t elements, FusedStep& step);

// For tiles of that many rows, none of which goes beyond a multiple of `run_rows`. Where the rows
// of each tile are one row of the operand, or follow each other there, the step becomes one of kind
// `fill`. Where they are at one distance from each other, its place gets a row_step.
void follow_tiles(std::size_t tile_rows, std::size_t run_rows, FusedStep& step);

// Whether a fill has each element of a tile once, and so need not run.
bool is_in_place(const FusedStep& step);

// Completes the step of a TakeElements, whose numbers have that type.
void take_of(const program::TakeElements& take, program::ElementType index, FusedStep& step);

// Part of the loop: `rows` rows of `columns` elements.
struct LoopPart {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;
};
// Of a step of kind `strided`: `n` lanes from the element at `in` on.
void take_strided(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t n);
// `in` and `x`: the operand's first element.
void view_part(const FusedStep& step, const std::byte* in, std::byte* out, const LoopPart& part);
void take_part(const FusedStep& step, const std::byte* x, const std::byte* indices, std::byte* out,
               const LoopPart& part);

}  // namespace understudy::worker::ops
