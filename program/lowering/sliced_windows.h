// SPDX-License-Identifier: Apache-2.0
// Windowed reductions as element-wise steps.
#pragma once

#include <optional>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// A reduce_window of few positions without padding: the initial value combined with one slice of
// the array for each position. nullopt, with nothing emitted, where loops would not read the slices
// in place. `inputs`: the array, then the initial value.
std::optional<Operand> reduce_slices(Lowering& lowering, const ReduceWindow& work,
                                     const Parts& inputs, const TensorType& result);

}  // namespace understudy::program::passes
