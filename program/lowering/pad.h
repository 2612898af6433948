// SPDX-License-Identifier: Apache-2.0
// Padding, shared by the static and the dynamic form of the operation.
#pragma once

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

struct Padding {
  Shape low, high, interior;
};

// x in a field of `value` (a scalar), as stablehlo.pad; negative edges crop.
Operand pad(Lowering& lowering, const Operand& x, const Operand& value, const Padding& padding,
            const TensorType& type);

// Padding that is along one dimension in some shape joins what surrounds the array to it: slices
// and sums read the parts. Dead code where nothing does.
void remember_padded(Lowering& lowering, const Operand& x, const Operand& value,
                     const Padding& padding, const Operand& out);

// Padding with zeros between elements and around them, as gradients of pooling do it.
void remember_spread(Lowering& lowering, const Operand& x, const Operand& value,
                     const Padding& padding, const Operand& out);

// The sums of windows over such an array, each of which has one element of it: nullopt of others.
// `inputs`: the array and the initial value.
std::optional<Operand> sums_of_spread(Lowering& lowering, const ReduceWindow& work,
                                      const Parts& inputs);

}  // namespace understudy::program::passes
