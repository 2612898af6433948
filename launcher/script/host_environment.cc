// SPDX-License-Identifier: Apache-2.0
#include "launcher/script/host_environment.h"

#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/launch/environment.h"
#include "configs/launch/shell_variables.h"

namespace understudy::launcher {
namespace {

// Addresses 1 to 62 of a block of 64.
constexpr std::int64_t kHostsPerRun = 62;

// How JAX takes this machine for a TPU VM, and where it finds the plugin.
void add_route(configs::Variables& variables, const configs::LaunchInputs& inputs,
               const std::string& plugin) {
  variables["TPU_LIBRARY_PATH"] = plugin;
  variables["PTXLA_TPU_LIBRARY_PATH"] = plugin;
  variables["JAX_FORCE_TPU_INIT"] = "1";
  // JAX asks the cloud's metadata server for what is not set; an empty address is none.
  if (inputs.slices == 1) {
    variables["MEGASCALE_NUM_SLICES"] = "1";
    variables["MEGASCALE_SLICE_ID"] = "0";
    variables["MEGASCALE_COORDINATOR_ADDRESS"] = "";
  }
  // JAX binds its coordinator to all interfaces otherwise, and two runs would share a port.
  variables["JAX_COORDINATOR_BIND_ADDRESS"] = variables["JAX_COORDINATOR_ADDRESS"];
}

// Cache entries in the folder of the run would cost a hash and a file per compilation and end with
// it, and they would replace the user's own choice: no folder named, no variables of the cache.
void add_launch(configs::Variables& variables, const configs::LaunchInputs& inputs,
                const std::string& run_folder, std::int64_t host) {
  const bool keeps_none = inputs.cache_dir == run_folder && inputs.profile.cache.policy != "off";
  for (const configs::EnvironmentEntry& entry : configs::launch_environment(inputs, host, 0))
    if (!keeps_none || entry.group != configs::VariableGroup::cache)
      variables[entry.name] = entry.value;
}

}  // namespace

// From the pid of the launcher, so that runs at the same time get different blocks without asking
// each other.
std::vector<std::string> host_addresses(std::int64_t hosts, std::int64_t pid) {
  if (hosts > kHostsPerRun)
    throw Error(ErrorKind::unsupported,
                fmt::format("{} host processes; one machine can run {}", hosts, kHostsPerRun));
  std::vector<std::string> addresses;
  // 127.64.0.0/10, 64 addresses per pid.
  for (std::int64_t host = 0; host < hosts; ++host)
    addresses.push_back(fmt::format("127.{}.{}.{}", 64 + ((pid >> 10) & 0x7f) % 64,
                                    (pid >> 2) & 0xff, ((pid & 3) << 6) + 1 + host));
  return addresses;
}

std::vector<std::string> host_environment(const std::vector<std::string>& shell,
                                          const configs::LaunchInputs& inputs,
                                          const configs::RunPlan& plan, const ScriptPlace& place,
                                          std::int64_t host) {
  configs::Variables variables = configs::variables_of(shell);
  std::erase_if(variables, [](const auto& entry) {
    // A launcher inside an MPI job must not make the script look like one of its ranks.
    return configs::owner_of(entry.first) == configs::VariableOwner::mpi;
  });
  add_launch(variables, inputs, place.run_folder, host);
  add_route(variables, inputs, place.plugin);
  variables[std::string(configs::kLaunchVariable)] = configs::to_json(inputs);
  variables["UNDERSTUDY_RUN_FOLDER"] = place.run_folder;
  variables["UNDERSTUDY_HOST"] = fmt::format("{}", host);
  variables["UNDERSTUDY_NUMERICS"] = plan.numerics;
  variables["UNDERSTUDY_LAUNCH_TIMEOUT"] = fmt::format("{:g}", plan.launch_timeout_seconds);
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

}  // namespace understudy::launcher
