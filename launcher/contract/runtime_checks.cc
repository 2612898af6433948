// SPDX-License-Identifier: Apache-2.0
// Checks of the runtime settings (device, flags, memory, cache).
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sstream>

#include "configs/base/cache_policy.h"
#include "configs/base/diagnosis_id.h"
#include "configs/base/suggest.h"
#include "configs/base/units.h"
#include "launcher/contract/checks.h"

namespace understudy::launcher {
namespace {

using configs::Variables;

// The page size of TPU VM hosts (x86-64), whatever this machine's is.
constexpr std::uint64_t kPageBytes = 4096;
// An entry of the compile cache may not fit into less free space than this.
constexpr std::uint64_t kLeastFree = 64 * kMiB;

std::string value_of(const Variables& host, const std::string& name) {
  const auto found = host.find(name);
  return found == host.end() ? "" : found->second;
}

Refusal of_host(std::string_view diagnosis, std::size_t host, const std::string& words) {
  return {std::move(diagnosis), fmt::format("host {}: {}", host, words),
          static_cast<std::int64_t>(host)};
}

// CPU and an unset variable are one failure (the program silently runs on the CPU); an unknown kind
// is another (the framework refuses it).
std::optional<Refusal> device_is_known(const LaunchCase& launch) {
  static const std::vector<std::string> kKinds = {"TPU", "CPU", "NEURON", "XPU", "LIBRARY"};
  for (std::size_t i = 0; i < launch.hosts.size(); ++i) {
    const std::string device = value_of(launch.hosts[i], "PJRT_DEVICE");
    if (device == "TPU") continue;
    if (device.empty() || device == "CPU")
      return of_host(name_of(DiagnosisId::device_kind_differs), i,
                     device.empty() ? "PJRT_DEVICE is not set: the framework defaults to CPU"
                                    : "PJRT_DEVICE is CPU: the program would not use the TPU");
    const bool known = std::ranges::find(kKinds, device) != kKinds.end();
    return of_host(name_of(DiagnosisId::device_unknown), i,
                   known ? fmt::format("PJRT_DEVICE is {}, expected TPU", device)
                         : fmt::format("unknown PJRT_DEVICE: '{}'{}; known: {}", device,
                                       did_you_mean(device, kKinds), join_words(kKinds)));
  }
  return std::nullopt;
}

// XLA aborts on unknown flags in XLA_FLAGS; TPU flags are only read from LIBTPU_INIT_ARGS, so in
// XLA_FLAGS they are unknown, too.
std::optional<Refusal> flags_where_they_belong(const LaunchCase& launch) {
  for (std::size_t i = 0; i < launch.hosts.size(); ++i) {
    std::istringstream words(value_of(launch.hosts[i], "XLA_FLAGS"));
    for (std::string word; words >> word;) {
      const bool is_tpus = word.starts_with("--xla_tpu_") || word.starts_with("--tpu_") ||
                           word.starts_with("--megascale_");
      if (is_tpus)
        return of_host(
            name_of(DiagnosisId::flag_misplaced), i,
            fmt::format("{} is in XLA_FLAGS; TPU flags belong in LIBTPU_INIT_ARGS", word));
      if (!word.starts_with("--xla_"))
        return of_host(name_of(DiagnosisId::flag_misplaced), i,
                       fmt::format("unknown flag in XLA_FLAGS: {}; XLA would abort", word));
    }
  }
  return std::nullopt;
}

// Every variable that is not specific to a host must be equal everywhere. Differences in compiler
// flags have their own diagnosis, because they lead to different executables.
std::optional<Refusal> hosts_are_alike(const LaunchCase& launch) {
  const configs::Variables first =
      configs::variables_of(configs::launch_environment(launch.inputs, 0, 0));
  for (std::size_t i = 0; i < launch.hosts.size(); ++i) {
    Variables names = first;
    names.insert(launch.hosts[i].begin(), launch.hosts[i].end());
    for (const auto& [name, any] : names) {
      const auto kind = configs::kind_of(name);
      if (kind && kind->differs(launch.inputs.slices)) continue;
      const std::string here = value_of(launch.hosts[i], name), there = value_of(first, name);
      if (here == there) continue;
      const bool is_flags = name == "LIBTPU_INIT_ARGS" || name == "XLA_FLAGS";
      return of_host(
          is_flags ? name_of(DiagnosisId::flags_differ) : name_of(DiagnosisId::environment_differs),
          i, fmt::format("{} is \"{}\", expected \"{}\"", name, here, there));
    }
  }
  return std::nullopt;
}

// Dumps and traces slow down a start by a multiple and fill disks, so they must be chosen on
// purpose.
std::optional<Refusal> diagnostics_in_their_profile(const LaunchCase& launch) {
  if (launch.inputs.profile.diag.diagnostic) return std::nullopt;
  constexpr std::array<std::string_view, 4> kWords = {"--xla_dump_", "--tpu_log_allocations_on_oom",
                                                      "--megascale_abort_on_hangs",
                                                      "--xla_hlo_profile"};
  for (std::size_t i = 0; i < launch.hosts.size(); ++i) {
    for (const auto& [name, value] : launch.hosts[i]) {
      const auto kind = configs::kind_of(name);
      const bool flags = name == "XLA_FLAGS" || name == "LIBTPU_INIT_ARGS";
      const bool has_word = flags && std::ranges::any_of(kWords, [&](std::string_view word) {
                              return value.find(word) != std::string::npos;
                            });
      if ((kind && kind->group == configs::VariableGroup::diag) || has_word)
        return of_host(name_of(DiagnosisId::diagnostic_flag), i,
                       fmt::format("{}={} is only allowed in diagnostic profiles", name, value));
    }
  }
  return std::nullopt;
}

// Proxy variables are in use in lower and upper case; no_proxy is harmless.
std::optional<Refusal> no_proxies(const LaunchCase& launch) {
  for (std::size_t i = 0; i < launch.hosts.size(); ++i)
    for (const auto& [name, value] : launch.hosts[i]) {
      std::string lower = name;
      std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
      });
      if (lower.ends_with("_proxy") && lower != "no_proxy")
        return of_host(
            name_of(DiagnosisId::proxy_set), i,
            fmt::format("{} is set: connections between hosts would go through the proxy", name));
    }
  return std::nullopt;
}

std::optional<Refusal> processes_can_be(const LaunchCase& launch) {
  for (std::size_t i = 0; i < launch.hosts.size(); ++i) {
    const std::string count = value_of(launch.hosts[i], "PJRT_LOCAL_PROCESS_COUNT");
    const std::string all = fmt::format("{}", launch.inputs.chips_per_host());
    if (count != "1" && count != all)
      return of_host(
          name_of(DiagnosisId::process_count_unsupported), i,
          fmt::format("unsupported nprocs ({}): expected 1 or {} processes per host", count, all));
  }
  if (launch.inputs.profile.launch.multiple_libtpu && launch.inputs.processes_per_host() == 1)
    return Refusal{name_of(DiagnosisId::libtpu_loaded_twice),
                   "launch.multiple_libtpu is set, but one process drives all chips of a host: "
                   "two copies of libtpu would share the chips",
                   std::nullopt};
  return std::nullopt;
}

// The sum of three values must fit: the premapped pools of all processes, the memory of data
// loading, and headroom for the system.
std::optional<Refusal> host_memory_suffices(const LaunchCase& launch) {
  const configs::MemorySettings& mem = launch.inputs.profile.mem;
  if (mem.premapped_bytes % kPageBytes != 0)
    return Refusal{name_of(DiagnosisId::premapped_unaligned),
                   fmt::format("mem.premapped_bytes is {}, expected a multiple of {}",
                               mem.premapped_bytes, kPageBytes),
                   std::nullopt};
  if (mem.premapped_threshold_bytes > mem.premapped_bytes)
    return Refusal{
        name_of(DiagnosisId::premapped_too_small),
        fmt::format("mem.premapped_threshold_bytes ({}) exceeds the premapped pool of {}",
                    bytes_text(mem.premapped_threshold_bytes), bytes_text(mem.premapped_bytes)),
        std::nullopt};
  std::uint64_t there = mem.host_bytes;
  for (const configs::HostMemory& one : launch.memory)
    if (there == 0 && one.chips >= launch.inputs.chips_per_host()) there = one.bytes;
  const auto processes = static_cast<std::uint64_t>(launch.inputs.processes_per_host());
  if (there == 0) return std::nullopt;  // unknown: nothing to check
  const std::uint64_t fixed = mem.loader_bytes + mem.headroom_bytes;
  // Written as a division so that the product of processes and pool size cannot overflow.
  const bool fits = fixed <= there && mem.premapped_bytes <= (there - fixed) / processes;
  if (fits) return std::nullopt;
  return Refusal{
      name_of(DiagnosisId::host_memory_exceeded),
      fmt::format("{} process{} x {} premapped + {} for data loading + {} headroom "
                  "exceed the {} of a host",
                  processes, processes == 1 ? "" : "es", bytes_text(mem.premapped_bytes),
                  bytes_text(mem.loader_bytes), bytes_text(mem.headroom_bytes), bytes_text(there)),
      std::nullopt};
}

// Only what can be known without writing to the folder.
std::optional<Refusal> cache_is_safe(const LaunchCase& launch) {
  const configs::CacheSettings& cache = launch.inputs.profile.cache;
  const auto refuse = [](std::string_view diagnosis, std::string words) {
    return Refusal{diagnosis, std::move(words), std::nullopt};
  };
  const CachePolicyRow& policy = cache_policy_named(cache.policy);
  if (!policy.keeps_entries()) return std::nullopt;
  const std::string& folder = launch.plan.cache_dir;
  // unsafe_on_purpose: the stress profile demonstrates what happens without a lock.
  if (policy.takes_lock && launch.plan.cache_lock == "none" && !cache.unsafe_on_purpose)
    return refuse(name_of(DiagnosisId::cache_unsafe),
                  fmt::format("several processes write to {} without a lock", folder));
  if (cache.start == "empty" && launch.cache.entries > 0)
    return refuse(name_of(DiagnosisId::cache_not_empty),
                  fmt::format("the profile requires an empty cache, but {} has {} entries", folder,
                              launch.cache.entries));
  const bool writes = policy.writes();
  if (writes && !launch.cache.writable)
    return refuse(name_of(DiagnosisId::cache_denied), fmt::format("cannot write to {}", folder));
  if (writes && launch.cache.free_bytes && *launch.cache.free_bytes < kLeastFree)
    return Refusal{name_of(DiagnosisId::cache_disk_full),
                   fmt::format("only {} free for the compile cache in {} ({}; {} bytes needed)",
                               bytes_text(*launch.cache.free_bytes), folder,
                               launch.cache.file_system, kLeastFree),
                   std::nullopt, ErrorKind::system};
  return std::nullopt;
}

std::optional<Refusal> spmd_where_needed(const LaunchCase& launch) {
  if (launch.inputs.profile.spmd.enabled || launch.plan.partitions <= 1) return std::nullopt;
  return Refusal{name_of(DiagnosisId::spmd_disabled),
                 fmt::format("the program has {} partitions, but spmd.enabled is false",
                             launch.plan.partitions),
                 std::nullopt};
}

}  // namespace

std::span<const ContractCheck> runtime_checks() {
  static constexpr ContractCheck kChecks[] = {
      {"device is a TPU", device_is_known},
      {"flags are in the right variable", flags_where_they_belong},
      {"diagnostic flags only in diagnostic profiles", diagnostics_in_their_profile},
      {"no proxies", no_proxies},
      {"process count is supported", processes_can_be},
      {"hosts have equal environments", hosts_are_alike},
      {"host memory suffices", host_memory_suffices},
      {"cache is safe", cache_is_safe},
      {"SPMD is enabled if needed", spmd_where_needed},
  };
  return kChecks;
}

}  // namespace understudy::launcher
