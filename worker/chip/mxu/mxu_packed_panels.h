// SPDX-License-Identifier: Apache-2.0
// Blocks of operands as f32 in the cache, part of mxu_packed.cc. bf16 is widened, f32 is rounded to
// bf16. A line is a row of the left operand or a column of the right one; depth runs along the
// sums. *Requires* a CPU with AVX-512.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/ir/element_type.h"

namespace understudy::worker {

constexpr std::int64_t kPackedPanel = 16;  // lines

// A block of bf16 or f32; one of the strides, in elements, is 1.
struct PackedSource {
  const std::byte* at = nullptr;
  program::ElementType element = program::ElementType::f32;
  std::int64_t depth_stride = 1, line_stride = 1;
};

// As panels of kPackedPanel lines: panels[line / kPackedPanel][depth][line % kPackedPanel]. Lines
// beyond the last are 0.
void pack_lines(const PackedSource& from, std::int64_t depth, std::int64_t lines, float* panels);

}  // namespace understudy::worker
