// SPDX-License-Identifier: Apache-2.0
// The compile cache as a worker sees it: request an executable, get it from an entry, from a
// neighbour or from the compiler, by the rules of a policy. Thread-compatible.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cache/entry.h"
#include "cache/file_system.h"
#include "cache/key.h"
#include "configs/base/deadline.h"
#include "configs/base/ids.h"
#include "program/executable/executable.h"

namespace understudy::cache {

using Compile = std::function<program::Executable()>;

// Who requests, from which folder, under which rules.
struct CacheRequest {
  std::string directory;                // root; the policy names the folder under it
  std::string policy;                   // configs/base/cache_policy.h
  std::string lock = "exclusive-file";  // of policy shared: one of lock_names()
  std::uint64_t max_bytes = 0;          // of all entries of a folder; 0: no bound
  std::vector<std::string> trust = {};  // more users whose entries are trusted: names or numbers
  HostId host;                          // emulated host
  Rank rank;
  bool host_leader = false;  // the lowest rank of its emulated host
  bool pod_leader = false;   // the lowest rank of the pod
  Seconds wait_limit{60};    // for the process that compiles; then every process compiles itself
  Seconds lock_timeout{10};  // of a directory lock; JAX's
  std::function<void()> while_waiting = {};  // called between looks; may throw to end the wait
  FileSystem* files = nullptr;               // nullptr: the machine's
  bool breaks_dead_locks = true;
  std::int64_t clock_offset_ns = 0;  // error of this process's clock, where a clock is used
};

// Events of one request. Counters only grow.
struct CacheCounters {
  std::int64_t requests = 0, hits = 0, misses = 0, compiles = 0;
  std::int64_t entry_reads = 0;           // entry files read whole
  std::int64_t deserialize_failures = 0;  // entries that were there and could not be used
  std::int64_t writes = 0, write_failures = 0;
  std::int64_t quarantined = 0, removed = 0, evicted = 0;
  std::int64_t lock_timeouts = 0, locks_broken = 0, wait_timeouts = 0;

  CacheCounters& operator+=(const CacheCounters& more);
};

struct CacheOutcome {
  program::Executable executable;
  std::string key;
  bool cached = false;         // it came from an entry
  double wall_seconds = 0;     // all of it
  double compile_seconds = 0;  // in the compiler; 0 where nothing was compiled
  double wait_seconds = 0;     // for the process that compiles
  double lock_seconds = 0, read_seconds = 0, write_seconds = 0;
  std::vector<double> lock_waits;     // seconds, one per attempt to acquire a lock
  std::vector<Refusal> refusals;      // of entries that were read
  std::vector<std::string> warnings;  // quarantined entries and the like
  CacheCounters counters;
};

class Store;
class Policy;

// The cache of one process. The folder is opened at the first request; if it cannot be used, each
// later request tries again, warns and compiles.
class CompileCache {
 public:
  // *Throws* Error{usage} for an unknown policy or lock.
  explicit CompileCache(CacheRequest request);
  ~CompileCache();
  CompileCache(CompileCache&&) noexcept;

  // An entry whose executable does not match is damaged. *Throws* whatever `compile` and
  // `while_waiting` throw.
  CacheOutcome obtain(const KeyParts& parts, const Compile& compile, const Mismatch& mismatch = {});
  // Call it when no process waits for this one any more: removes the notes that no entry will come.
  void remove_own_markers() noexcept;
  const CacheRequest& request() const { return request_; }
  // The folder of this request's entries; empty: the policy keeps nothing.
  const std::string& folder() const { return folder_; }

 private:
  std::string open_store();

  CacheRequest request_;
  const Policy* policy_;
  std::string folder_;
  std::unique_ptr<Store> store_;
  std::set<std::string> had_;  // keys of earlier requests, if the cache size is limited
};

// One request to a cache object that is discarded afterwards.
CacheOutcome obtain(const CacheRequest& request, const KeyParts& parts, const Compile& compile);

// All policies, and those that take a lock with each lock ("shared:directory"): the disciplines
// that `cache stress` can compare.
std::vector<std::string> discipline_names();

}  // namespace understudy::cache
