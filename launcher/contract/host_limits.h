// SPDX-License-Identifier: Apache-2.0
// What the kernel lets the processes of a host have: read once before a start, from sources that a
// test replaces. Nothing is told of what could not be read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/resource.h>

namespace understudy::launcher {

// A limit that is none.
inline constexpr std::uint64_t kNoLimit = UINT64_MAX;

struct HostLimits {
  std::optional<std::string> hugepages;      // transparent ones: "always", "madvise" or "never"
  std::optional<std::uint64_t> memlock;      // bytes that a process may pin; kNoLimit
  std::optional<std::uint64_t> descriptors;  // that a process may have open; kNoLimit
  bool operator==(const HostLimits&) const = default;
};

struct LimitSources {
  std::string hugepages = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::string status = "/proc/self/status";  // for the right to pin without a limit
  // The soft limit of a resource; nullopt where it cannot be read.
  std::function<std::optional<rlim_t>(int resource)> limit;  // unset: getrlimit()
};

HostLimits read_limits(const LimitSources& sources = {});

// With the value that a fault gives to one of them: "hugepages", "memlock" or "descriptors".
// *Throws* Error{usage} for another name or no number.
HostLimits with_limit(HostLimits limits, const std::string& name, const std::string& value);

// Descriptors that mpirun needs for so many chips of its machine.
std::uint64_t descriptors_needed(std::int64_t chips);

}  // namespace understudy::launcher
