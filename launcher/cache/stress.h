// SPDX-License-Identifier: Apache-2.0
// Contention experiments: real processes obtain real entries through the cache's policies, and a
// supervisor measures, kills and damages. No MPI: a killed rank would end the whole job, a killed
// contender is started again. Call from a process with one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cache/faulty_file_system.h"
#include "configs/base/deadline.h"
#include "configs/cache_stress.h"
#include "launcher/cache/faults.h"

namespace understudy::launcher {

struct StressSetup {
  std::int64_t processes = 8, hosts = 1, keys = 4, rounds = 1;
  Seconds compile{0.1};  // slept: the processes stand for machines of their own
  Seconds file_delay{0};
  std::uint64_t entry_bytes = 64 * 1024, max_bytes = 0;
  Seconds patience{60}, lock_timeout{10};
  Seconds for_at_least{0};  // more rounds until so long; every second one starts cold
  StressFaults faults;
  std::string directory;  // an empty folder
  std::uint64_t seed = 1;
  std::function<void()> while_running = {};  // called now and then; may throw to end it all
};

// "per-host", "shared:none", ...; "shared" alone has the lock that suits the folder.
struct Discipline {
  std::string policy, lock;
};
// *Throws* Error{usage} with the known names.
Discipline parse_discipline(const std::string& word);

// One policy under the setup, with its diagnosis. Everything it made in `directory` is left there.
configs::PolicyStress run_stress(const StressSetup& setup, const Discipline& discipline);

// Start-up of the last process under policies that are safe here, by measuring what one process
// alone pays for a key in `directory`, and adding up who waits for whom.
std::vector<std::pair<std::string, double>> predict_safe(const StressSetup& setup,
                                                         const std::string& directory);

}  // namespace understudy::launcher
