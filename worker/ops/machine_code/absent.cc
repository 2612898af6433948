// SPDX-License-Identifier: Apache-2.0
// For builds without asmjit (cmake/asmjit.cmake).
#include "worker/ops/machine_code/machine_code.h"

namespace understudy::worker::ops {

bool makes_machine_code(const program::kernels::KernelTable& /*kernels*/) { return false; }

void compile_loops(BoundCode& /*code*/, const program::kernels::KernelTable& /*kernels*/) {}

}  // namespace understudy::worker::ops
