// SPDX-License-Identifier: Apache-2.0
// The restore rung at the end of a rehearsal: its first rung again, in new processes.
#include "launcher/rehearse/rehearsal_run.h"
#include "launcher/rehearse/restoration.h"

namespace understudy::launcher {
configs::RungSeen RehearsalRun::restore(const configs::LadderSeen& climbed, Display& display,
                                        const OnProgress& on_progress) {
  configs::RungSeen seen;
  seen.rung = kRestoreRung;
  seen.added_feature = kRestoreAdds;
  // A ladder that failed has nothing worth restoring, and a second failure would hide the first.
  if (climbed.next_failing || !cold_) return seen;
  const std::size_t index = ladder_.rungs.size() + first_row();
  display.begins(index);
  configs::Rung canary = ladder_.rungs.front();
  // The experiments of metrics run other programs, which would spoil the counters of the proof.
  canary.metrics = "off";
  const auto chips = static_cast<std::int64_t>(slice_.chips.size());
  RungEvidence evidence =
      run_rung(canary, options_.run, chips, environment_, console_, on_progress);
  interrupted_ = evidence.interrupted;
  seen = judge_rung(canary, evidence);
  seen.rung = kRestoreRung;
  seen.added_feature = kRestoreAdds;
  if (!evidence.runs.empty()) restore_ = prove(*cold_, evidence.runs.back(), options_, seen);
  if (seen.status == "failed") failure_ = failure_of_rung(seen, interrupted_ != 0);
  display.ends(index, seen);
  return seen;
}

}  // namespace understudy::launcher
