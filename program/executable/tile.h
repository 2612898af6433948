// SPDX-License-Identifier: Apache-2.0
// The tile of a fused loop and the VMEM it takes: chosen by the plan, used by the chip, shown in
// listings. Pure functions. Equivalents: the window of a Mosaic kernel, scoped VMEM.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/executable/executable.h"

namespace understudy::program {

struct Tile {
  std::uint64_t rows = 1, columns = 1;  // of a full tile, in elements
  std::uint64_t lanes = 0;              // rows x columns, rounded up
  std::uint64_t values_bytes = 0;       // of the values that only the steps use
  // Of the parts of inputs and outputs that a full tile reads and writes. They are in VMEM twice:
  // while one tile is computed, the next is fetched and the one before is written back.
  std::uint64_t operand_bytes = 0;

  std::uint64_t vmem_bytes() const;
};

// A reduced row up to this length is one tile at least: longer ones would leave the second-level
// cache. They are reduced tile by tile, and no step of the loop reads their results.
constexpr std::int64_t kLongestRow = 65536;
// The same of a loop that has one row: longer ones leave the first-level cache, and there are no
// other rows to reduce beside it.
constexpr std::int64_t kLongestOnlyRow = 4096;
constexpr std::int64_t longest_row(std::int64_t rows) noexcept {
  return rows == 1 ? kLongestOnlyRow : kLongestRow;
}

// How a Reduce that is a step of a loop takes its operand: one element of each row, whose lanes
// wait for the next tile where the row is long; or one row of each block of rows (leading
// dimensions are reduced: one block; or middle ones).
enum class StepReduction : std::uint8_t { whole_rows, long_rows, row_blocks };
// *Requires* a Reduce with operands in the shape of the loop.
StepReduction step_reduction(const Instruction& step);

// The accumulators of a reduction of blocks of rows: a row for each level of their tree, or of
// short blocks one row each for as many as are added at once. *Requires*: columns > 0.
constexpr std::size_t row_block_sums(std::size_t columns, std::size_t levels) {
  constexpr std::size_t kAtOnce = 512;  // 4 KiB of the largest: they stay in the first-level cache
  return levels > 1 ? levels * columns : columns < kAtOnce ? kAtOnce / columns * columns : columns;
}

// Whether a step reads its input at other places than those of the tile: the rows of a view, or
// elements at indices.
bool reads_elsewhere(const Instruction& step, std::size_t input);

// A copy of a dense array, or of one element again and again, to places of an array that are a few
// elements apart: one of the arrays that jnp.stack puts side by side along a new last dimension.
constexpr std::int64_t kMostApart = 8;
bool writes_apart(const StridedCopy& copy);

// Whether a copy writes runs of elements in rising order, none over another, as a part of a Join in
// a fused loop does. *Requires* as many strides as sizes.
bool is_in_runs(const StridedCopy& copy);

// Whether no tile has parts of rows: a step reduces whole ones, or writes one element per row that
// a second tile of the row would compute from what the first has overwritten.
bool keeps_rows(const Fused& work);

// The same for every chip. A row of up to longest_row() elements that a step reduces is never
// split. *Requires* a checked instruction with a Fused.
Tile tile_of(const Instruction& instruction);
// Its shape alone, without the bytes of operands.
Tile tile_of(const Fused& work);

// *Throws* Error{capacity}, diagnosed, in XLA's words where the tile of a fused loop does not fit
// into `vmem_bytes`: it names the operation, its tile and what to try.
void check_tiles_fit(const Executable& executable, std::uint64_t vmem_bytes);

}  // namespace understudy::program
