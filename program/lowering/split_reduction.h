// SPDX-License-Identifier: Apache-2.0
// Reductions over outer and innermost dimensions with kept ones between them, as group norm and
// batch norm have them, as two.
#pragma once

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// One over all pixels and the channels of each group would read short runs. Emits one over the
// outer dimensions, whose rows are long and which fuses with what computes `x`, and returns its
// result; `work` is left with the innermost ones. Returns `x`, and changes nothing, where that is
// not worth it. Sums are in another order: docs/numerics.md.
Operand reduce_outer_dimensions(Lowering& lowering, Reduce& work, const Operand& x);

// One over the batches and the pixels of each channel fuses with nothing. Emits one over the
// innermost dimensions, if they have long runs, which fuses with what computes `x`; `work` is left
// with the outer ones. The rest as above.
Operand reduce_long_runs(Lowering& lowering, Reduce& work, const Operand& x);

}  // namespace understudy::program::passes
