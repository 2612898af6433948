// SPDX-License-Identifier: Apache-2.0
// Reductions of stacks, as jnp.stack and jnp.select make them.
#pragma once

#include <optional>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// A reduction along the dimension in which a few arrays of one row each were joined: the steps of
// its body on the arrays themselves, which fuse with what made them. Inputs that count along the
// dimension take part as constants. Returns one value per result, with the element types of the
// body; nullopt, and emits nothing, for any other. `inputs`: arrays, then initial values.
std::optional<Parts> reduce_joined(Lowering& lowering, const Reduce& work, const Parts& inputs);

// The same for cumulative sums of integers along that dimension, as jnp.piecewise takes them: the
// stack of the sums. nullopt, with nothing emitted, for any other window.
std::optional<Operand> accumulate_joined(Lowering& lowering, const ReduceWindow& work,
                                         const Parts& inputs);

}  // namespace understudy::program::passes
