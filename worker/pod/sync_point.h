// SPDX-License-Identifier: Apache-2.0
// Where all ranks of a pod come together, and what they find out about each other there: that they
// mean the same point of synchronisation, and that their clocks agree (bring-up facts, sections 5.4
// and 5.7). Rank 0 judges, all hear it. Call from the executor thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/launch/run_plan.h"
#include "worker/pod/control_channel.h"

namespace understudy::worker {

// A barrier at which every rank says where it thinks that it is. *Throws* Error{protocol} on all
// ranks where they do not agree; `culprit` is then the first of the fewer, unless it is this rank.
void meet(ControlChannel& control_channel, const configs::RunPlan& plan, std::string_view point,
          std::optional<Rank>& culprit);

// Seconds since 1970 by this machine's clock.
double wall_clock();

// `before` is what our clock showed when we came to an earlier meeting of all ranks, `now` what it
// shows since. A rank whose `now` lies outside of what passed at rank 0 between the two meetings
// has another clock, however busy the machines are. `measured` is called on rank 0 with the seconds
// by which each clock lies outside of that time. *Throws* as meet() does. Returns words for the
// record.
std::string compare_clocks(ControlChannel& control_channel, const configs::RunPlan& plan,
                           double before, double now, std::optional<Rank>& culprit,
                           const std::function<void(const std::vector<double>&)>& measured);

}  // namespace understudy::worker
