// SPDX-License-Identifier: Apache-2.0
// Who may read, write and wait. A policy is one file in cache/policies and one row of the registry
// in policy.cc; the conformance suite in tests/cache runs over all rows. Policies have no state:
// thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/compile_cache.h"
#include "cache/lock.h"
#include "cache/store.h"
#include "configs/base/cache_policy.h"

namespace understudy::cache {

// What to do with an unusable entry. *leave*: nothing, later readers find it again; *defer*:
// nothing now and no warning, because the caller will look again with the right to act.
enum class BadEntry : std::uint8_t { leave, defer, quarantine, remove };

// One request under way: what a policy does its work with, and the outcome it fills.
class Transaction {
 public:
  Transaction(const CacheRequest& request, const NamedParts& parts, const Compile& compile,
              const Mismatch& mismatch, Store* store);

  const CacheRequest& request() const { return request_; }
  const std::string& key() const { return outcome_.key; }
  // False: the folder is not used, so nothing may be locked in it.
  bool has_folder() const { return store_ != nullptr; }

  // True when a good entry is there: the outcome then holds its executable. A stale entry is a
  // miss; a torn, damaged or foreign one too, and `bad` is done with it, with a warning. A folder
  // that cannot be read, or an entry of a user who is not trusted, is a miss with a warning.
  bool lookup(BadEntry bad);
  void compile();
  // Whether this user may write entries; a warning where not. Nobody else of the run may then.
  bool may_publish();
  // Writes the compiled executable; a failure is a warning. Returns whether the entry is there.
  bool publish();

  // Where there is no entry: who leads compiles and publishes for the others; they wait for it, and
  // compile for themselves where none comes.
  void lead_or_follow(bool leads);

  enum class Got : std::uint8_t { lock, entry, nothing };
  // Waits for the lock; with `looks` also for the entry. *nothing*: the time is over, or the lock
  // cannot be asked for; the outcome has a warning.
  Got wait_for(Lock& lock, Seconds limit, bool looks);
  Lock& lock();  // of request().lock

  void warn(std::string text);
  CacheOutcome take_outcome();

 private:
  // The entry as it is, nothing where there is none or it may not be read.
  std::optional<FileBytes> read_entry(BadEntry bad);
  bool believes(const FileBytes& entry);
  bool restores(const FileBytes& entry, BadEntry bad);
  // `entry` is null where it could not be read.
  void refuse(Refusal reason, std::string_view words, const FileBytes* entry, BadEntry bad);
  void set_aside(std::string_view words, const FileBytes* entry, BadEntry bad);
  void evict();
  // Around compile() and publish() of the one who does it for others: says that it is at work, and
  // at the end, where there is no entry, that none will come.
  void compile_for_others();
  // Looks at growing intervals until the entry is there (true), or whoever compiles said that there
  // will be none, or is dead, or the wait limit has passed (false).
  bool wait_for_entry();
  std::optional<FileBytes> note(const std::string& name);
  bool no_entry_will_come(bool entry_is_bad, Deadline bad_deadline);
  std::string entry_name() const { return outcome_.key + std::string(kEntrySuffix); }
  std::string marker_name() const { return outcome_.key + std::string(kMarkerSuffix); }
  std::string lease_name() const { return outcome_.key + std::string(kLeaseSuffix); }

  const CacheRequest& request_;
  const NamedParts& parts_;
  const Compile& compile_;
  const Mismatch& mismatch_;
  Store* store_;
  std::unique_ptr<Lock> lock_;
  CacheOutcome outcome_;
  bool entry_is_bad_ = false;                             // as of the last lookup()
  bool not_readable_ = false;                             // this user may not read the entry
  std::optional<Clock::time_point> owner_is_dead_since_;  // as of no_entry_will_come()
};

// The code of one row of configs/base/cache_policy.h.
class Policy {
 public:
  virtual ~Policy() = default;
  // *Throws* Error{system} where the folder cannot be used.
  virtual std::unique_ptr<Store> open(FileSystem& files, const CacheRequest& request,
                                      const std::string& path) const;
  virtual void obtain(Transaction& transaction) const = 0;
};

const Policy& per_host_policy();
const Policy& per_process_policy();
const Policy& single_writer_policy();
const Policy& shared_policy();
const Policy& read_only_policy();
const Policy& off_policy();

const Policy& policy_of(CachePolicyId id);
// The folder of a request under the cache directory; nullopt: its policy keeps nothing.
std::optional<std::string> folder_of(const CachePolicyRow& policy, const CacheRequest& request);

// obtain() of compile_cache.h with a store of the caller's: for tests with other stores.
CacheOutcome obtain_from(Store* store, const CacheRequest& request, const KeyParts& parts,
                         const Compile& compile);

}  // namespace understudy::cache
