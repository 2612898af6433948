// SPDX-License-Identifier: Apache-2.0
// What `understudy cache stress` measured: understudy/cache-stress/1, also part of its receipt. A
// start-up is the time from the common start until a process holds all of its programs. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace understudy::configs {

struct Quantiles {
  double p50 = 0, p99 = 0, max = 0;
};
// Of seconds; all zero if there are none.
Quantiles quantiles_of(std::vector<double> values);

struct PolicyStress {
  std::string policy;
  std::string lock;  // of `shared`; "none" where the policy needs no lock
  std::int64_t processes = 0, hosts = 0, keys = 0, rounds = 0;
  Quantiles startup_seconds;                 // of the first round, whose cache is cold
  std::optional<Quantiles> restart_seconds;  // of the others
  // Shares of all start-ups together.
  double lock_wait_fraction = 0, wait_fraction = 0, compile_fraction = 0, read_fraction = 0,
         write_fraction = 0;
  Quantiles lock_wait_seconds;  // of each attempt to acquire a lock
  std::int64_t compiles = 0;
  double mean_compile_seconds = 0;      // measured: on a busy machine a compile takes longer
  std::int64_t duplicate_compiles = 0;  // beyond one for each key and folder, in one round
  std::int64_t torn_reads = 0;          // entries found incomplete
  std::int64_t damaged_reads = 0;       // entries damaged by a fault, and detected
  std::int64_t wrong_results = 0, stuck_processes = 0;
  std::int64_t entries_lost = 0;  // reported as written, but missing or incomplete at the end
  std::int64_t lock_timeouts = 0, wait_timeouts = 0, locks_broken = 0, write_failures = 0;
  std::int64_t quarantined = 0, removed = 0, evicted = 0, retries = 0;
  std::int64_t killed = 0;          // contenders that were killed and restarted
  std::int64_t leftover_files = 0;  // temporaries and locks of dead owners, before a prune
  std::int64_t leftovers_after_prune = 0;
  std::uint64_t bytes_written = 0, unique_bytes = 0;
  double fairness = 1;             // Jain's index of the start-ups: 1 all equal, 1/n one only
  std::vector<double> by_process;  // start-up of the first round, by number
  bool safe = false;               // no torn read, wrong result, stuck process or lost entry
  std::string diagnosis;
  std::vector<std::pair<std::string, double>> predicted_seconds;  // of safe policies: start-up, max
  std::vector<std::string> warnings;                              // distinct, a few
};

struct CacheStress {
  std::vector<PolicyStress> policies;
  std::vector<std::string> faults;
  double compile_seconds = 0, file_system_delay_seconds = 0;
  std::uint64_t entry_bytes = 0;
  double wall_seconds = 0;
  std::optional<std::string> plot, receipt;  // paths
};
std::string to_json(const CacheStress& stress);
// *Throws* Error{config} with file, line, column and pointer.
CacheStress read_cache_stress(const std::string& text, const std::string& path);

// One reproduced contention scenario: understudy/cache-scenarios/1.
struct ScenarioSide {
  std::string discipline;    // "shared:none"
  bool as_expected = false;  // unsafe: the symptom showed; safe: the safe outcome held
  std::string seen;
};
struct ScenarioResult {
  std::string id, title, symptom, outcome;  // what is expected
  ScenarioSide unsafe, safe;
  double wall_seconds = 0;
};
std::string to_json(const std::vector<ScenarioResult>& scenarios);

}  // namespace understudy::configs
