// SPDX-License-Identifier: Apache-2.0
// How a product is divided, part of mxu.cc: into tiles whose staged operands fit into VMEM, and
// these into blocks that stay in the second-level cache with their sums. Call from the executor
// thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_stage.h"

namespace understudy::worker {

// The type that both operands are staged in, and the type of the sums.
struct MxuPlan {
  program::ElementType multiply = program::ElementType::f32;
  program::ElementType sum = program::ElementType::f32;
  bool split = false;  // each f32 into a high and a low bf16 half
  bool widen = false;  // bf16 to f32: the library has no products of bf16
};

struct MxuTileSize {
  std::int64_t m, n, k;
};

// The largest tile whose staged panels and sums fit into `room` bytes of VMEM.
MxuTileSize tile_size(const Product& product, const MxuPlan& plan, std::uint64_t room);

// A part of the result, or of a tile of it.
struct MxuBlock {
  std::int64_t m, n, rows, columns;
};

// Staged panels whose products are added up; one pair, or three of halves.
struct Factors {
  program::ElementType element = program::ElementType::f32;
  std::vector<std::pair<Panel, Panel>> pairs;
};

inline Panel part_of(const Panel& panel, std::int64_t row, std::int64_t column, std::int64_t rows,
                     std::int64_t columns) {
  return panel_of({panel.element, panel.row_stride, panel.column_stride}, panel.at, row, column,
                  rows, columns);
}

// The size of the blocks of a tile whose sums have `depth` terms of `element_bytes`.
struct MxuBlockSize {
  std::int64_t rows, columns;
};
MxuBlockSize block_size(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                        std::size_t element_bytes);

// Calls visit(block) for all blocks of these sizes, rows inside of columns.
template <class Visit>
void for_each_block(std::int64_t rows, std::int64_t columns, const MxuBlockSize& size,
                    const Visit& visit) {
  for (std::int64_t n = 0; n < columns; n += size.columns)
    for (std::int64_t m = 0; m < rows; m += size.rows)
      visit(MxuBlock{m, n, std::min(size.rows, rows - m), std::min(size.columns, columns - n)});
}

// Where the sums of a tile are: in the result where it has their type, else in VMEM until they are
// complete, so that the result is rounded once.
class Sums {
 public:
  Sums(const Product& product, program::ElementType element, const MxuBlock& tile, std::byte* out);
  // Sums that one pass over the blocks completes need the room of one block. *Throws*
  // Error{capacity}.
  void take_room(const MxuBlockSize& block, bool complete, Vmem& vmem);

  std::byte* at(const MxuBlock& block) const;
  // From one row of the block's sums to the next, in elements.
  std::int64_t row(const MxuBlock& block) const;
  // Complete sums to the result.
  void round(const MxuBlock& block, const Stage& stage) const;

 private:
  std::byte* result_at(const MxuBlock& block) const;

  const Product& product_;
  program::ElementType element_;
  MxuBlock tile_;
  std::byte* out_;
  bool direct_, per_block_ = false;
  std::byte* room_ = nullptr;
};

}  // namespace understudy::worker
