// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters whose indices count regularly and are inside of the operand (x[::2],
// x[jnp.arange(n)[:, None] + jnp.arange(m)], x.at[1:-1].set(u)), as copies.
#pragma once

#include <optional>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// nullopt for all others.
std::optional<Operand> gather_regular(Lowering& lowering, const Gather& work, const Parts& inputs,
                                      const TensorType& type);
// From a stack of few arrays, of each of which the gather would be regular (jnp.choose): selections
// among them.
std::optional<Operand> gather_from_stack(Lowering& lowering, const Gather& work,
                                         const Parts& inputs, const TensorType& type);
// The scattered operand; `inputs`: the operand, the numbers, the updates.
std::optional<Operand> scatter_regular(Lowering& lowering, const Scatter& work,
                                       const Parts& inputs);

}  // namespace understudy::program::passes
