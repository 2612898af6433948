// SPDX-License-Identifier: Apache-2.0
// Which processes a collective brings together, and what it and other work between processes leaves
// equal on them. Pure functions.
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

// What a collective leaves on each process, by what goes into it there.
Classes classes_after(const Collective& collective, const Classes& in, const Interface& interface);

// Of work that differs between processes by itself: the number of a process, what others send.
std::optional<Classes> own_classes(const Work& work, const Interface& interface);

}  // namespace understudy::program::analysis
