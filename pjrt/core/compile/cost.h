// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of an executable, counted from its instructions, as far as they can be known
// without running it: a loop counts once. Pure function. Equivalents: xla::HloCostAnalysis.
#pragma once

#include "pjrt/core/compile/compiled.h"

namespace understudy::pjrt {

// Of one launch on one chip.
CompiledCost cost_of(const program::Executable& executable);

}  // namespace understudy::pjrt
