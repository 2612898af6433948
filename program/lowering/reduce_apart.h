// SPDX-License-Identifier: Apache-2.0
// Reductions of several arrays at once whose results do not depend on each other.
#pragma once

#include <vector>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// The body of each result of such a reduction, as a sum and a maximum of one array are written: a
// known reduction of its own array. Empty for any other body.
std::vector<Body> separate_bodies(const Body& body);

}  // namespace understudy::program::passes
