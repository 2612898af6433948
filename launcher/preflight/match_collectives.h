// SPDX-License-Identifier: Apache-2.0
// Finds each array that a collective of our executable moves in the program of the TPU compiler: as
// it is, or by a rule that says what the compiler made of it. A rule accounts for groups, element
// type and number of elements exactly, and for the padding that it names; what no rule accounts for
// is left, so a difference in any of these shows. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "launcher/preflight/collective_parts.h"

namespace understudy::launcher {

struct MatchedCollectives {
  std::map<std::string, std::vector<std::string>> reasons;  // by kind
  std::vector<CollectivePart> ours, compiler;               // not accounted for
};

// `chips_per_slice`: where slices are joined, so that a group may go beyond one; else 0.
MatchedCollectives match_collectives(const CollectiveSide& ours, const CollectiveSide& compiler,
                                     std::int64_t chips_per_slice);

}  // namespace understudy::launcher
