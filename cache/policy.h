// SPDX-License-Identifier: Apache-2.0
// Who may read, write and wait. A policy is one file in cache/policies and one row of the registry
// in policy.cc; the conformance suite in tests/cache runs over all rows. Policies have no state:
// thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/compile_cache.h"
#include "cache/store.h"

namespace understudy::cache {

using Compile = std::function<program::Executable()>;

// One request under way: what a policy does its work with, and the outcome it fills.
class Session {
 public:
  Session(const CacheRequest& request, std::string key, const Compile& compile, Store* store);

  const CacheRequest& request() const { return request_; }
  Store& store();

  // True when a good entry is there: the outcome then holds its executable. A stale entry is a
  // miss; a torn, damaged or foreign one is a miss, and the host's leader
  // quarantines it with a warning.
  bool lookup();
  void compile();
  // Writes the compiled executable; a failure is a warning. Returns whether it was written.
  bool publish();
  // Runs lookup() with growing pauses until it finds the entry (true), the leader said that there
  // will be none, or the patience is over (false).
  bool wait_for_leader();
  // What wait_for_leader() of others watches: "no entry will come".
  void give_up_publishing();
  void start_publishing();
  void warn(std::string text);

  CacheOutcome take_outcome();

 private:
  void refuse(std::string_view reason);
  std::string entry_name() const { return outcome_.key + ".entry"; }
  std::string marker_name() const { return outcome_.key + ".unpublished"; }

  const CacheRequest& request_;
  const Compile& compile_;
  Store* store_;
  CacheOutcome outcome_;
};

class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::string_view name() const = 0;
  // The folder under the cache directory; nullopt: this policy keeps nothing.
  virtual std::optional<std::string> folder(const CacheRequest& request) const = 0;
  virtual void obtain(Session& session) const = 0;
};

const Policy& per_host_policy();
const Policy& off_policy();

// In the order of --help.
const std::vector<const Policy*>& policies();
// *Throws* Error{usage} with the known names.
const Policy& policy_named(std::string_view name);

// obtain() of compile_cache.h with a store of the caller's: for tests with other stores.
CacheOutcome obtain_from(Store* store, const CacheRequest& request, const KeyParts& parts,
                         const Compile& compile);

}  // namespace understudy::cache
