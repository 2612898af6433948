// SPDX-License-Identifier: Apache-2.0
// The environment of one side of a scenario: a folder, and actors. An actor is a forked process
// that reports its observations in shared memory. Owns its children. Call from a single-threaded
// process.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "cache/compile_cache.h"
#include "cache/faulty_file_system.h"
#include "configs/base/deadline.h"
#include "configs/receipt/cache_stress.h"

namespace understudy::launcher {

// The observations of one actor, summed over its requests.
struct Heard {
  std::int64_t requests = 0, hits = 0, compiles = 0, bad_entries = 0, removed = 0, evicted = 0;
  std::int64_t writes = 0, write_failures = 0;
  std::int64_t lock_timeouts = 0, wait_timeouts = 0, locks_broken = 0;
  std::int64_t note = 0;  // scenario-specific count
  double seconds = 0, lock_seconds = 0, write_seconds = 0;
  int signal = 0;                   // signal that ended the actor, 0: none
  std::array<char, 400> warning{};  // the last warning or error
  std::string_view said() const { return warning.data(); }
};

class ScenarioWorld {
 public:
  static constexpr std::size_t kMostActors = 32;

  explicit ScenarioWorld(std::string directory);
  ~ScenarioWorld();
  ScenarioWorld(const ScenarioWorld&) = delete;
  ScenarioWorld& operator=(const ScenarioWorld&) = delete;

  const std::string& path() const { return directory_; }

  // The cache request of actor `number` under a discipline such as "shared:none" or "per-host".
  // Number 0 is the leader of its host and of the pod.
  cache::CacheRequest request(const std::string& discipline, std::int64_t number = 0,
                              std::int64_t host = 0) const;
  std::string entry_path(const cache::CacheRequest& request, std::int64_t key = 0) const;

  // Starts an actor that waits for finish(), so that all actors begin at the same instant.
  void start(std::function<void(Heard&)> act);
  // Starts an actor that begins immediately.
  void start_now(std::function<void(Heard&)> act);
  // Releases and waits for all actors. Returns their observations in start order.
  std::vector<Heard> finish();
  // Runs one actor to its end.
  Heard play(std::function<void(Heard&)> act);

  // Waits at most five seconds until `holds` is true. Returns whether it became true.
  static bool eventually(const std::function<bool()>& holds);

 private:
  struct Page;
  void fork_actor(std::function<void(Heard&)> act, bool waits);

  std::string directory_;
  Page* page_;
  std::vector<pid_t> children_;
};

// A program with a simulated compile time.
struct CompileRequest {
  std::int64_t key = 0;
  Seconds compile{0};
  std::uint64_t bytes = 16 * 1024;
  std::string flags = {};    // part of the key
  std::string program = {};  // part of the key
};
// The key of a stand-in program: `key`, `program` and `flags` of the request decide it.
cache::KeyParts parts_of(const CompileRequest& compile_request);
// One request to the cache, as a worker makes it; adds what happened to `heard`. *Throws*
// Error{internal} if the cache returns the executable of another key.
void obtain(Heard& heard, cache::CompileCache& cache, const CompileRequest& compile_request);
// The same through a fault-injecting file layer.
void obtain(Heard& heard, cache::CacheRequest request, const CompileRequest& compile_request,
            cache::FileFaults faults = {});

Heard total(const std::vector<Heard>& all);

// Kills the process in the middle of writing an entry.
cache::FileFaults killed_in_mid_write();
// Writes take as long as on a slow mount, so that readers can come in between.
cache::FileFaults slow_writer(double bytes_per_second);

}  // namespace understudy::launcher
