// SPDX-License-Identifier: Apache-2.0
// The lock disciplines of the policy `shared`: what real systems do, to be run on purpose.
//   none            no lock: JAX without a size limit
//   exclusive-file  a lock file for each key by exclusive create; a dead owner's is broken
//   directory       one advisory lock for the folder, looked at every 50 ms: JAX's LRU cache
//   process         a mutex inside of the process: torch_xla
// A lock is used by one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/file_system.h"
#include "configs/base/cache_policy.h"

namespace understudy::cache {

struct PollIntervals {
  std::chrono::microseconds first{1'000}, longest{20'000};
};

class Lock {
 public:
  virtual ~Lock() = default;
  // False: somebody else holds it. *Throws* Error{system} where it cannot be asked for.
  virtual bool try_acquire() = 0;
  // How long who waits for it sleeps between two looks: from the first, doubling, to the longest.
  virtual PollIntervals poll_intervals() const { return {}; }
  virtual void release() noexcept = 0;
  // Who holds it, in words for a warning; empty where it does not tell.
  virtual std::string holder() const { return ""; }
  // Locks of dead owners that try_acquire() broke so far.
  virtual std::int64_t broken() const { return 0; }
};

struct LockPlace {
  FileSystem& files;
  std::string directory, key;
  bool breaks_dead_owners = true;  // false: as JAX's soft lock, which outlives its owner for ever
  // Whether the locks of a user count; empty: everybody's. *try_acquire* throws Error{system} where
  // somebody else's is in the way: nobody waits for it.
  std::function<bool(std::uint32_t)> trusts = {};
};
std::unique_ptr<Lock> make_lock(LockKind kind, const LockPlace& place);

// Names of the files that locks leave in a folder.
inline constexpr std::string_view kDirectoryLock = ".lockfile";
inline constexpr std::string_view kLockSuffix = ".lock";

// Removes the lock file at `path` if its owner is dead; true: it did. Only one process at a time
// does so, and it looks again before it acts, so a new owner's lock is never taken away.
bool break_dead_lock(FileSystem& files, const std::string& path);

}  // namespace understudy::cache
