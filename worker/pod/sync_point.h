// SPDX-License-Identifier: Apache-2.0
// Synchronisation points of all ranks of a pod, and what the ranks check there: that they are at
// the same point, and that their clocks agree. Rank 0 judges
// and broadcasts its verdict. Call from the executor thread only.
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

// A barrier at which every rank names the point it has reached. *Throws* Error{protocol} on all
// ranks where the names differ; `culprit` is then the first rank of the minority, unless it is this
// rank.
void barrier(ControlChannel& control_channel, const configs::RunPlan& plan, std::string_view point,
             std::optional<Rank>& culprit);

// Seconds since 1970 by this machine's clock.
double wall_clock();

// `before` is the time of our clock when we came to an earlier meeting of all ranks, `now` its time
// since. A correct `now` falls between the moments at which rank 0 left the one meeting and ended
// the other, however busy the machines are; a clock outside of that interval is wrong. On rank 0,
// `measured` is called with the seconds by which each clock is outside. *Throws* as barrier() does.
// Returns the text of the gate's record.
std::string compare_clocks(ControlChannel& control_channel, const configs::RunPlan& plan,
                           double before, double now, std::optional<Rank>& culprit,
                           const std::function<void(const std::vector<double>&)>& measured);

}  // namespace understudy::worker
