// SPDX-License-Identifier: Apache-2.0
// Custom calls that are routines of LAPACK: as JAX emits them for CPUs (typed calls, and the older
// form whose sizes and flags are operands) and for TPUs. Pure functions.
// Reference: jax/_src/lax/linalg.py and jaxlib/lapack.py of JAX 0.4.30 to 0.10.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// The function of a target; nullptr where it is no routine.
LowerFunction lapack_target(std::string_view target);

// All targets, with '?' for the letter of an element type (s d c z), and who emits each.
struct LapackTargetName {
  std::string_view name, letters, from;
};
std::vector<LapackTargetName> lapack_targets();

}  // namespace understudy::program::passes
