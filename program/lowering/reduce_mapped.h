// SPDX-License-Identifier: Apache-2.0
// Reductions that map each element before they combine it.
#pragma once

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// A body g(a, f(b)), as a sum of squares or a largest size is written, of which g is a known
// reduction and f element-wise work: maps the array by f and leaves g in `work`. Also a body
// g(f(a), f(b)) where g chooses one of the two and f changes nothing when it is applied again, as
// max(|a|, |b|); the initial value is mapped then, too. Leaves any other as it is. `inputs`: array
// and initial value.
void map_before_reduction(Lowering& lowering, Reduce& work, Parts& inputs);

}  // namespace understudy::program::passes
