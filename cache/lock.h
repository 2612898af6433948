// SPDX-License-Identifier: Apache-2.0
// The lock disciplines of the policy `shared`: those of real systems, safe or not, to compare them.
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

// try_acquire() never waits; Transaction::wait_for() polls it, so that waiting is the same for all
// locks.
class Lock {
 public:
  virtual ~Lock() = default;
  // False: another process holds it. *Throws* Error{system} if the attempt itself fails.
  virtual bool try_acquire() = 0;
  // How long a waiting process sleeps between two attempts: from `first`, doubling, up to
  // `longest`.
  virtual PollIntervals poll_intervals() const { return {}; }
  virtual void release() noexcept = 0;
  // The holder, in words for a warning; empty if unknown.
  virtual std::string holder() const { return ""; }
  // Locks of dead owners that try_acquire() broke so far.
  virtual std::int64_t broken() const { return 0; }
};

struct LockPlace {
  FileSystem& files;
  std::string directory, key;
  bool breaks_dead_owners = true;  // false: as JAX's soft lock, which outlives its owner for ever
  // Whether locks of a user are respected; empty: those of all users. try_acquire() throws
  // Error{system} for a lock of an untrusted user, so that such a lock is not waited for.
  std::function<bool(std::uint32_t)> trusts = {};
};
std::unique_ptr<Lock> make_lock(LockKind kind, const LockPlace& place);

// Names of the files that locks leave in a folder.
inline constexpr std::string_view kDirectoryLock = ".lockfile";
inline constexpr std::string_view kLockSuffix = ".lock";

// Removes the lock file at `path` if its owner is dead; returns whether it did. Only one process at
// a time does this, and it checks again before it removes, so the lock of a new owner is never
// removed.
bool break_dead_lock(FileSystem& files, const std::string& path);

}  // namespace understudy::cache
