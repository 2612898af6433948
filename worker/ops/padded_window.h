// SPDX-License-Identifier: Apache-2.0
// The operand of a reduce_window with its padding and holes written out, so that what a position of
// the window meets is a strided array for all outputs. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/executable/executable.h"
#include "worker/chip/vmem.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

struct WindowField {
  const std::byte* at = nullptr;
  Shape shape, strides;
  bool is_input = true;  // nothing is added: `at` is the operand
};

// Shape and strides; `at` is null.
WindowField window_field(const program::Window& window, const Shape& input, const Shape& output);
// Copies the operand into memory of the field, with `value` around and between its elements.
void fill_window_field(const program::Window& window, const Shape& input, const std::byte* in,
                       const std::byte* value, std::size_t bytes, const WindowField& field,
                       std::byte* out);

// out = combine(out, x) for each position of the window in row-major order, where x is what the
// position meets: some outputs at a time, which stay in the cache.
void reduce_field(const program::Window& window, const WindowField& field, const Shape& output,
                  std::size_t bytes, program::kernels::BinaryKernel combine, std::byte* out,
                  Vmem& vmem);

}  // namespace understudy::worker::ops
