// SPDX-License-Identifier: Apache-2.0
// The failure reports of the workers, ordered by the strength of their evidence. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/receipt/record/failure_kind.h"
#include "configs/receipt/record/record.h"
#include "launcher/diagnose/watched_run.h"

namespace understudy::launcher {

// One worker's report of why it ended.
struct RankReport {
  std::int64_t rank;
  const configs::Failed* failed;
  configs::Evidence evidence;

  bool reports_lost_peer() const { return failed->kind == configs::FailureKind::timeout; }
};

// Strongest evidence first, then the lowest rank. Leaves out workers that were interrupted: those
// that mpirun or the launcher told to end (which may wake a stopped worker), and those that a
// signal from outside the pod ended (signalled_worker()).
std::vector<RankReport> reports_in(const WatchedRun& watched);

// The reports of all ranks except `but`, equal messages combined, without the message `said`.
std::vector<std::string> notes_of(const std::vector<RankReport>& reports, std::int64_t but,
                                  const std::string& said);

// The first rank that a report misses and that wrote no first-hand report.
std::optional<std::int64_t> silent_rank(const std::vector<RankReport>& reports);

// The worker that received a signal from outside the pod; the earliest one if there are several.
std::optional<LostWorker> signalled_worker(const WatchedRun& watched);

}  // namespace understudy::launcher
