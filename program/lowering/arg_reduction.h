// SPDX-License-Identifier: Apache-2.0
// argmax and argmin, as jax.numpy writes them.
#pragma once

#include <optional>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// Whether a body compares as jnp.argmax does, or as jnp.argmin; nullopt where it is another one.
std::optional<bool> wants_largest(const Body& body);

struct ArgReduction {
  ArgReduce work;
  // Of the elements that are compared: values of the array's type convert to it and back exactly.
  ElementType compared;
};

// The work of a reduction that finds extreme elements and their positions along one dimension: its
// body is such a one, and its second input counts along the dimension. nullopt for any other.
// `inputs`: two arrays, then two initial values.
std::optional<ArgReduction> arg_reduction(const Lowering& lowering, const Reduce& work,
                                          const Parts& inputs);

}  // namespace understudy::program::passes
