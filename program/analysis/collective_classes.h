// SPDX-License-Identifier: Apache-2.0
// Which processes a collective connects, and which surely hold equal values after it, or after
// other work between processes. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include "program/analysis/classes.h"
#include "program/compile.h"
#include "program/executable/executable.h"

namespace understudy::program::analysis {

// The processes that exchange data with each other: the groups, or each pair of a permutation.
std::vector<ProcessGroup> connected_by(const Collective& collective);

// The classes of a collective's result, given those of its operand.
Classes classes_after(const Collective& collective, const Classes& in);

// The classes of work whose result differs between processes by itself: a process index, a message
// received. nullopt for any other work.
std::optional<Classes> own_classes(const Work& work, const Interface& interface);

}  // namespace understudy::program::analysis
