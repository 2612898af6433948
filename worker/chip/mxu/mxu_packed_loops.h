// SPDX-License-Identifier: Apache-2.0
// What mxu_packed.cc needs of an instruction set: operands of a block as panels of f32 in the
// cache, and products of these. A line is a row of the left operand or a column of the right one;
// depth runs along the sums. The same bits on each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "program/ir/element_type.h"

namespace understudy::worker {

// A block of bf16 or f32; one of the strides, in elements, is 1.
struct PackedSource {
  const std::byte* at = nullptr;
  program::ElementType element = program::ElementType::f32;
  std::int64_t depth_stride = 1, line_stride = 1;
};

struct PackedBlock {
  std::int64_t rows = 0, columns = 0, depth = 0;
};

struct PackedLoops {
  std::string_view name;  // "avx512"
  // The largest block: packed operands and sums stay in the second-level cache. Rows and columns
  // are whole panels.
  PackedBlock most;
  // As panels of some lines each: panels[line / lines][depth][line % lines]. bf16 is widened, f32
  // is rounded to bf16; lines beyond the last are 0.
  void (*pack_lines)(const PackedSource& from, std::int64_t depth, std::int64_t lines,
                     float* panels);
  // The product of packed operands, or what it adds to `out`: fused multiply-adds in the order of
  // the depth. Rows of `out` are `row` elements apart.
  void (*multiply)(const PackedBlock& block, const float* left, const float* right, float* out,
                   std::int64_t row, bool adds);
  // The same with a right operand of bf16 that is not packed, in tiles of columns_in_place columns,
  // also where the result has fewer. The columns of a line of depth are side by side, and lines are
  // `right_row` elements apart.
  void (*multiply_in_place)(const PackedBlock& block, const float* left, const std::uint16_t* right,
                            std::int64_t right_row, float* out, std::int64_t row, bool adds);
  std::int64_t columns_in_place;
};

// nullptr where the CPU lacks the instructions.
const PackedLoops* packed_loops_avx512();
const PackedLoops* packed_loops_avx2();

}  // namespace understudy::worker
