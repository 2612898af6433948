// SPDX-License-Identifier: Apache-2.0
#include "program/executable/executable.h"

#include "program/executable/memory_plan.h"

namespace understudy::program {

std::uint64_t Executable::hbm_bytes() const { return memory_plan(*this).hbm(); }

}  // namespace understudy::program
