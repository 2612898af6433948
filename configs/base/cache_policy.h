// SPDX-License-Identifier: Apache-2.0
// The policies of the compile cache: one row each, with all that rooms other than the cache need to
// know about a policy. The code of each policy is one file of cache/policies/. Constant data; pure
// functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy {

enum class CachePolicyId : std::uint8_t {
  per_host,
  per_process,
  single_writer,
  shared,
  read_only,
  off
};

// Which processes have a folder in common.
enum class CacheSharing : std::uint8_t { none, process, host, pod };

// Which processes write entries.
enum class CacheWriters : std::uint8_t { none, pod_leader, host_leaders, everybody };

struct CachePolicyRow {
  CachePolicyId id;
  std::string_view name, description;
  CacheSharing folder;  // none: nothing is kept
  CacheWriters writers;
  bool takes_lock;  // which one is chosen apart from the policy

  bool keeps_entries() const { return folder != CacheSharing::none; }
  bool writes() const { return writers != CacheWriters::none; }
  // One process compiles for others, which wait for its entry: all must compute the same key.
  bool waits_for_leader() const {
    return writers == CacheWriters::pod_leader || writers == CacheWriters::host_leaders;
  }
};

// In the order of --help.
std::span<const CachePolicyRow> cache_policies();
// The row of a policy; every id has one.
const CachePolicyRow& cache_policy(CachePolicyId id);
// *Throws* Error{usage} with the known names.
const CachePolicyRow& cache_policy_named(std::string_view name);

// The folder of a process below the cache directory, "host0/rank3"; *requires* keeps_entries().
std::string cache_subfolder(const CachePolicyRow& policy, std::int64_t host, std::int64_t process);

// How processes that share a folder exclude each other.
enum class LockKind : std::uint8_t { none, exclusive_file, directory, process };
// As --cache-lock and profiles spell it.
std::string_view name_of(LockKind kind);
// *Throws* Error{usage} with the known names.
LockKind lock_kind_named(std::string_view name);
std::span<const std::string_view> lock_names();

// A policy with its lock where it takes one: "per-host", "shared:directory".
std::string discipline_name(std::string_view policy, std::string_view lock);

}  // namespace understudy
