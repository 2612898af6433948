// SPDX-License-Identifier: Apache-2.0
#include "worker/cache_counts.h"

#include "configs/base/cache_policy.h"

namespace understudy::worker {

void CacheCounts::add(const cache::CacheOutcome& outcome, const cache::CacheRequest& request) {
  const cache::CacheCounters& counters = outcome.counters;
  sum_ += counters;
  // Without a cache there are no lookups to count.
  if (!cache_policy_named(request.policy).keeps_entries()) return;
  // An unusable entry counts as a failure only, not as a miss too, although it was recompiled.
  if (outcome.cached) {
    ++hits_;
  } else if (counters.deserialize_failures > 0) {
    ++failures_;
  } else {
    ++misses_;
  }
}

std::map<std::string, std::int64_t> CacheCounts::named(std::int64_t executes) const {
  return {{"UncachedCompile", sum_.compiles},
          {"CachedCompile", sum_.hits},
          {"PersistentCacheHit", hits_},
          {"PersistentCacheMiss", misses_},
          {"PersistentCacheDeserializeFailure", failures_},
          {"CreateCompileHandles", sum_.requests},
          {"DestroyCompileHandles", compile_handles_destroyed},
          {"CreateDataHandles", data_handles_created},
          {"DestroyDataHandles", data_handles_destroyed},
          {"ExecuteReplicated", executes},
          {"MarkStep", executes},
          {"CacheEntryRead", sum_.entry_reads},
          {"CacheEntryWrite", sum_.writes},
          {"CacheWriteFailure", sum_.write_failures},
          {"CacheEntryQuarantined", sum_.quarantined},
          {"CacheEntryEvicted", sum_.evicted},
          {"CacheLockTimeout", sum_.lock_timeouts},
          {"CacheLockBroken", sum_.locks_broken},
          {"CacheWaitTimeout", sum_.wait_timeouts}};
}

configs::Compiled compiled_by(const cache::CacheOutcome& outcome,
                              const cache::CacheRequest& request, const cache::KeyParts& parts) {
  const cache::NamedParts named = named_parts(parts);
  configs::CacheSeen seen;
  seen.directory = request.directory;
  seen.lock = request.lock;
  seen.parts = {named.begin(), named.end()};
  seen.entry_reads = outcome.counters.entry_reads;
  seen.wait_seconds = outcome.wait_seconds;
  seen.read_seconds = outcome.read_seconds;
  seen.write_seconds = outcome.write_seconds;
  seen.lock_wait_seconds = outcome.lock_waits;
  return {outcome.cached, outcome.wall_seconds, outcome.compile_seconds, outcome.key,
          request.policy, parts.program,        outcome.warnings,        std::move(seen)};
}

}  // namespace understudy::worker
