// SPDX-License-Identifier: Apache-2.0
// The current position of a run, for the heartbeat of a long step and for a deadline that passed.
// Values; pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "configs/receipt/record/record.h"
#include "launcher/diagnose/op_locations.h"

namespace understudy::launcher {

// The position of the first rank that is running and does not wait for another rank.
struct RunPosition {
  std::int64_t rank = -1;  // -1: no worker is known
  configs::Phase phase = configs::Phase::started;
  std::uint64_t step = 0;
  std::uint32_t op = 0;                         // ordinal + 1, 0 = none
  std::array<configs::LoopSeen, 2> loops = {};  // outermost, innermost
};

// "rank 0 is in step 1 of 1, stablehlo.add at f.mlir:5:7, in iteration 12 of stablehlo.while at
// ..."
std::string position_text(const RunPosition& standing, std::int64_t steps, const OpLocations& ops);

}  // namespace understudy::launcher
