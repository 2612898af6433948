// SPDX-License-Identifier: Apache-2.0
// Which elements of a tensor the positions of a sliding window fall on. The padded and dilated
// tensor is never materialised. Values; the shapes outlive the Rows.
#pragma once

#include <cstdint>
#include <optional>

#include "program/executable/executable.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

// For one position inside the window: the columns of one row of outputs that have an element there
// are first, first + period, ... (`count` of them); the k-th of them uses the block at `element` +
// k * `step`.
struct Run {
  std::int64_t first = 0, count = 1, period = 1;
  std::int64_t element = 0, step = 0;
};

// True where the window is trivial along a dimension: size 1, no stride, padding or dilation.
bool does_nothing(const program::Window& window, std::size_t dimension);

// The outputs as rows: one row for each index of outer(), of columns() blocks of block() elements.
class Rows {
 public:
  Rows(const program::Window& window, const Shape& input, const Shape& output);

  const Shape& outer() const { return outer_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t block() const { return block_; }
  // The dimension of the columns.
  std::size_t axis() const { return axis_; }
  // The window's sizes up to axis(): the positions to iterate over.
  const Shape& positions() const { return positions_; }
  // nullopt: in the whole row this position falls on padding or between elements.
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
