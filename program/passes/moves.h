// SPDX-License-Identifier: Apache-2.0
// The order of a parallel assignment: many moves that happen at once, done one by one. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "program/executable/work.h"

namespace understudy::program::passes {

// Calls `move(i)` once for each i, so that no destination is written before all that others read
// there is read; the lowest i that may move goes first. Where moves wait for each other in a
// circle, `set_aside(i)` copies source i and returns where it is now. Costs n log n, where each
// source overlaps with few destinations.
void order_moves(const std::vector<Operand>& from, const std::vector<Operand>& to,
                 const std::function<void(std::size_t)>& move,
                 const std::function<void(std::size_t)>& set_aside);

}  // namespace understudy::program::passes
