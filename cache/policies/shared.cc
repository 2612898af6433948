// SPDX-License-Identifier: Apache-2.0
// shared: everybody may write into <directory>/shared/. Safe with a lock file for each key; the
// other disciplines re-enact what real systems do there.
#include <array>

#include "cache/policy.h"

namespace understudy::cache {
namespace {

using Got = Transaction::Got;

// JAX without a size limit. A bad entry is met again and again: writers leave alone what exists.
void without_lock(Transaction& transaction) {
  if (transaction.lookup(BadEntry::leave)) return;
  transaction.compile();
  transaction.publish();
}

// The lock, if it was acquired within `limit`; released at the end of the scope. With `looks` the
// wait also ends when the entry appears.
class Held {
 public:
  Held(Transaction& transaction, Seconds limit, bool looks = false)
      : lock_(transaction.lock()), got_(transaction.wait_for(lock_, limit, looks)) {}
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

// Reads and writes under the lock; without the lock, without the cache.
void with_lock_around(Transaction& transaction, Seconds limit, BadEntry bad) {
  if (!transaction.has_folder()) return transaction.compile();
  {
    const Held held(transaction, limit);
    if (held && transaction.lookup(bad)) return;
  }
  transaction.compile();
  const Held held(transaction, limit);
  if (held) transaction.publish();
}

// One compiles and publishes whole entries; the others look for the entry while they wait.
void with_lock_for_the_key(Transaction& transaction) {
  if (transaction.lookup(BadEntry::defer)) return;
  // Without the right to write there is no lock, and nothing to wait for.
  if (!transaction.may_publish()) return transaction.compile();
  const Held held(transaction, transaction.request().wait_limit, true);
  if (held.found_entry()) return;
  if (held && transaction.lookup(BadEntry::quarantine)) return;
  transaction.compile();
  if (held) transaction.publish();
}

// JAX with a size limit: the whole read and the whole write under one lock, given up after a while.
void with_folder_locked(Transaction& transaction) {
  with_lock_around(transaction, transaction.request().lock_timeout, BadEntry::leave);
}

// torch_xla: a mutex of the process around read and write; readers delete what they cannot use.
void with_mutex(Transaction& transaction) {
  with_lock_around(transaction, transaction.request().wait_limit, BadEntry::remove);
}

class Shared : public Policy {
 public:
  std::unique_ptr<Store> open(FileSystem& files, const CacheRequest& request,
                              const std::string& path) const override {
    const LockKind lock = lock_kind_named(request.lock);
    if (lock == LockKind::exclusive_file)
      return open_disk_store(files, path, StoreMode::read_write);
    PlainStoreOptions options;
    options.keeps_access_times = lock == LockKind::directory;
    options.max_bytes = request.max_bytes;
    options.clock_offset_ns = request.clock_offset_ns;
    return open_plain_store(files, path, options);
  }
  void obtain(Transaction& transaction) const override {
    static constexpr std::array kWays = {&without_lock, &with_lock_for_the_key, &with_folder_locked,
                                         &with_mutex};
    kWays[static_cast<std::size_t>(lock_kind_named(transaction.request().lock))](transaction);
  }
};

}  // namespace

const Policy& shared_policy() {
  static const Shared policy;
  return policy;
}

}  // namespace understudy::cache
