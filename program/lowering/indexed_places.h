// SPDX-License-Identifier: Apache-2.0
// Where gathers and scatters find the elements of their windows, as far as their numbers count
// regularly.
#pragma once

#include <optional>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// Where the elements of an array of windows are in an operand: element i at base + sum i_d *
// strides_d.
struct StridedPlaces {
  Shape strides;
  std::int64_t base = 0;
};

// How an operation indexes its operand, as gathers and scatters both do.
struct Indexing {
  const TensorType& operand;
  const Operand& indices;
  std::size_t vector_dimension;
  const Shape& map;           // number k of a vector is for dimension map[k] of the operand
  const Shape& batching;      // dimensions of the operand,
  const Shape& batches;       // and those of the indices that they follow
  const Shape& dropped;       // other dimensions of the operand without one in the windows
  const Shape& in_windows;    // dimensions of the array of windows that are inside of a window
  std::int64_t ignored = -1;  // the number of the vectors that counts as 0
};

Indexing indexing_of(const Gather& work, const TensorType& operand, const Operand& indices);
Indexing indexing_of(const Scatter& work, const TensorType& operand, const Operand& indices);

// Where number k of the vectors is: where these are joined, in one of the parts. `k` becomes its
// number there.
Operand part_with_number(const Lowering& lowering, const Indexing& how, std::int64_t& k);

// nullopt where the numbers are not regular, or a window is not inside of the operand.
std::optional<StridedPlaces> places_of(const Lowering& lowering, const Indexing& how,
                                       const Shape& windows);

// Whether no two elements are at one place: each step is longer than all that the shorter ones
// span.
bool are_apart(const StridedPlaces& places, const Shape& sizes);

// Whether no two windows meet, whatever is in the numbers that are not regular. `windows`: the
// shape of the array of windows.
bool windows_are_apart(const Lowering& lowering, const Indexing& how, const Shape& windows);

}  // namespace understudy::program::passes
