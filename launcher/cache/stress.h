// SPDX-License-Identifier: Apache-2.0
// The launcher's side of a contention experiment: starts the ranks through mpirun, waits for their
// end, reads the result file of rank 0. Call from the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "configs/launch/stress_plan.h"
#include "configs/receipt/cache_stress.h"
#include "launcher/pod/launch.h"

namespace understudy::launcher {

// Parses "per-host", "shared:none", ...; "shared" alone leaves the lock empty. *Throws*
// Error{usage} that lists the known names.
configs::StressDiscipline parse_discipline(const std::string& word);
// If no lock was named, sets the lock that passes the self-test in `directory`.
void complete(configs::StressDiscipline& discipline, const std::string& directory);

// The command line of mpirun and the variables it gets in addition to this process's environment.
struct StressStart {
  std::vector<std::string> words, variables;
};
// Sets the result path of `plan`.
StressStart stress_start(configs::StressPlan& plan, const StartOptions& start,
                         const Environment& environment, RunFolder& folder);

// Runs all disciplines of the plan and diagnoses each. `while_running` is called every 20 ms and
// ends the experiment by throwing. *Throws* Error{system} with the output of the ranks if they
// leave no result.
std::vector<configs::PolicyStress> run_stress(const configs::StressPlan& plan,
                                              const StressStart& start, const RunFolder& folder,
                                              const std::function<void()>& while_running);

}  // namespace understudy::launcher
