// SPDX-License-Identifier: Apache-2.0
// Cumulative reductions by a kernel (cumsum, cumprod, cummax): each element of a line becomes the
// result before it combined with it, from the initial value on. Sums and products of floats are
// kept in a wider type, and rounded where they are stored: n roundings one after the other would
// show in long lines. Executor thread only. Equivalent: XLA's cumulative reduce_window, in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/kernels/kernels.h"
#include "worker/chip/vmem.h"

namespace understudy::worker::ops {

// A line is `size` blocks of `block` neighbouring elements, which stay apart from each other.
struct RunningLines {
  program::Reduction reduction = program::Reduction::none;
  program::ElementType element = program::ElementType::f32;
  std::size_t block = 1;
  std::int64_t size = 0;
  bool forward = true;  // else from the last block to the first
};

// `count` dense lines. `from` and `to` do not overlap.
void run_lines(const program::kernels::KernelTable& kernels, const RunningLines& lines,
               std::int64_t count, const std::byte* from, const std::byte* init, std::byte* to,
               Vmem& vmem);

}  // namespace understudy::worker::ops
