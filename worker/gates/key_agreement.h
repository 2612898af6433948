// SPDX-License-Identifier: Apache-2.0
// Checks that the chips of a run look up the same cache entry. Under a policy where some chips wait
// for the compile of another, a chip with a different key would wait in vain, and run a different
// program than its peers. Call from the executor thread.
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

// The profile's values that change generated code, as part of the key, with the fault "cache-key"
// applied. `inputs`: nullptr where the worker was started by hand.
std::map<std::string, std::string> code_values(const configs::RunPlan& plan,
                                               const configs::LaunchInputs* inputs, Rank rank);

// Collective. Chips of the same planned program must have the same parts. *Throws*, on all chips,
// Error{protocol} that names the part, two chips and their values; `culprit` is then the chip whose
// value fewer chips have, unless it is this one.
void agree_on_key(ControlChannel& control_channel, const configs::RunPlan& plan,
                  const cache::NamedParts& parts, std::optional<Rank>& culprit);

}  // namespace understudy::worker
