// SPDX-License-Identifier: Apache-2.0
// Cumulative reductions by a kernel (cumsum, cumprod, cummax): each element of a line becomes the
// result before it combined with it, from the initial value on. Executor thread only. Equivalent:
// XLA's cumulative reduce_window, with sums in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/kernels/kernels.h"
#include "worker/chip/vmem.h"

namespace understudy::worker::ops {

// One line of single elements, from the element of its first step on, from step to step `stride`
// (1 or -1) elements further. The steps wait for each other, but not for calls.
using LineFunction = void (*)(const std::byte* from, const std::byte* init, std::byte* to,
                              std::int64_t size, std::int64_t stride);
// nullptr where there is none for that reduction and type.
LineFunction line_function(program::Reduction reduction, program::ElementType element);

// A line is `size` blocks of `block` neighbouring elements, which stay apart from each other.
struct RunningLines {
  program::kernels::BinaryKernel kernel = nullptr;
  std::size_t bytes = 0;  // of an element
  std::size_t block = 1;
  std::int64_t size = 0;
  bool forward = true;          // else from the last block to the first
  LineFunction line = nullptr;  // the same as the kernel; may be absent
};

// `count` dense lines. `from` and `to` do not overlap.
void run_lines(const RunningLines& lines, std::int64_t count, const std::byte* from,
               const std::byte* init, std::byte* to, Vmem& vmem);

}  // namespace understudy::worker::ops
