// SPDX-License-Identifier: Apache-2.0
// The parameters of `understudy cache stress`, passed to every rank on its command line, because
// the ranks need them before MPI starts. A value; reading validates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::configs {

struct StressDiscipline {
  std::string policy, lock;
  bool operator==(const StressDiscipline&) const = default;
};

struct StressPlan {
  std::vector<StressDiscipline> disciplines;  // one after the other
  std::int64_t processes = 8;                 // ranks; each supervises one contender
  std::int64_t hosts = 1, keys = 4, rounds = 1;
  double compile_seconds = 0.1;  // a sleep: contenders emulate machines of their own
  double file_delay_seconds = 0;
  std::uint64_t entry_bytes = 64 * 1024, max_bytes = 0;
  double patience_seconds = 60, lock_timeout_seconds = 10;
  double for_seconds = 0;           // repeat rounds for this long; every second one is cold
  std::vector<std::string> faults;  // as cache/stress_faults.h reads them
  bool on_small_disk = false;       // the directory is on a small file system that fills up
  std::string directory;            // of the caches; created on each machine if missing
  std::string result;               // the file for rank 0's results
  std::uint64_t seed = 1;
  bool operator==(const StressPlan&) const = default;
};

// Schema understudy/stress-plan/1 (configs/schema/stress-plan.json), on one line.
std::string to_json(const StressPlan& plan);
// *Throws* Error{config} with file, line, column and pointer.
StressPlan read_stress_plan(const std::string& text, const std::string& path);

}  // namespace understudy::configs
