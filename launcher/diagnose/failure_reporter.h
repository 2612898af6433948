// SPDX-License-Identifier: Apache-2.0
// Builds the failure of a receipt from the evidence of a run, with places in the program and the
// slice. Reads the run's data, which must outlive it. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launcher/diagnose/divergence.h"
#include "launcher/diagnose/outcome.h"
#include "launcher/diagnose/rank_reports.h"
#include "launcher/diagnose/run_position.h"

namespace understudy::launcher {

class FailureReporter {
 public:
  FailureReporter(const WatchedRun& watched, const configs::RunPlan& plan,
                  const std::vector<configs::Chip>& chips, const OpLocations& ops)
      : watched_(watched), plan_(plan), chips_(chips), ops_(ops), reports_(reports_in(watched)) {}

  const std::vector<RankReport>& reports() const { return reports_; }

  // The failure that the strongest report describes.
  Outcome reported() const;
  // The run exceeded --deadline.
  Outcome late(const RunPosition& position) const;
  // Ranks that wait in a collective which the other ranks, already finished, will never enter.
  std::optional<Outcome> alone() const;
  Outcome lost(const LostWorker& lost) const;
  // mpirun ends all workers when it ends, so no report of a worker is the cause.
  Outcome lost(const LostMpirun& lost) const;

 private:
  static std::string ranks_text(const std::vector<std::int64_t>& ranks);
  // A mismatch report names both sides as equals. The minority is most likely wrong.
  void blame(configs::ReceiptFailure& failure, const Divergence& odd) const;
  // The phase that the first missing rank of a report had reached.
  configs::Phase phase_of_missing(const RankReport& report) const;
  configs::ReceiptFailure about(std::int64_t rank) const;
  void name_op(configs::ReceiptFailure& failure, std::int64_t rank, std::int64_t ordinal) const;
  // " on machine b" if the pod runs on several machines, else "".
  std::string machine_of(std::size_t rank) const;
  // The last collective of a missing rank, from its flight recorder.
  std::optional<std::string> last_seen(std::int64_t rank, const LostWorker* lost) const;
  Outcome end(configs::ReceiptFailure failure, const LostWorker* lost = nullptr) const;

  const WatchedRun& watched_;
  const configs::RunPlan& plan_;
  const std::vector<configs::Chip>& chips_;
  const OpLocations& ops_;
  std::vector<RankReport> reports_;
};

}  // namespace understudy::launcher
