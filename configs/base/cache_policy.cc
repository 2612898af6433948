// SPDX-License-Identifier: Apache-2.0
#include "configs/base/cache_policy.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/error.h"

namespace understudy {
namespace {

// In the order of CachePolicyId.
constexpr std::array<CachePolicyRow, 6> kPolicies = {{
    {CachePolicyId::per_host, "per-host",
     "the first chip of each host compiles and publishes, its neighbours load", CacheSharing::host,
     CacheWriters::host_leaders, false},
    {CachePolicyId::per_process, "per-process", "every chip has a folder of its own",
     CacheSharing::process, CacheWriters::everybody, false},
    {CachePolicyId::single_writer, "single-writer",
     "one chip of the pod compiles and publishes, all others only read", CacheSharing::pod,
     CacheWriters::pod_leader, false},
    {CachePolicyId::shared, "shared", "every chip may write into one folder; --cache-lock says how",
     CacheSharing::pod, CacheWriters::everybody, true},
    {CachePolicyId::read_only, "read-only", "existing entries are used, nothing is written",
     CacheSharing::pod, CacheWriters::none, false},
    {CachePolicyId::off, "off", "every chip compiles, nothing is kept", CacheSharing::none,
     CacheWriters::none, false},
}};

// In the order of LockKind.
constexpr std::array<std::string_view, 4> kLocks = {"none", "exclusive-file", "directory",
                                                    "process"};

}  // namespace

std::span<const CachePolicyRow> cache_policies() { return kPolicies; }

const CachePolicyRow& cache_policy(CachePolicyId id) {
  return kPolicies.at(static_cast<std::size_t>(id));
}

const CachePolicyRow& cache_policy_named(std::string_view name) {
  const auto found = std::ranges::find(kPolicies, name, &CachePolicyRow::name);
  if (found != kPolicies.end()) return *found;
  Error error(ErrorKind::usage, fmt::format("unknown cache policy \"{}\"", name));
  for (const CachePolicyRow& row : kPolicies)
    error.note(fmt::format("{}: {}", row.name, row.description));
  throw error;
}

std::string cache_subfolder(const CachePolicyRow& policy, std::int64_t host, std::int64_t process) {
  switch (policy.folder) {
    case CacheSharing::host:
      return fmt::format("host{}", host);
    case CacheSharing::process:
      return fmt::format("host{}/rank{}", host, process);
    case CacheSharing::pod:
      return "shared";
    case CacheSharing::none:
      break;
  }
  throw Error(ErrorKind::internal, fmt::format("cache policy {} has no folder", policy.name));
}

std::string_view name_of(LockKind kind) { return kLocks.at(static_cast<std::size_t>(kind)); }

LockKind lock_kind_named(std::string_view name) {
  const auto found = std::ranges::find(kLocks, name);
  if (found != kLocks.end()) return static_cast<LockKind>(found - kLocks.begin());
  throw Error(ErrorKind::usage,
              fmt::format("unknown cache lock \"{}\"; known: {}", name, fmt::join(kLocks, ", ")));
}

std::span<const std::string_view> lock_names() { return kLocks; }

std::string discipline_name(std::string_view policy, std::string_view lock) {
  const bool locks = cache_policy_named(policy).takes_lock && !lock.empty();
  return locks ? fmt::format("{}:{}", policy, lock) : std::string(policy);
}

}  // namespace understudy
