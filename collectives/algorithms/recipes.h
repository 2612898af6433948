// SPDX-License-Identifier: Apache-2.0
// Which schedule each algorithm makes for each kind of collective, with what it costs in words.
// Pure.
#pragma once

#include <span>
#include <string_view>

#include "collectives/schedule.h"

namespace understudy::collectives {

// n members, S bytes of a member's operand; where chunks are even and accumulators are elements.
struct Recipe {
  std::string_view algorithm;
  Kind kind;
  Maker make;
  std::string_view steps;     // "2(n-1)"
  std::string_view messages;  // per member
  std::string_view bytes;     // per member
};

std::span<const Recipe> recipes();
// *Throws* Error{usage} if there is no such row.
const Recipe& recipe_of(std::string_view algorithm, Kind kind);

}  // namespace understudy::collectives
