// SPDX-License-Identifier: Apache-2.0
// Reductions in a fused loop: of the rows of a tile, of a row in parts, of rows to one row. The
// bits are those of reduce.cc.
#pragma once

#include <cstddef>

#include "program/kernels/kernel_table.h"
#include "worker/ops/fused/fused_step.h"

namespace understudy::worker::ops {

// Makes a step of it. *Requires*: places are set.
void fold_of(const program::Reduce& work, const program::Instruction& instruction,
             const program::kernels::KernelTable& kernels, FusedStep& step);

// Folds `rows` rows of `columns` elements, as reduce.cc folds a dense run: from the initial value,
// in the accumulator's type.
void fold_rows(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* out,
               std::size_t rows, std::size_t columns);

// Which part of a reduction a tile has.
struct FusedPart {
  bool is_first = true, is_last = true;
};
// The lanes `sums` of a fold of a long row: their identity, a part of the row, and their join,
// which gives the bits of a fold of the whole row. *Requires*: a fold_part, or a fold of kLongFold
// elements and more; n is a multiple of 64, or this is the last part.
void begin_fold(const FusedStep& step, std::byte* sums);
void add_part(const FusedStep& step, const std::byte* in, std::byte* sums, std::size_t n);
void end_fold(const FusedStep& step, const std::byte* init, std::byte* sums, std::byte* out);
// The three at once.
void fold_part(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* sums,
               std::byte* out, std::size_t n, FusedPart part);
// The same for whole rows at once: row r has its lanes at sums + r * fold_lanes, and room for the
// tree follows those of the last row. *Requires*: merge_rows and join_rows.
std::size_t lanes_of_rows(const FusedStep& step, std::size_t rows);  // with that room
void begin_rows(const FusedStep& step, std::byte* sums, std::size_t rows);
void end_rows(const FusedStep& step, const std::byte* init, std::byte* sums, std::byte* out,
              std::size_t rows);
// Adds `rows` rows of `columns` elements to the levels of row_sums.h that `sums` holds, as
// reduce.cc adds dense rows. `done`: rows of the same block that came before.
void add_rows(const FusedStep& step, const std::byte* in, const std::byte* init, std::byte* sums,
              std::byte* out, std::size_t rows, std::size_t columns, std::size_t done);
// The same for `count` whole blocks of rows of `columns` elements, all of a row's. *Requires*:
// step.blocks_at_once() > 1.
void add_whole_blocks(const FusedStep& step, const std::byte* in, const std::byte* init,
                      std::byte* sums, std::byte* out, std::size_t count, std::size_t columns);

}  // namespace understudy::worker::ops
