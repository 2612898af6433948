// SPDX-License-Identifier: Apache-2.0
// shared: everybody may write into <directory>/shared/. Safe with a lock file for each key; the
// other disciplines re-enact what real systems do there.
#include <array>

#include "cache/policy.h"

namespace understudy::cache {
namespace {

using Got = Session::Got;

// JAX without a size limit. A bad entry is met again and again: writers leave alone what exists.
void without_lock(Session& session) {
  if (session.lookup(BadEntry::leave)) return;
  session.compile();
  session.publish();
}

// The lock, where it was to be had within `limit`; given back at the end of the scope. With `looks`
// the wait for it ends too when the entry is there.
class Held {
 public:
  Held(Session& session, Seconds limit, bool looks = false)
      : lock_(session.lock()), got_(session.wait_for(lock_, limit, looks)) {}
  ~Held() {
    if (got_ == Got::lock) lock_.release();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  explicit operator bool() const { return got_ == Got::lock; }
  bool found_entry() const { return got_ == Got::entry; }

 private:
  Lock& lock_;
  const Got got_;
};

// Reads and writes under the lock; where it is not to be had, without the cache.
void with_lock_around(Session& session, Seconds limit, BadEntry bad) {
  if (!session.has_folder()) return session.compile();
  {
    const Held held(session, limit);
    if (held && session.lookup(bad)) return;
  }
  session.compile();
  const Held held(session, limit);
  if (held) session.publish();
}

// One compiles and publishes whole entries; the others look for the entry while they wait.
void with_lock_for_the_key(Session& session) {
  if (session.lookup(BadEntry::later)) return;
  // Without the right to write there is no lock, and nothing to wait for.
  if (!session.may_publish()) return session.compile();
  const Held held(session, session.request().patience, true);
  if (held.found_entry()) return;
  if (held && session.lookup(BadEntry::quarantine)) return;
  session.compile();
  if (held) session.publish();
}

// JAX with a size limit: the whole read and the whole write under one lock, given up after a while.
void with_folder_locked(Session& session) {
  with_lock_around(session, session.request().lock_timeout, BadEntry::leave);
}

// torch_xla: a mutex of the process around read and write; readers delete what they cannot use.
void with_mutex(Session& session) {
  with_lock_around(session, session.request().patience, BadEntry::remove);
}

class Shared : public Policy {
 public:
  std::string_view name() const override { return "shared"; }
  std::string_view summary() const override {
    return "everybody may write into one folder; --cache-lock says how";
  }
  std::optional<std::string> folder(const CacheRequest& /*request*/) const override {
    return "shared";
  }
  std::unique_ptr<Store> open(FileSystem& files, const CacheRequest& request,
                              const std::string& path) const override {
    const LockKind lock = lock_kind_named(request.lock);
    if (lock == LockKind::exclusive_file)
      return open_disk_store(files, path, StoreMode::read_write);
    PlainHabits habits;
    habits.keeps_access_times = lock == LockKind::directory;
    habits.max_bytes = request.max_bytes;
    habits.clock_offset_ns = request.clock_offset_ns;
    return open_plain_store(files, path, habits);
  }
  void obtain(Session& session) const override {
    static constexpr std::array kWays = {&without_lock, &with_lock_for_the_key, &with_folder_locked,
                                         &with_mutex};
    kWays[static_cast<std::size_t>(lock_kind_named(session.request().lock))](session);
  }
};

}  // namespace

const Policy& shared_policy() {
  static const Shared policy;
  return policy;
}

}  // namespace understudy::cache
