// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Lets reductions read bf16 and f16 instead of their copies in f32, which then nothing makes.
void widen_in_reductions(Draft& draft);

}  // namespace understudy::program::passes
