// SPDX-License-Identifier: Apache-2.0
// Reductions of groups of channels, as group norm has them.
#pragma once

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// A reduction over outer and innermost dimensions with kept ones between them (all pixels, and the
// channels of each group) would read short runs. Emits one over the outer dimensions, whose rows
// are long and which fuses with what computes `x`, and returns its result; `work` is left with the
// innermost ones. Returns `x`, and changes nothing, where that is not worth it. Sums are in another
// order: docs/numerics.md.
Operand reduce_outer_dimensions(Lowering& lowering, Reduce& work, const Operand& x);

}  // namespace understudy::program::passes
