// SPDX-License-Identifier: Apache-2.0
// One step of a Fused loop made ready to run: its kernels, and how its operands follow the tile.
// Plain values and pure functions; a step holds no addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/executable/executable.h"
#include "program/executable/tile.h"
#include "program/kernels/kernel_table.h"
#include "worker/ops/indexing/take_elements.h"
#include "worker/ops/row_sums.h"

namespace understudy::worker::ops {

// Row r of the loop begins (r / divisor % modulus) * stride elements further on, for each term.
struct RowTerm {
  std::size_t divisor = 1, modulus = 1, stride = 0;
  bool operator==(const RowTerm&) const = default;
};

// Where an operand of a step is, and how it follows the tile. Of a view the base and the terms say
// where the rows of a tile begin, and the rest how it goes on within the tile.
struct FusedPlace {
  program::Space space = program::Space::frame;
  std::uint32_t index = 0;
  std::size_t offset = 0;  // in the frame: bytes per lane
  std::size_t beyond = 0;  // in the frame: bytes after that
  std::size_t bytes = 0;   // of an element
  std::size_t width = 1;   // elements per row
  bool by_row = false, by_column = false;
  bool is_view = false;
  std::size_t join = 0;      // in the frame: number of the join that makes the value; 0: none does
  std::size_t row_step = 0;  // from row to row in a tile, in elements, where they are apart
  // From lane to lane in memory, in elements, of which the first is `base`. Of a view within a row
  // only: the terms say where rows begin.
  std::size_t element_step = 1;
  std::size_t base = 0, terms = 0;
  RowTerm row_terms[program::kMostRowTerms] = {};

  // Of the first element of a row, without the columns.
  std::size_t row_offset(std::size_t row) const {
    if (!is_view) return base + (by_row ? row * width * element_step : 0);
    std::size_t element = base;
    for (std::size_t t = 0; t < terms; ++t)
      element += row / row_terms[t].divisor % row_terms[t].modulus * row_terms[t].stride;
    return element;
  }
  // From row to row of a tile of `columns`, if it follows the rows, in bytes.
  std::size_t row_bytes(std::size_t columns) const {
    return (row_step != 0 ? row_step : (by_column ? columns : 1) * element_step) * bytes;
  }
  // From lane to lane. Each has `element_step` elements for itself, of which its own is number
  // `turn()`.
  std::size_t lane_bytes() const { return element_step * bytes; }
  std::size_t turn() const { return base % element_step; }
  // The place of the first elements that lanes have for themselves.
  FusedPlace first_turn() const {
    FusedPlace first = *this;
    first.base -= turn();
    return first;
  }
  bool operator==(const FusedPlace&) const = default;
};

// Writes one element of a given size to `n` places.
using Filler = void (*)(const std::byte* one, std::byte* out, std::size_t n);
Filler filler_of(std::size_t element_bytes);

// Writes each of `rows` elements `columns` times.
using Spreader = void (*)(const std::byte* in, std::byte* out, std::size_t rows,
                          std::size_t columns);
Spreader spreader_of(std::size_t element_bytes);  // null for elements of 16 bytes

// A part of an array that a step makes of parts: its place in its argument and in the array, in
// elements.
struct JoinedPart {
  struct Dimension {
    std::int64_t size, in_stride, out_stride;
    std::int64_t reach;  // elements of the array from the first to the last of one index
  };
  std::uint32_t argument = 0;
  std::int64_t in_base = 0, out_base = 0;
  std::vector<Dimension> dimensions;
};

// An element-wise step has three at most, one that writes arrays by turns more.
constexpr std::size_t kMostInputs = program::kMostApart;

struct FusedStep {
  // view: rows at regular places; strided: elements of an array that are some elements apart;
  // apart: to places of an output that are apart, one or more inputs by turns; join: parts of
  // arrays; take: elements at indices; fold: of whole rows; fold_part: of rows longer than a tile;
  // add_rows: of each block of rows to one.
  enum class Kind : std::uint8_t {
    one,
    two,
    choose,
    fill,
    iota,
    view,
    strided,
    apart,
    join,
    take,
    fold,
    fold_part,
    add_rows
  };
  Kind kind = Kind::one;
  FusedPlace in[kMostInputs], out;
  std::size_t inputs = 0;
  bool is_shared[kMostInputs] = {};             // inputs with one value in all lanes
  std::size_t most = SIZE_MAX;                  // lanes of a fill that anybody reads
  program::kernels::UnaryKernel one = nullptr;  // of a fold: to the accumulator's type
  program::kernels::UnaryKernel narrow = nullptr;
  program::kernels::BinaryKernel two = nullptr;
  program::kernels::SelectKernel choose = nullptr;
  program::kernels::FoldKernel fold = nullptr;
  program::kernels::FoldRowsKernel fold_rows = nullptr;  // may be absent
  std::size_t wide_bytes = 0;                            // of an accumulator
  RowSums adds;                                          // of fold_part, add_rows, long folds
  program::kernels::FoldKernel join = nullptr;           // of accumulators
  program::Reduction reduction = program::Reduction::none;
  // Of a fold of long rows: of accumulators, of many rows.
  program::kernels::AccumulateRowsKernel merge_rows = nullptr;
  program::kernels::FoldRowsKernel join_rows = nullptr;
  std::size_t fold_lanes = 0;  // of the fold of a long row
  std::size_t sums = 0;        // accumulators that wait between tiles
  std::size_t block = 0;       // rows that add_rows takes to one
  // Short blocks that add_rows takes at once: as many as have accumulators.
  std::size_t blocks_at_once() const { return adds.levels > 1 ? 1 : sums / out.width; }
  FusedPlace sums_at;
  // Of a view: rows of its innermost dimension, and how far they are apart, in elements.
  std::size_t run = 1, run_step = 0;
  TakenLine line;                 // of a take
  std::vector<JoinedPart> parts;  // of a join, later ones over earlier ones
  bool counts_words = false;      // of an iota: integers of 32 bits
  Filler fill = nullptr;
  Spreader spread = nullptr;  // absent for elements of 16 bytes
};

// *Requires*: a step of a Fused that check_bounds() passed.
FusedStep fused_step_of(const program::Instruction& instruction,
                        const program::kernels::KernelTable& kernels);

// The numbers first, first + 1, ... as elements of an iota step.
void count_from(const FusedStep& step, std::size_t first, std::byte* out, std::size_t n);

// Repeats one element of each row along it, or one row down all of them, as the place of the step's
// input says.
void spread_rows(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t rows,
                 std::size_t columns);

}  // namespace understudy::worker::ops
