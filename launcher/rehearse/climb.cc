// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/climb.h"

#include <utility>

#include "configs/base/diagnosis_id.h"
#include "configs/receipt/diagnosis.h"

namespace understudy::launcher {
namespace {

configs::RungSeen play_with_retries(const configs::Rung& rung, const PlayRung& play,
                                    std::int64_t retries) {
  std::vector<std::string> reasons;
  for (;;) {
    configs::RungSeen seen = play(rung);
    const auto tried = static_cast<std::int64_t>(reasons.size());
    if (!is_worth_a_retry(seen) || tried >= retries) {
      seen.retries = std::move(reasons);
      return seen;
    }
    reasons.push_back(seen.why.value_or(""));
  }
}

}  // namespace

// Only failures of the machine may go away by themselves; a repeated wrong result would hide a
// defect of the program.
bool is_worth_a_retry(const configs::RungSeen& seen) {
  return seen.status == "failed" &&
         seen.layer_of_failure == name_of(configs::Layer::host_runtime) &&
         seen.diagnosis != name_of(DiagnosisId::broken_invariant);
}

// The frontier: where the ladder fails for the first time. The receipt names the first passing
// rung, which shows that the host works, and the failing one.
configs::LadderSeen climb(const configs::Ladder& ladder, const PlayRung& play, std::int64_t retries,
                          const ClimbWatcher& watcher) {
  configs::LadderSeen all;
  all.name = ladder.name;
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    const configs::Rung& rung = ladder.rungs[i];
    configs::RungSeen seen;
    seen.rung = rung.name;
    seen.added_feature = rung.adds;
    // Rungs after the first failing one keep their default status "not-run".
    if (!all.next_failing) {
      watcher.begins(i);
      seen = play_with_retries(rung, play, retries);
      watcher.ends(i, seen);
      if (seen.status == "failed") all.next_failing = rung.name;
      if (seen.status == "passed" && !all.first_passing) all.first_passing = rung.name;
    }
    all.rungs.push_back(std::move(seen));
  }
  return all;
}

}  // namespace understudy::launcher
