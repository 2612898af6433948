// SPDX-License-Identifier: Apache-2.0
// Whether all collectives and transfers of an executable name processes that there are: asked of
// what comes from a cache, where the compiler did not just write it, and that their groups have as
// many members as shapes say. Pure function.
#pragma once

#include <cstdint>
#include <string>

#include "program/executable/executable.h"

namespace understudy::worker {

// What the first wrong one is refused for by process `self` of the program; "" where there is none.
std::string wrong_groups(const program::Executable& executable, std::int64_t self);

}  // namespace understudy::worker
