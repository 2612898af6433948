// SPDX-License-Identifier: Apache-2.0
// Who is alone when ranks go different ways through their program, told from all flight recorders
// together: one rank's account of a failure has two sides, and only the others say which is the odd
// one. Where both sides are as many, nobody is named. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/flight.h"
#include "configs/run_plan.h"
#include "launcher/watch.h"

namespace understudy::launcher {

struct Dissent {
  std::vector<std::int64_t> ranks;   // the fewer
  std::vector<std::int64_t> others;  // the more
  configs::FlightSeen entry;         // what the first of `ranks` entered
};

// Of the ranks that entered another collective than most at the call at which `rank` failed.
// nullopt where they went more than two ways.
std::optional<Dissent> other_collective(const Watched& watched, std::int64_t rank);

// Whether a rank ran all steps of the plan; false where nobody knows how many there are.
bool has_finished(const Watched& watched, const configs::RunPlan& plan, std::int64_t rank);

// Of the ranks that wait in a collective while all others have finished the steps of the plan, and
// so will never come.
std::optional<Dissent> left_alone(const Watched& watched, const configs::RunPlan& plan);

}  // namespace understudy::launcher
