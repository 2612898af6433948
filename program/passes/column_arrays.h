// SPDX-License-Identifier: Apache-2.0
// Copies whose last dimension has a few columns, column by column. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// A copy as an array for each column, repeated along dimensions of the rows: element (row, k) is at
// `base` + the strides of the row + k `apart`. Neighbouring dimensions that go on alike are one.
struct ColumnArrays {
  Shape sizes, strides;
  std::int64_t base = 0, apart = 0;

  std::int64_t elements() const;  // of one of them
};

// Strides of a dense array.
Shape dense_strides(const Shape& sizes);
// nullopt where a row of the copy is not `columns` elements of its last dimension.
std::optional<ColumnArrays> column_arrays(const StridedCopy& copy, std::int64_t columns);

}  // namespace understudy::program::passes
