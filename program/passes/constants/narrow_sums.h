// SPDX-License-Identifier: Apache-2.0
// Sums of integers that are converted to a wider type and back, as jnp.packbits has them of bytes.
// Integers wrap, so the narrow type gives the same bits.
#pragma once

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Reduces such integers as they are. What nobody reads any more stays: dead code.
void narrow_sums(Draft& draft);

}  // namespace understudy::program::passes
