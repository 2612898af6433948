// SPDX-License-Identifier: Apache-2.0
#include "cache/policy.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>
#include <utility>

#include "cache/archive.h"
#include "cache/envelope.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

using std::chrono::microseconds;

constexpr microseconds kFirstPause{200}, kLongestPause{20'000};

double seconds_since(Clock::time_point start) { return Seconds(Clock::now() - start).count(); }

}  // namespace

Session::Session(const CacheRequest& request, std::string key, const Compile& compile, Store* store)
    : request_(request), compile_(compile), store_(store) {
  outcome_.key = std::move(key);
}

Store& Session::store() {
  UNDERSTUDY_ASSERT(store_ != nullptr);
  return *store_;
}

void Session::warn(std::string text) { outcome_.warnings.push_back(std::move(text)); }

// Only the leader moves entries: a neighbour that read the bad bytes late could move the good entry
// that the leader has written since.
void Session::refuse(std::string_view reason) {
  if (!request_.host_leader) return;
  const std::string aside = store().quarantine(entry_name());
  warn(fmt::format("cache entry {} is {}; moved to {}, compiling again", entry_name(), reason,
                   aside));
}

bool Session::lookup() {
  const std::optional<std::string> entry = store().read(entry_name());
  if (!entry) return false;
  const Opened opened = open(*entry, outcome_.key);
  if (opened.refusal == Refusal::stale) return false;
  if (opened.refusal != Refusal::none) {
    refuse(words_for(opened.refusal));
    return false;
  }
  try {
    outcome_.executable = restore_executable(opened.payload);
  } catch (const Error& error) {
    refuse(error.message());
    return false;
  }
  outcome_.cached = true;
  return true;
}

void Session::compile() {
  const auto start = Clock::now();
  outcome_.executable = compile_();
  outcome_.compile_seconds += seconds_since(start);
}

bool Session::publish() {
  try {
    store().write(entry_name(), seal(outcome_.key, archive_executable(outcome_.executable)));
    return true;
  } catch (const Error& error) {
    warn(fmt::format("the compiled program is not cached: {}", error.message()));
    return false;
  }
}

bool Session::wait_for_leader() {
  const auto start = Clock::now();
  const Deadline deadline = Deadline::after(request_.patience);
  microseconds pause = kFirstPause;
  bool found = false, given_up = false;
  while (!found && !given_up && !deadline.passed()) {
    if (request_.while_waiting) request_.while_waiting();
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
    given_up = store().read(marker_name()).has_value();
    found = lookup();
  }
  outcome_.wait_seconds += seconds_since(start);
  if (!found && !given_up) {
    warn(fmt::format("no cache entry from this host's first chip within {} s; compiled here",
                     request_.patience.count()));
  }
  return found;
}

void Session::start_publishing() {
  try {
    store().remove(marker_name());
  } catch (const Error& error) {
    warn(fmt::format("an old marker stays in the cache: {}", error.message()));
  }
}

void Session::give_up_publishing() {
  try {
    store().write(marker_name(), "");
  } catch (const Error&) {
    // publish() has warned already; the neighbours find out by their patience.
    return;
  }
}

CacheOutcome Session::take_outcome() { return std::move(outcome_); }

const std::vector<const Policy*>& policies() {
  static const std::vector<const Policy*> all = {&per_host_policy(), &off_policy()};
  return all;
}

const Policy& policy_named(std::string_view name) {
  for (const Policy* policy : policies()) {
    if (policy->name() == name) return *policy;
  }
  throw Error(ErrorKind::usage, fmt::format("unknown cache policy \"{}\"; known: {}", name,
                                            fmt::join(policy_names(), ", ")));
}

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const Policy* policy : policies()) names.push_back(policy->name());
  return names;
}

CacheOutcome obtain_from(Store* store, const CacheRequest& request, const KeyParts& parts,
                         const Compile& compile) {
  const auto start = Clock::now();
  Session session(request, key_of(parts), compile, store);
  policy_named(request.policy).obtain(session);
  CacheOutcome outcome = session.take_outcome();
  outcome.wall_seconds = seconds_since(start);
  return outcome;
}

CacheOutcome obtain(const CacheRequest& request, const KeyParts& parts, const Compile& compile) {
  const std::optional<std::string> folder = policy_named(request.policy).folder(request);
  std::unique_ptr<Store> store;
  if (folder) store = open_disk_store(request.directory + "/" + *folder);
  return obtain_from(store.get(), request, parts, compile);
}

}  // namespace understudy::cache
