// SPDX-License-Identifier: Apache-2.0
// Custom calls by which JAX writes operations that StableHLO has no form for: @mhlo.topk (JAX 0.4),
// and @stablehlo.dynamic_*, the forms of shape-polymorphic programs whose sizes are operands.
#pragma once

#include "program/lowering/refine/open_shapes.h"

namespace understudy::program::passes {

// dynamic_reduce_window(inputs..., initial values..., window dimensions, strides, base dilations,
// window dilations, padding): the last five operands are integers.
struct DynamicWindow {
  std::size_t inputs = 0;
  Window window;
};
// *Throws* Error{unsupported} where one of the five is only known at run time.
DynamicWindow dynamic_window_of(const Lowering& lowering, const Operation& op);
// The result shape of a window operation over `shape`. *Requires* as many dimensions in both.
Shape windowed(Shape shape, const Window& window);

// The result shapes of custom calls.
Shape infer_custom_call(const Open& open, std::size_t result);

void lower_dynamic_reduce_window(Lowering& lowering, const Operation& op);
void lower_rng_bit_generator(Lowering& lowering, const Operation& op);

}  // namespace understudy::program::passes
