// SPDX-License-Identifier: Apache-2.0
// Which ranks diverge from the others in the collectives that they enter, from the flight recorders
// of all ranks: the two sides of one report do not tell which of them is wrong. Where both sides
// have as many ranks, nobody is named. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/launch/run_plan.h"
#include "configs/receipt/flight_record.h"
#include "launcher/diagnose/watched.h"

namespace understudy::launcher {

struct Divergence {
  std::vector<std::int64_t> ranks;   // the fewer
  std::vector<std::int64_t> others;  // the more
  configs::FlightSeen entry;         // what the first of `ranks` entered
};

// Of the ranks that entered another collective than most at the call at which `rank` failed.
// nullopt where they went more than two ways.
std::optional<Divergence> other_collective(const Watched& watched, std::int64_t rank);

// Whether a rank ran all steps of the plan; false where nobody knows how many there are.
bool has_finished(const Watched& watched, const configs::RunPlan& plan, std::int64_t rank);

// Of the ranks that wait in a collective while all others have finished the steps of the plan, and
// so will never come.
std::optional<Divergence> left_alone(const Watched& watched, const configs::RunPlan& plan);

}  // namespace understudy::launcher
