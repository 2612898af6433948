// SPDX-License-Identifier: Apache-2.0
// Contention experiments as the launcher sees them: starts the ranks through mpirun, waits for
// their end, reads what rank 0 left. Call from the main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "configs/launch/stress_plan.h"
#include "configs/receipt/cache_stress.h"
#include "launcher/pod/launch.h"

namespace understudy::launcher {

// "per-host", "shared:none", ...; "shared" alone has no lock yet. *Throws* Error{usage} with the
// known names.
configs::StressDiscipline parse_discipline(const std::string& word);
// The lock that excludes in `directory`, where none was named.
void complete(configs::StressDiscipline& discipline, const std::string& directory);

// How mpirun is started: its words, and what its environment has beside this process's.
struct StressStart {
  std::vector<std::string> words, variables;
};
// `plan` gets the place of its result.
StressStart stress_start(configs::StressPlan& plan, const StartOptions& start,
                         const Environment& environment, RunFolder& folder);

// All disciplines of the plan, each with its diagnosis. `while_running` is called now and then, and
// ends it all by throwing. *Throws* Error{system} where the ranks do not come to an end by
// themselves, with what they said.
std::vector<configs::PolicyStress> run_stress(const configs::StressPlan& plan,
                                              const StressStart& start, const RunFolder& folder,
                                              const std::function<void()>& while_running);

}  // namespace understudy::launcher
