// SPDX-License-Identifier: Apache-2.0
// Checks that the groups and pairs of all collectives and transfers of an executable name existing
// processes, and that group sizes fit the shapes. For executables from a cache, which the compiler
// did not just write. Pure function.
#pragma once

#include <cstdint>
#include <string>

#include "program/executable/executable.h"

namespace understudy::worker {

// The first error that process `self` of the program would meet; "" where there is none.
std::string wrong_groups(const program::Executable& executable, std::int64_t self);

}  // namespace understudy::worker
