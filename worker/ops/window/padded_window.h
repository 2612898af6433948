// SPDX-License-Identifier: Apache-2.0
// The operand of a reduce_window with its padding and holes written out, so that what a position of
// the window reads is a strided array for all outputs. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/executable/executable.h"
#include "worker/chip/vmem.h"
#include "worker/ops/operands.h"
#include "worker/ops/window/sliding_folds.h"

namespace understudy::worker::ops {

struct PaddedWindow {
  const std::byte* at = nullptr;
  Shape shape, strides;
  bool is_input = true;  // nothing is added: `at` is the operand
};

// Shape and strides; `at` is null.
PaddedWindow padded_window(const program::Window& window, const Shape& input, const Shape& output);
// Copies the operand into the memory of the padded window, with `value` around and between its
// elements.
void fill_padded_window(const program::Window& window, const Shape& input, const std::byte* in,
                        const std::byte* value, std::size_t bytes, const PaddedWindow& padded,
                        std::byte* out);

// How a result takes the next element of its window. `sliding`: many at once where windows are one
// element apart, or null.
struct WindowStep {
  const std::byte* init = nullptr;  // one element
  program::kernels::BinaryKernel combine = nullptr;
  SlidingFold sliding = nullptr;
};
// out = init, then out = combine(out, x) for each position of the window in row-major order, where
// x is what the position reads: some outputs at a time, which stay in the cache.
void reduce_padded_window(const program::Window& window, const PaddedWindow& padded,
                          const Shape& output, std::size_t bytes, const WindowStep& step,
                          std::byte* out, Vmem& vmem);

}  // namespace understudy::worker::ops
