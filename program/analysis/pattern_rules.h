// SPDX-License-Identifier: Apache-2.0
// The patterns that one all_reduce shows: what is known of it, and a rule per pattern. Pure
// functions.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "program/analysis/node.h"
#include "program/analysis/scaled.h"

namespace understudy::program::analysis {

// One all_reduce in the history of a metric, with the constant factors before and after it.
struct Site {
  NodePointer node = nullptr;
  const Collective* collective = nullptr;
  double members = 1;     // of its largest group
  double copies = 1;      // how often each distinct value is in a group; 1 where that differs
  double after = 1;       // constant factors between it and the result
  bool in_ratio = false;  // something that is computed divides it later
  bool alone = true;      // the result is a constant multiple of it
  Scaled before;          // its operand, taken apart
  double elements = 1;    // that the local sum behind it adds; 1 where there is none
};

struct Rule {
  const char* pattern;
  std::optional<std::string> (*find)(const Site& site);  // the warning where the pattern matches
  // The division on each chip is the place to look at (Found::division).
  bool names_division = false;
};
std::span<const Rule> pattern_rules();

}  // namespace understudy::program::analysis
