// SPDX-License-Identifier: Apache-2.0
// Elements of an operand at indices, one number each (TakeElements). Pure functions of memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/ir/element_type.h"

namespace understudy::worker::ops {

struct TakenLine {
  std::int64_t size = 1, stride = 1;  // of the operand's dimension that is indexed, in elements
  program::ElementType index = program::ElementType::i32;
  std::size_t bytes = 0;   // of an element
  std::int64_t along = 0;  // the operand moves so many elements from result to result
};

// out[i] = x[i * along + stride * index i], each index clamped into 0 .. size - 1, for all i below
// `count`. `indices` may be `out` where both have elements of one size.
void take_line(const TakenLine& line, const std::byte* x, const std::byte* indices,
               std::int64_t count, std::byte* out);

// The offset of each index in elements, `stride * index`, clamped in the same way.
void take_offsets(const TakenLine& line, const std::byte* indices, std::size_t count,
                  std::int64_t* offsets);

}  // namespace understudy::worker::ops
