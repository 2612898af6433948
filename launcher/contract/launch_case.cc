// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/cache_policy.h"
#include "configs/base/file_system.h"
#include "configs/launch/fault.h"
#include "launcher/contract/checks.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// `count`: also count the entries, which walks the folder.
// Only reads: a check that created the folder would change what the next one finds.
CacheFolder look_at_cache(const std::string& folder, bool count) {
  CacheFolder found;
  std::error_code missing;
  if (!fs::is_directory(folder, missing)) return found;  // it is created later
  for (auto entry = fs::recursive_directory_iterator(folder, missing);
       count && !missing && entry != fs::recursive_directory_iterator(); entry.increment(missing))
    if (entry->path().extension() == ".entry") ++found.entries;
  // A read-only folder of another user is no error: the run uses the entries that it may read.
  struct stat about {};
  const bool of_other = ::stat(folder.c_str(), &about) == 0 && about.st_uid != ::geteuid();
  found.writable = ::access(folder.c_str(), W_OK) == 0 || (of_other && errno == EACCES);
  if (const std::optional<FileSystem> system = file_system_of(folder);
      system && system->counts_bytes()) {
    found.free_bytes = system->free_bytes;
    found.file_system = text_of(*system);
  }
  return found;
}

}  // namespace

LaunchCase launch_case(const configs::LaunchInputs& inputs, const configs::RunPlan& plan,
                       const HostLimits& here) {
  LaunchCase launch{inputs, plan, {}, configs::chip_spec(inputs.chip).host_memory, {}, {}};
  for (std::int64_t host = 0; host < inputs.hosts(); ++host) {
    configs::Variables variables =
        configs::variables_of(configs::launch_environment(inputs, host, 0));
    HostLimits limits = here;
    // Faults that target a host are visible before the start; faults of a single rank are only
    // visible to that rank.
    for (const std::string& text : inputs.faults) {
      const configs::Fault fault = configs::parse_fault(text);
      if (!fault.of_host || fault.target != host) continue;
      if (fault.kind == configs::FaultKind::host_limit)
        limits = with_limit(limits, fault.name, fault.value.value_or(""));
      if (fault.kind != configs::FaultKind::env) continue;
      if (fault.value) {
        variables[fault.name] = *fault.value;
      } else {
        variables.erase(fault.name);
      }
    }
    launch.hosts.push_back(std::move(variables));
    launch.limits.push_back(std::move(limits));
  }
  const configs::CacheSettings& cache = inputs.profile.cache;
  if (cache_policy_named(cache.policy).keeps_entries())
    launch.cache = look_at_cache(plan.cache_dir, cache.start == "empty");
  return launch;
}

// Limits first: if mpirun cannot open its files, nothing else matters.
std::optional<Refusal> refusal_of(const LaunchCase& launch) {
  for (const auto& checks : {limit_checks(), identity_checks(), runtime_checks()})
    for (const ContractCheck& check : checks)
      if (std::optional<Refusal> refusal = check.look(launch)) return refusal;
  return std::nullopt;
}

}  // namespace understudy::launcher
