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

}  // namespace understudy::program::passes
