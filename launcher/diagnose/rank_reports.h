// SPDX-License-Identifier: Apache-2.0
// What the workers reported of their own ends, weighed against each other. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/receipt/failure_kind.h"
#include "configs/receipt/record.h"
#include "launcher/diagnose/watched.h"

namespace understudy::launcher {

// One worker's report of its own end.
struct RankReport {
  std::int64_t rank;
  const configs::Failed* failed;
  configs::Evidence evidence;

  bool is_timeout() const { return failed->kind == configs::FailureKind::timeout; }
};

// The best evidence first, then the lowest rank. Not those that mpirun or the launcher told to end,
// which may wake a stopped worker for a report, nor those that a signal from outside ended
// (signalled_rank()).
std::vector<RankReport> reports_in(const Watched& watched);

// What the others than rank `but` reported, equal messages once, and not `said`.
std::vector<std::string> notes_of(const std::vector<RankReport>& reports, std::int64_t but,
                                  const std::string& said);

// The first rank that was waited for and did not report why.
std::optional<std::int64_t> silent_rank(const std::vector<RankReport>& reports);

// The worker that received a signal from outside of the pod; of several the one that did first.
std::optional<LostWorker> signalled_worker(const Watched& watched);

}  // namespace understudy::launcher
