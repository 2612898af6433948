// SPDX-License-Identifier: Apache-2.0
// Where windows that slide over a tensor meet its elements. The tensor after padding and base
// dilation is never made. Values; the shapes outlive the Rows.
#pragma once

#include <cstdint>
#include <optional>

#include "program/executable/executable.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

// For one position inside the window, the columns of one row of outputs that meet an element there:
// first, first + period, ... (count of them); the k-th meets the block at `element` + k * `step`.
struct Run {
  std::int64_t first = 0, count = 1, period = 1;
  std::int64_t element = 0, step = 0;
};

// True where a window's only position along a dimension is the element itself.
bool does_nothing(const program::Window& window, std::size_t dimension);

// Outputs as rows: one for each index of outer(), of columns() blocks of block() elements.
class Rows {
 public:
  Rows(const program::Window& window, const Shape& input, const Shape& output);

  const Shape& outer() const { return outer_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t block() const { return block_; }
  // The dimension of the columns.
  std::size_t axis() const { return axis_; }
  // The window as far as it does anything: positions to walk.
  const Shape& positions() const { return positions_; }
  // nullopt: the position lies in padding or between elements in the whole row.
  std::optional<Run> run(const Shape& row, const Shape& position) const;

 private:
  std::optional<Run> columns_of(std::int64_t position, std::int64_t base) const;

  const program::Window& window_;
  const Shape& input_;
  std::size_t axis_ = 0;
  std::int64_t block_ = 1, columns_ = 1;
  Shape outer_, positions_, strides_;
};

}  // namespace understudy::worker::ops
