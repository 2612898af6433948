// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters of single elements: each index vector addresses one element. Loops over
// blocks of them find and check the offsets, and move or combine the elements. Pure functions of
// memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/ir/element_type.h"
#include "program/ir/kinds.h"

namespace understudy::worker::ops {

// Dense index vectors of one or two integers of any type, without batching dimensions.
struct ElementIndices {
  const std::byte* at = nullptr;
  program::ElementType type = program::ElementType::i32;
  std::size_t length = 1;        // of a vector: 1 or 2
  std::int64_t sizes[2] = {};    // of the operand, in the dimensions that the numbers address
  std::int64_t strides[2] = {};  // in elements
  std::int64_t count = 0;
  std::int64_t along = 0;  // of a gather: the operand moves so many elements from result to result
  std::int64_t run = 1;    // of a scatter: elements in a row that an index vector addresses
};

// out[i] = x[index i + i * along], each number clamped into its dimension.
void gather_elements(const ElementIndices& indices, const std::byte* x, std::size_t element_bytes,
                     std::byte* out);

// The offset of each index vector in elements, each number clamped into its dimension.
void clamped_offsets(const ElementIndices& indices, std::int64_t* offsets);

// out[index i + r] = combination of itself and updates[i * run + r], for each r below `run`, in
// order; indices outside are skipped. Reduction::none overwrites. False, with nothing done, where
// no loop has the elements' type.
bool scatter_elements(const ElementIndices& indices, program::Reduction reduction,
                      program::ElementType element, const std::byte* updates, std::byte* out);

}  // namespace understudy::worker::ops
