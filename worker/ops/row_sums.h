// SPDX-License-Identifier: Apache-2.0
// Reductions of rows to one row, by the tree of program/kernels/row_tree.h where the order of the
// steps has an influence: the same bits however the rows come in parts. Call from the executor
// thread only.
#pragma once

#include <cstddef>

#include "program/kernels/kernels.h"

namespace understudy::worker::ops {

// The accumulators of `columns` columns: for each level of the tree a row, `step` bytes apart in
// `lower`, and apart from these the last row, which is the result.
struct RowLevels {
  std::byte* last = nullptr;
  std::byte* lower = nullptr;
  std::size_t step = 0, columns = 0;
};

struct RowSums {
  program::kernels::BinaryKernel accumulate = nullptr;
  program::kernels::AccumulateRowsKernel accumulate_rows = nullptr;  // may be absent
  program::kernels::BinaryKernel merge = nullptr;                    // of accumulators
  program::kernels::IdentityWriter identity = nullptr;               // of accumulators
  std::size_t bytes = 0, wide_bytes = 0;  // of an element, an accumulator
  std::size_t levels = 1;

  // For `rows` rows of each result. *Requires*: a reduction that has kernels.
  static RowSums of(const program::kernels::KernelTable& kernels, program::Reduction reduction,
                    program::ElementType element, std::size_t rows);

  // Blocks of rows, each to its row of the dense `accumulators`; strides in elements. Not by the
  // tree: where it has one level.
  void add_blocks(const std::byte* in, const program::kernels::RowBlocks& blocks,
                  std::byte* accumulators) const;

  // `start`: one accumulator with the initial value.
  void begin(const RowLevels& at, const std::byte* start) const;
  // `rows` rows, `stride` elements apart, after `done` ones.
  void add(const RowLevels& at, const std::byte* in, std::size_t rows, std::size_t stride,
           std::size_t done) const;
  void end(const RowLevels& at) const;

 private:
  std::byte* level(const RowLevels& at, std::size_t number) const {
    return number + 1 == levels ? at.last : at.lower + number * at.step;
  }
  // Levels that are full go up. `full`: rows that level `from` has taken.
  void carry(const RowLevels& at, std::size_t from, std::size_t full) const;
  // The first sums of some rows of few columns, each from its own start, then taken up in order.
  void add_leaves(const RowLevels& at, const std::byte* in, std::size_t stride,
                  std::size_t done) const;
  void clear(std::byte* accumulators, std::size_t columns) const;
};

}  // namespace understudy::worker::ops
