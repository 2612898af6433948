// SPDX-License-Identifier: Apache-2.0
// The kernel limits of the processes of a host, read once before a start from sources that tests
// replace. A limit that cannot be read is nullopt.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/resource.h>

namespace understudy::launcher {

// Means: unlimited.
inline constexpr std::uint64_t kNoLimit = UINT64_MAX;

struct HostLimits {
  std::optional<std::string> hugepages;  // transparent hugepages: "always", "madvise" or "never"
  std::optional<std::uint64_t> memlock;  // bytes that a process may pin, or kNoLimit
  std::optional<std::uint64_t> descriptors;  // open files of a process, or kNoLimit
  bool operator==(const HostLimits&) const = default;
};

struct LimitSources {
  std::string hugepages = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::string status = "/proc/self/status";  // for CAP_IPC_LOCK
  // The soft limit of a resource; nullopt where it cannot be read.
  std::function<std::optional<rlim_t>(int resource)> limit;  // unset: getrlimit()
};

HostLimits read_limits(const LimitSources& sources = {});

// Returns `limits` with one value replaced by a fault; `name` is "hugepages", "memlock" or
// "descriptors". *Throws* Error{usage} for another name or an invalid number.
HostLimits with_limit(HostLimits limits, const std::string& name, const std::string& value);

// The number of file descriptors that mpirun needs for `chips` chips on its machine.
std::uint64_t descriptors_needed(std::int64_t chips);

}  // namespace understudy::launcher
