// SPDX-License-Identifier: Apache-2.0
// Finds the ranks that enter other collectives than the rest, from the flight recorders of all
// ranks. A mismatch report alone has two sides and does not show which one is wrong; the majority
// decides. With a tie no rank is blamed. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/launch/run_plan.h"
#include "configs/receipt/record/flight_record.h"
#include "launcher/diagnose/watched_run.h"

namespace understudy::launcher {

struct Divergence {
  std::vector<std::int64_t> ranks;   // the minority
  std::vector<std::int64_t> others;  // the majority
  configs::FlightSeen entry;         // the collective that the first of `ranks` entered
};

// The minority at the call at which `rank` failed. nullopt if there is a tie or more than two
// different collectives.
std::optional<Divergence> other_collective(const WatchedRun& watched, std::int64_t rank);

// Whether a rank ran all steps of the plan; false for a hosted pod, whose step count is unknown.
bool has_finished(const WatchedRun& watched, const configs::RunPlan& plan, std::int64_t rank);

// The ranks that wait in a collective while all others have finished the steps of the plan and will
// never enter it. nullopt if any rank is in another state, or no majority has finished.
std::optional<Divergence> left_alone(const WatchedRun& watched, const configs::RunPlan& plan);

}  // namespace understudy::launcher
