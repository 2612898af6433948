// SPDX-License-Identifier: Apache-2.0
// How many gathers are left where element-wise work on gathered elements is done before the gather.
// A pure function.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Whether two instructions put elements of arrays of one shape to the same places: gathers at the
// same indices, equal copies.
bool repeats_alike(const Instruction& a, const Instruction& b);

// The results of gathers in one list that should stay as they are: of element-wise work on them
// alone more values are read elsewhere than there are gathers, so that the list would have more
// gathers than before.
std::unordered_set<std::uint32_t> gathers_to_keep(const Code& code);

}  // namespace understudy::program::passes
