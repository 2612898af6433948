// SPDX-License-Identifier: Apache-2.0
// Whether the chips of a run look for one cache entry. Where a policy has some of them wait for
// what another one compiles, a key of their own would make them wait in vain, and run something
// else than their peers. Call from the executor thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cache/key.h"
#include "configs/launch/inputs.h"
#include "configs/launch/run_plan.h"
#include "worker/pod/control_channel.h"

namespace understudy::worker {

// What a run's profile sets that changes code, as part of the key; and what a fault makes of it.
// `inputs`: nullptr where the worker was started by hand.
std::map<std::string, std::string> code_values(const configs::RunPlan& plan,
                                               const configs::LaunchInputs* inputs, Rank rank);

// Collective. Chips of the same planned program must have the same parts. *Throws*, on all chips,
// Error{protocol} that names the part, two chips and what each has; `culprit` is then the one that
// has what fewer chips have, where this one is not.
void agree_on_key(ControlChannel& control_channel, const configs::RunPlan& plan,
                  const cache::NamedParts& parts, std::optional<Rank>& culprit);

}  // namespace understudy::worker
