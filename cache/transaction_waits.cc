// SPDX-License-Identifier: Apache-2.0
// The waits of a transaction: for the entry that another process compiles, and for locks.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>
#include <utility>

#include "cache/folder.h"
#include "cache/owner.h"
#include "cache/policy.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

using std::chrono::microseconds;

// Doubling from 0.2 to 20 ms: a short compile is noticed at once, a long one costs 50 looks a
// second.
constexpr microseconds kFirstWait{200}, kLongestWait{20'000};
// A bad entry without a lease that is not repaired within this time is not being worked on.
constexpr Seconds kPatienceWithBadEntries{1};
// A leader that died may be restarted by its launcher. Waiting this long for that is cheaper than a
// compile in every follower.
constexpr Seconds kTimeToStartAgain{0.3};

}  // namespace

// A note of another process. A link, FIFO or other special file in its place is not a note.
std::optional<FileBytes> Transaction::note(const std::string& name) {
  try {
    return store_->read(name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return std::nullopt;
  }
}

// True if waiting is pointless: the entry is not readable, the leader left a marker, the leader is
// dead and was not restarted, or a bad entry stays without a leader. A missing lease alone is no
// reason: the leader may not have started yet.
bool Transaction::no_entry_will_come(bool entry_is_bad, Deadline bad_deadline) {
  if (not_readable_ || note(marker_name())) return true;
  const std::optional<FileBytes> lease = note(lease_name());
  const std::optional<Owner> owner = lease ? parse_owner(*lease) : std::nullopt;
  if (!owner || !is_dead(*owner)) {
    owner_is_dead_since_.reset();
  } else if (!owner_is_dead_since_) {
    owner_is_dead_since_ = Clock::now();
  } else if (Clock::now() - *owner_is_dead_since_ > kTimeToStartAgain) {
    warn("the process that compiled this program for others is dead; compiled locally");
    return true;
  }
  return entry_is_bad && !lease && bad_deadline.passed();
}

bool Transaction::wait_for_entry() {
  if (store_ == nullptr) return false;
  const auto start = Clock::now();
  const double read_before = outcome_.read_seconds;
  const Deadline deadline = Deadline::after(request_.wait_limit);
  const Deadline bad_deadline = Deadline::after(kPatienceWithBadEntries);
  microseconds pause = kFirstWait;
  bool found = false, given_up = false;
  while (!found && !given_up && !deadline.passed()) {
    // May throw to end the wait, for example where the pod has failed.
    if (request_.while_waiting) request_.while_waiting();
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestWait);
    try {
      // Before the lookup: an entry published just before the marker or the death is still found in
      // this round.
      given_up = no_entry_will_come(entry_is_bad_, bad_deadline);
    } catch (const Error& error) {
      warn(fmt::format("cannot read the cache: {}", error.message()));
    }
    // One last lookup even where no entry will come.
    found = lookup(BadEntry::leave);
  }
  // Time spent reading is accounted for separately by lookup().
  outcome_.wait_seconds += seconds_since(start) - (outcome_.read_seconds - read_before);
  if (!found && !given_up) {
    ++outcome_.counters.wait_timeouts;
    std::string who;
    try {
      who = words_for_owner(note(lease_name()).value_or(FileBytes()));
    } catch (const Error&) {
      who.clear();  // the timeout itself is still reported
    }
    warn(fmt::format("no cache entry appeared within {} s{}; compiled locally",
                     request_.wait_limit.count(), who.empty() ? "" : " (" + who + " compiles it)"));
  }
  return found;
}

Lock& Transaction::lock() {
  if (lock_ == nullptr) {
    FileSystem& files = request_.files != nullptr ? *request_.files : machine_files();
    const std::string folder =
        request_.directory + "/" +
        folder_of(cache_policy_named(request_.policy), request_).value_or("");
    // Made at the first use: policies without a lock never touch the folder.
    lock_ = make_lock(
        lock_kind_named(request_.lock),
        {files, folder, outcome_.key, request_.breaks_dead_locks, [this](std::uint32_t user) {
           return is_trusted(user, request_.directory, request_.trust);
         }});
  }
  return *lock_;
}

Transaction::Got Transaction::wait_for(Lock& lock, Seconds limit, bool looks) {
  const auto start = Clock::now();
  const double read_before = outcome_.read_seconds;
  const Deadline deadline = Deadline::after(limit);
  microseconds pause = lock.poll_intervals().first;
  Got got = Got::nothing;
  try {
    while (got == Got::nothing) {
      // The entry is looked for only after the lock was refused: a process that gets the lock looks
      // again itself, with the right to act.
      if (lock.try_acquire()) {
        got = Got::lock;
      } else if (looks && lookup(BadEntry::defer)) {
        got = Got::entry;
      } else {
        if (deadline.passed()) break;
        if (request_.while_waiting) request_.while_waiting();
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, lock.poll_intervals().longest);
      }
    }
    if (got == Got::nothing) {
      ++outcome_.counters.lock_timeouts;
      const std::string holder = lock.holder();
      warn(fmt::format("could not acquire the cache lock within {} s{}", limit.count(),
                       holder.empty() ? "" : ", held by " + holder));
    }
  } catch (const Error& error) {
    // A cache that cannot be locked costs a compile, it does not fail the run.
    if (error.kind() != ErrorKind::system) throw;
    warn(fmt::format("cannot lock the cache: {}", error.message()));
  }
  const double waited = seconds_since(start) - (outcome_.read_seconds - read_before);
  outcome_.lock_seconds += waited;
  outcome_.lock_waits.push_back(waited);
  outcome_.counters.locks_broken = lock.broken();
  return got;
}

}  // namespace understudy::cache
