// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <utility>

#include "cache/archive.h"
#include "cache/folder.h"
#include "cache/owner.h"
#include "cache/policy.h"
#include "configs/base/error.h"

namespace understudy::cache {
Transaction::Transaction(const CacheRequest& request, const NamedParts& parts,
                         const Compile& compile, const Mismatch& mismatch, Store* store)
    : request_(request), parts_(parts), compile_(compile), mismatch_(mismatch), store_(store) {
  outcome_.key = key_of(parts);
  outcome_.counters.requests = 1;
}

void Transaction::warn(std::string text) {
  // Each text once: followers meet the same trouble at every look.
  if (std::ranges::find(outcome_.warnings, text) == outcome_.warnings.end())
    outcome_.warnings.push_back(std::move(text));
}

bool Transaction::lookup(BadEntry bad) {
  if (store_ == nullptr) return false;
  const auto start = Clock::now();
  entry_is_bad_ = false;
  const std::optional<FileBytes> entry = read_entry(bad);
  // In this order: bytes of an untrusted user are not even parsed.
  const bool found = entry && believes(*entry) && restores(*entry, bad);
  if (found && request_.max_bytes > 0) store_->mark_used(entry_name());
  outcome_.cached = found;
  outcome_.read_seconds += seconds_since(start);
  return found;
}

std::optional<FileBytes> Transaction::read_entry(BadEntry bad) {
  try {
    // Kinds tell a special file (input) from a missing right or a broken mount (system).
    return store_->read(entry_name());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::input) {
      refuse(Refusal::special, words_for(Refusal::special), nullptr, bad);
    } else if (store_->read_refusal(entry_name()) != 0) {
      not_readable_ = true;
      // A user who may not write either gets only that warning, from may_publish().
      if (may_publish())
        warn(fmt::format("this user cannot read entries of the cache folder {}",
                         request_.directory));
    } else {
      warn(fmt::format("cannot read the cache: {}", error.message()));
    }
    return std::nullopt;
  }
}

bool Transaction::believes(const FileBytes& entry) {
  if (!entry.owner) return true;
  // Any user could have replaced the bytes by a program of their choice; the digest does not
  // protect against that.
  if (entry.owner->everybody_writes) {
    warn(fmt::format("cache entry {} is ignored: it is world-writable", entry_name()));
    return false;
  }
  if (is_trusted(entry.owner->user, request_.directory, request_.trust)) return true;
  warn(
      fmt::format("cache entry {} is ignored: it belongs to user {}, who is not trusted "
                  "(use --set cache.trust={} to trust)",
                  entry_name(), words_for_user(entry.owner->user), entry.owner->user));
  return false;
}

bool Transaction::restores(const FileBytes& entry, BadEntry bad) {
  ++outcome_.counters.entry_reads;
  LoadedEntry loaded = load_entry(entry, parts_, mismatch_);
  const Refusal refusal = loaded.opened.refusal;
  if (refusal == Refusal::none) {
    // The executable is taken out of the entry; nothing is compiled.
    outcome_.executable = std::move(*loaded.executable);
    return true;
  }
  if (is_miss(refusal)) return false;
  std::string words(words_for(refusal));
  if (!loaded.reason.empty()) words += fmt::format(" ({})", loaded.reason);
  refuse(refusal, words, &entry, bad);
  return false;
}

void Transaction::refuse(Refusal reason, std::string_view words, const FileBytes* entry,
                         BadEntry bad) {
  entry_is_bad_ = true;
  ++outcome_.counters.deserialize_failures;
  outcome_.refusals.push_back(reason);
  try {
    set_aside(words, entry, bad);
  } catch (const Error& error) {
    warn(fmt::format("cache entry {} is {} and could not be removed: {}", entry_name(), words,
                     error.message()));
  }
}

// Quarantines an entry only if the refused bytes are still there: another process may have replaced
// them by a good entry. `remove` does not check, because the emulated systems do not either.
void Transaction::set_aside(std::string_view words, const FileBytes* entry, BadEntry bad) {
  if (bad == BadEntry::remove) {
    store_->remove(entry_name());
    ++outcome_.counters.removed;
    warn(fmt::format("cache entry {} is {}; removed, compiling again", entry_name(), words));
  }
  if (bad == BadEntry::leave)
    warn(fmt::format("cache entry {} is {}; compiling again", entry_name(), words));
  // `defer` leaves the entry to whoever gets the lock.
  if (bad != BadEntry::quarantine) return;
  if (entry != nullptr && store_->read(entry_name()) != entry->view()) return;
  const std::string aside = store_->quarantine(entry_name());
  ++outcome_.counters.quarantined;
  warn(fmt::format("cache entry {} is {}; moved to {}, compiling again", entry_name(), words,
                   aside));
}

void Transaction::compile() {
  const auto start = Clock::now();
  outcome_.executable = compile_();
  ++outcome_.counters.compiles;
  outcome_.compile_seconds += seconds_since(start);
}

bool Transaction::may_publish() {
  if (store_ == nullptr) return false;
  const int code = store_->write_refusal();
  if (code == 0) return true;
  warn(fmt::format("nothing is cached: {}",
                   code == EACCES ? words_for_read_only(request_.directory)
                                  : fmt::format("cannot write to the cache folder {}: {}",
                                                request_.directory, words_for_code(code))));
  return false;
}

bool Transaction::publish() {
  if (store_ == nullptr) return false;
  const auto start = Clock::now();
  bool there = false;
  if (!may_publish()) {
    ++outcome_.counters.write_failures;
    return false;
  }
  try {
    // An executable that every reader would refuse is not stored: no pod of this kind can run it.
    if (mismatch_ && !mismatch_(outcome_.executable).empty()) return false;
    const std::string payload = archive_executable(outcome_.executable);
    const std::string head = head_of_entry(parts_, payload);
    const std::array<std::string_view, 2> entry = {head, payload};
    if (head.size() + payload.size() > kMostEntryBytes)
      throw Error(ErrorKind::system,
                  fmt::format("its entry needs {} bytes, more than the limit of {}",
                              head.size() + payload.size(), kMostEntryBytes));
    // Counted only if it was written: another process may have published the same entry first.
    if (store_->write(entry_name(), entry)) ++outcome_.counters.writes;
    there = true;
    evict();
  } catch (const Error& error) {
    ++outcome_.counters.write_failures;
    warn(there
             ? fmt::format("cannot evict cache entries down to the size limit: {}", error.message())
             : fmt::format("the compiled program is not cached: {}", error.message()));
  }
  outcome_.write_seconds += seconds_since(start);
  return there;
}

void Transaction::evict() {
  if (request_.max_bytes > 0)
    outcome_.counters.evicted += store_->evict(request_.max_bytes, entry_name());
}

// Only the leader quarantines a bad entry; a follower would race with the good entry that the
// leader publishes.
void Transaction::lead_or_follow(bool leads) {
  if (lookup(leads ? BadEntry::quarantine : BadEntry::leave)) return;
  if (leads) {
    compile_for_others();
  } else if (!may_publish() || not_readable_ || !wait_for_entry()) {
    // If this user may not write, neither may the leader, which is the same user's process: no
    // entry will appear.
    compile();
  }
}

// The leader's protocol, which wait_for_entry() relies on:
// 1. remove an old marker, write the lease (`.compiling`) with our identity;
// 2. compile and publish the entry;
// 3. if there is no entry, write the marker (`.unpublished`): nobody needs to wait for it;
// 4. remove the lease.
// The marker is written before the lease is removed: from step 1 on a waiting process finds the
// entry, the marker or the lease. If this process dies, the lease names a dead owner.
void Transaction::compile_for_others() {
  const auto quietly = [&](const auto& act) {
    try {
      if (store_ != nullptr) act();
    } catch (const Error&) {
      return;  // waiting processes run into their wait limit; publish() warns about the same folder
    }
  };
  quietly([&] {
    store_->remove(marker_name());
    store_->mark(lease_name(), text_of(this_process()));
  });
  try {
    compile();
    if (!publish()) quietly([&] { store_->mark(marker_name(), text_of(this_process())); });
  } catch (...) {
    quietly([&] {
      store_->mark(marker_name(), text_of(this_process()));
      store_->remove(lease_name());
    });
    throw;
  }
  quietly([&] { store_->remove(lease_name()); });
}

CacheOutcome Transaction::take_outcome() {
  CacheCounters& counters = outcome_.counters;
  counters.hits = outcome_.cached ? 1 : 0;
  counters.misses = outcome_.cached ? 0 : 1;
  return std::move(outcome_);
}

}  // namespace understudy::cache
