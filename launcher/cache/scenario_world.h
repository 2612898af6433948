// SPDX-License-Identifier: Apache-2.0
// The stage of one side of a scenario: a folder, and actors that are processes and tell what they
// met in memory that all of them map. Owns its children. Call from a process with one thread.
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

// What one actor met, added up over its requests.
struct Heard {
  std::int64_t requests = 0, hits = 0, compiles = 0, bad_entries = 0, removed = 0, evicted = 0;
  std::int64_t writes = 0, write_failures = 0;
  std::int64_t lock_timeouts = 0, wait_timeouts = 0, locks_broken = 0;
  std::int64_t note = 0;  // whatever a scenario counts besides
  double seconds = 0, lock_seconds = 0, write_seconds = 0;
  int signal = 0;                   // that ended it
  std::array<char, 400> warning{};  // the last
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

  // A request of actor `number`, "shared:none" or "per-host"; number 0 leads its host and the pod.
  cache::CacheRequest request(const std::string& discipline, std::int64_t number = 0,
                              std::int64_t host = 0) const;
  std::string entry_path(const cache::CacheRequest& request, std::int64_t key = 0) const;

  // Starts an actor; all that are started together begin at the same instant, at finish().
  void start(std::function<void(Heard&)> act);
  // Starts one that begins at once.
  void start_now(std::function<void(Heard&)> act);
  // Waits for all actors; what they met, in the order of their start. The stage is empty then.
  std::vector<Heard> finish();
  // One actor from start to end.
  Heard play(std::function<void(Heard&)> act);

  // Waits until it holds, at most five seconds; whether it does.
  static bool eventually(const std::function<bool()>& holds);

 private:
  struct Page;
  void fork_actor(std::function<void(Heard&)> act, bool waits);

  std::string directory_;
  Page* page_;
  std::vector<pid_t> children_;
};

// A program that takes so long to compile. `faults` are the actor's file system.
struct CompileRequest {
  std::int64_t key = 0;
  Seconds compile{0};
  std::uint64_t bytes = 16 * 1024;
  std::string flags = {};    // part of the key
  std::string program = {};  // part of the key
};
cache::KeyParts parts_of(const CompileRequest& compile_request);
void obtain(Heard& heard, cache::CompileCache& cache, const CompileRequest& compile_request);
// With a file system of its own.
void obtain(Heard& heard, cache::CacheRequest request, const CompileRequest& compile_request,
            cache::FileFaults faults = {});

Heard total(const std::vector<Heard>& all);

// Faults that end the process in the middle of writing an entry.
cache::FileFaults killed_in_mid_write();
cache::FileFaults slow_writer(double bytes_per_second);

}  // namespace understudy::launcher
