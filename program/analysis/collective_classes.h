// SPDX-License-Identifier: Apache-2.0
// The process groups of a collective, and which processes surely hold equal values after it, or
// after other work between processes. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "program/analysis/classes.h"
#include "program/compile.h"
#include "program/executable/executable.h"

namespace understudy::program::analysis {

// The groups of a collective as process numbers, each in group order; a process in none is absent.
std::vector<std::vector<std::size_t>> groups_of(const Collective& collective,
                                                const Interface& interface);

// The classes of a collective's result, given those of its operand.
Classes classes_after(const Collective& collective, const Classes& in, const Interface& interface);

// The classes of work whose result differs between processes by itself: a process index, a message
// received. nullopt for any other work.
std::optional<Classes> own_classes(const Work& work, const Interface& interface);

}  // namespace understudy::program::analysis
