// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <thread>
#include <utility>

#include "cache/archive.h"
#include "cache/owner.h"
#include "cache/policy.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

using std::chrono::microseconds;

constexpr microseconds kFirstPause{200}, kLongestPause{20'000};
// A bad entry that nobody repairs for so long is nobody's work.
constexpr Seconds kPatienceWithBadEntries{1};
// Whoever compiled for others and died may be started again; that is cheaper than that all compile.
constexpr Seconds kTimeToStartAgain{0.3};

double seconds_since(Clock::time_point start) { return Seconds(Clock::now() - start).count(); }

}  // namespace

Session::Session(const CacheRequest& request, const NamedParts& parts, const Compile& compile,
                 Store* store)
    : request_(request), parts_(parts), compile_(compile), store_(store) {
  outcome_.key = key_of(parts);
  outcome_.counters.requests = 1;
}

void Session::warn(std::string text) {
  if (std::ranges::find(outcome_.warnings, text) == outcome_.warnings.end())
    outcome_.warnings.push_back(std::move(text));
}

bool Session::lookup(BadEntry bad) {
  if (store_ == nullptr) return false;
  const auto start = Clock::now();
  bool found = false;
  entry_is_bad_ = false;
  std::optional<FileBytes> entry;
  try {
    entry = store_->read(entry_name());
    if (entry) {
      ++outcome_.counters.entry_reads;
      const Opened opened = open(*entry, outcome_.key);
      found = opened.refusal == Refusal::none;
      if (found) outcome_.executable = restore_executable(opened.payload);
      if (!found && opened.refusal != Refusal::stale)
        refuse(opened.refusal, words_for(opened.refusal), *entry, bad);
    }
  } catch (const Error& error) {
    // Of an entry with the right digest that is no archive, or of the file system.
    if (found) refuse(Refusal::damaged, error.message(), *entry, bad);
    if (!found) warn(fmt::format("the cache cannot be read: {}", error.message()));
    found = false;
  }
  if (found && request_.max_bytes > 0) store_->mark_used(entry_name());
  outcome_.cached = found;
  outcome_.read_seconds += seconds_since(start);
  return found;
}

void Session::refuse(Refusal reason, std::string_view words, std::string_view entry, BadEntry bad) {
  entry_is_bad_ = true;
  ++outcome_.counters.deserialize_failures;
  outcome_.refusals.push_back(reason);
  try {
    set_aside(words, entry, bad);
  } catch (const Error& error) {
    warn(fmt::format("cache entry {} is {} and stays: {}", entry_name(), words, error.message()));
  }
}

// Quarantines only where the bytes that were refused are still there: meanwhile somebody may have
// written a good entry. Who removes does not look, as those do not who are re-enacted.
void Session::set_aside(std::string_view words, std::string_view entry, BadEntry bad) {
  if (bad == BadEntry::remove) {
    store_->remove(entry_name());
    ++outcome_.counters.removed;
    warn(fmt::format("cache entry {} is {}; removed, compiling again", entry_name(), words));
  }
  if (bad == BadEntry::leave)
    warn(fmt::format("cache entry {} is {}; compiling again", entry_name(), words));
  if (bad != BadEntry::quarantine) return;
  if (store_->read(entry_name()) != entry) return;
  const std::string aside = store_->quarantine(entry_name());
  ++outcome_.counters.quarantined;
  warn(fmt::format("cache entry {} is {}; moved to {}, compiling again", entry_name(), words,
                   aside));
}

void Session::compile() {
  const auto start = Clock::now();
  outcome_.executable = compile_();
  ++outcome_.counters.compiles;
  outcome_.compile_seconds += seconds_since(start);
}

bool Session::publish() {
  if (store_ == nullptr) return false;
  const auto start = Clock::now();
  bool there = true;
  try {
    const std::string payload = archive_executable(outcome_.executable);
    const std::string head = head_of_entry(parts_, payload);
    const std::array<std::string_view, 2> entry = {head, payload};
    if (store_->write(entry_name(), entry)) ++outcome_.counters.writes;
    if (request_.max_bytes > 0)
      outcome_.counters.evicted += store_->evict(request_.max_bytes, entry_name());
  } catch (const Error& error) {
    ++outcome_.counters.write_failures;
    warn(fmt::format("the compiled program is not cached: {}", error.message()));
    there = false;
  }
  outcome_.write_seconds += seconds_since(start);
  return there;
}

void Session::lead_or_follow(bool leads) {
  if (lookup(leads ? BadEntry::quarantine : BadEntry::leave)) return;
  if (leads) {
    compile_for_others();
  } else if (!wait_for_entry()) {
    compile();
  }
}

void Session::compile_for_others() {
  const auto quietly = [&](const auto& act) {
    try {
      if (store_ != nullptr) act();
    } catch (const Error&) {
      return;  // who waits finds out by its patience; publish() warns of the same folder
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

bool Session::no_entry_will_come(bool entry_is_bad, Deadline bad_deadline) {
  if (store_->read(marker_name())) return true;
  const std::optional<FileBytes> lease = store_->read(lease_name());
  const std::optional<Owner> owner = lease ? parse_owner(*lease) : std::nullopt;
  if (!owner || !is_dead(*owner)) {
    owner_is_dead_since_.reset();
  } else if (!owner_is_dead_since_) {
    owner_is_dead_since_ = Clock::now();
  } else if (Clock::now() - *owner_is_dead_since_ > kTimeToStartAgain) {
    warn("whoever compiled this program for others is dead; compiled here");
    return true;
  }
  return entry_is_bad && !lease && bad_deadline.passed();
}

bool Session::wait_for_entry() {
  if (store_ == nullptr) return false;
  const auto start = Clock::now();
  const double read_before = outcome_.read_seconds;
  const Deadline deadline = Deadline::after(request_.patience);
  const Deadline bad_deadline = Deadline::after(kPatienceWithBadEntries);
  microseconds pause = kFirstPause;
  bool found = false, given_up = false;
  while (!found && !given_up && !deadline.passed()) {
    if (request_.while_waiting) request_.while_waiting();
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
    try {
      given_up = no_entry_will_come(entry_is_bad_, bad_deadline);
    } catch (const Error& error) {
      warn(fmt::format("the cache cannot be read: {}", error.message()));
    }
    found = lookup(BadEntry::leave);
  }
  outcome_.wait_seconds += seconds_since(start) - (outcome_.read_seconds - read_before);
  if (!found && !given_up) {
    ++outcome_.counters.wait_timeouts;
    std::string who;
    try {
      who = words_for_owner(store_->read(lease_name()).value_or(FileBytes()));
    } catch (const Error&) {
      who.clear();  // the wait is what there is to tell
    }
    warn(fmt::format("no cache entry came within {} s{}; compiled here", request_.patience.count(),
                     who.empty() ? "" : ": " + who + " compiles it"));
  }
  return found;
}

Lock& Session::lock() {
  if (lock_ == nullptr) {
    FileSystem& files = request_.files != nullptr ? *request_.files : machine_files();
    const std::string folder =
        request_.directory + "/" + policy_named(request_.policy).folder(request_).value_or("");
    lock_ = make_lock(lock_kind_named(request_.lock),
                      {files, folder, outcome_.key, request_.breaks_dead_locks});
  }
  return *lock_;
}

Session::Got Session::wait_for(Lock& lock, Seconds limit, bool looks) {
  const auto start = Clock::now();
  const double read_before = outcome_.read_seconds;
  const Deadline deadline = Deadline::after(limit);
  microseconds pause = lock.pauses().first;
  Got got = Got::nothing;
  try {
    while (got == Got::nothing) {
      if (lock.try_acquire()) {
        got = Got::lock;
      } else if (looks && lookup(BadEntry::later)) {
        got = Got::entry;
      } else {
        if (deadline.passed()) break;
        if (request_.while_waiting) request_.while_waiting();
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, lock.pauses().longest);
      }
    }
    if (got == Got::nothing) {
      ++outcome_.counters.lock_timeouts;
      const std::string holder = lock.holder();
      warn(fmt::format("the cache lock was not to be had within {} s{}", limit.count(),
                       holder.empty() ? "" : ": it is held by " + holder));
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::system) throw;
    warn(fmt::format("the cache cannot be locked: {}", error.message()));
  }
  const double waited = seconds_since(start) - (outcome_.read_seconds - read_before);
  outcome_.lock_seconds += waited;
  outcome_.lock_waits.push_back(waited);
  outcome_.counters.locks_broken = lock.broken();
  return got;
}

CacheOutcome Session::take_outcome() {
  CacheCounters& counters = outcome_.counters;
  counters.hits = outcome_.cached ? 1 : 0;
  counters.misses = outcome_.cached ? 0 : 1;
  return std::move(outcome_);
}

}  // namespace understudy::cache
