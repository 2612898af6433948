// SPDX-License-Identifier: Apache-2.0
// The Fused instruction of one group of instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "program/passes/draft.h"
#include "program/passes/fusion/groups.h"

namespace understudy::program::passes {

// How often the instructions of a program access each of its temporaries.
using AccessCounts = std::unordered_map<std::uint32_t, std::size_t>;
// Adds the accesses of one instruction, without those of lists inside it.
void count_accesses(const Instruction& instruction, AccessCounts& counts);

// The loop that does what the members of `group` do, which stay in `code`. `all`: the accesses of
// the whole program; temporaries that only the members access become values of the tile.
Instruction build_loop(const Code& code, const FusionGroup& group, const AccessCounts& all);

}  // namespace understudy::program::passes
