// SPDX-License-Identifier: Apache-2.0
// One function per kind of work, in worker/ops/; the executor dispatches to them. Each reads inputs
// and writes outputs in the launch's spaces. Elementwise work may have its output in the same place
// as an input of the same size; an update may share the place of its operand. *Requires*:
// check_bounds() passed.
#pragma once

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker::ops {

using program::Instruction;

#define UNDERSTUDY_RUN(type, ...) \
  void run(const program::type& work, const Instruction& instruction, Execution& execution);
UNDERSTUDY_WORKS(UNDERSTUDY_RUN)
#undef UNDERSTUDY_RUN

}  // namespace understudy::worker::ops
