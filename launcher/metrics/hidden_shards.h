// SPDX-License-Identifier: Apache-2.0
// Shards that show no influence on a result, although others of their group do: whether any data
// make them show. A function with bounds, such as tanh or clip, hides a shard as long as another
// one holds data that reach the bound, so the experiments start from other data on all chips too.
#pragma once

#include <span>

#include "launcher/metrics/probe_runs.h"

namespace understudy::launcher {

// Tries harder with the shards of one group that some result does not show. `of_group` has all
// shards of the group, after a first change of each; `base` are the results of the task's data.
void examine_hidden(ProbeRuns& runs, std::span<Influence> of_group, const ResultValues& base);

}  // namespace understudy::launcher
