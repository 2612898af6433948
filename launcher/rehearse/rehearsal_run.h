// SPDX-License-Identifier: Apache-2.0
// The state of one rehearsal and its summary. Internal to rehearsal.cc and rehearsal_run*.cc. Call
// from the main thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/ladder.h"
#include "configs/launch/topology.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/restore_proof.h"
#include "launcher/rehearse/display.h"
#include "launcher/rehearse/rehearsal.h"
#include "launcher/rehearse/rung_run.h"

namespace understudy::launcher {

class RehearsalRun {
 public:
  // All references must outlive this.
  RehearsalRun(const RehearseOptions& options, const Environment& environment,
               const Console& console, configs::Slice slice, configs::Ladder ladder);
  // Climbs the ladder, then the restore proof.
  RehearsalEnd run();

 private:
  using OnProgress = std::function<void(const RungProgress&)>;

  std::string title() const;
  std::vector<DisplayRung> rows() const;
  configs::RungSeen play_rung(const configs::Rung& rung, const OnProgress& on_progress);
  // The row of the first rung of the ladder in the display.
  std::size_t first_row() const { return options_.preflight ? 1 : 0; }
  // The rung before the first start. True: the ladder may be climbed.
  bool preflight(Display& display);
  // Adds it to what was seen, as the first rung.
  void add_preflight(configs::LadderSeen& seen);
  void note_chips(const configs::Rung& rung, std::int64_t chips);

  // Runs the canary of the first rung again; not after a failed ladder.
  configs::RungSeen restore(const configs::LadderSeen& climbed, Display& display,
                            const OnProgress& on_progress);

  RehearsalEnd conclude(configs::LadderSeen seen, double wall_seconds);
  configs::Receipt summary(const configs::Rehearsal& document) const;
  // The receipt of a rehearsal in which nothing ran.
  configs::Receipt bare(const configs::Rehearsal& document) const;

  const RehearseOptions& options_;
  const Environment& environment_;
  const Console& console_;
  configs::Slice slice_;
  configs::Ladder ladder_;
  std::string started_at_;
  std::optional<RunReport> cold_, last_;
  std::optional<configs::ReceiptFailure> failure_;
  std::optional<configs::RestoreSeen> restore_;
  std::optional<configs::Preflight> preflight_;
  std::vector<configs::MetricSeen> metrics_;
  std::vector<std::string> notes_;
  int interrupted_ = 0;
};

// The failure of a rung for which no run reported one.
configs::ReceiptFailure failure_of_rung(const configs::RungSeen& seen, bool interrupted);

inline constexpr const char* kRestoreAdds =
    "the first rung again, in new processes, from the cache";

}  // namespace understudy::launcher
