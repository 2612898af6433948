// SPDX-License-Identifier: Apache-2.0
// The environment of a host process: the user's own, without Open MPI's variables (they would win
// JAX's cluster detection), with those of a TPU VM of the slice and those by which the plugin finds
// its chips. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/launch/inputs.h"
#include "configs/launch/run_plan.h"

namespace understudy::launcher {

// Loopback addresses, one per host, that no other run on this machine uses: a run is named by the
// pid of its launcher. *Throws* Error{unsupported} for more hosts than a run has addresses.
std::vector<std::string> host_addresses(std::int64_t hosts, std::int64_t pid);

struct ScriptPlace {
  std::string run_folder, plugin;
};
// "NAME=value", sorted by name. `host` counts over all slices.
std::vector<std::string> host_environment(const std::vector<std::string>& shell,
                                          const configs::LaunchInputs& inputs,
                                          const configs::RunPlan& plan, const ScriptPlace& place,
                                          std::int64_t host);

}  // namespace understudy::launcher
