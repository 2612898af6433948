// SPDX-License-Identifier: Apache-2.0
// When temporaries are alive, for their placement (plan.cc). Instructions are numbered in program
// order, nested code included. Each temporary lives from its first to its last access, and longer
// where a loop comes back to it. Pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Positions count instructions in program order, nested code included.
struct Interval {
  // Of `first`: nothing accesses it; of `takes_over`: none.
  static constexpr std::uint32_t kNever = UINT32_MAX;

  std::uint32_t first = kNever;
  std::uint32_t last = 0;
  std::uint32_t takes_over = kNever;  // the temporary whose buffer this one may continue in
};

// Of each of the temporaries 0 to `temporaries` - 1.
std::vector<Interval> live_intervals(const Code& code, std::size_t temporaries);

}  // namespace understudy::program::passes
