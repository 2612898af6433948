// SPDX-License-Identifier: Apache-2.0
// Reductions between chips that are probably mistakes: they give a number, but not the metric that
// was meant. One rule per pattern, in a table. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "program/analysis/flow.h"

namespace understudy::program::analysis {

struct Found {
  std::string pattern, text;
  NodePointer node = nullptr;  // where
  // Of a mean of means whose result is a multiple of the sum of quotients: the division.
  NodePointer division = nullptr;
};

// Of one small result (a metric).
std::vector<Found> patterns_behind(NodePointer result, const Flow& flow);
// Of the whole program: collectives that only some chips reach, and reductions that are never read.
std::vector<Found> patterns_of(const Flow& flow);

}  // namespace understudy::program::analysis
