// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/outcome.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <tuple>
#include <utility>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/printable.h"
#include "configs/receipt/record/failure_kind.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/diagnose/divergence.h"
#include "launcher/diagnose/failure_reporter.h"
#include "launcher/diagnose/mpirun_notice.h"
#include "launcher/diagnose/rank_reports.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::Failed;
using configs::FailureKind;
using configs::Phase;
using configs::ReceiptFailure;

LostWorker lost_worker(const WatchedRun& watched, std::int64_t rank, Loss loss) {
  return lost_worker(rank, std::move(loss), record_of(watched, rank));
}

// The worker whose end was observed by the rank with the strongest report.
// For workers of other machines, whose processes the launcher cannot see.
std::optional<LostWorker> seen_by_peers(const WatchedRun& watched,
                                        const std::vector<RankReport>& reports) {
  if (reports.empty() || !reports.front().reports_lost_peer()) return std::nullopt;
  const Evidence evidence = reports.front().evidence;
  if (evidence != Evidence::stopped && evidence != Evidence::gone) return std::nullopt;
  const std::optional<std::int64_t> rank = silent_rank({reports.front()});
  if (!rank || *rank >= std::ssize(watched.records)) return std::nullopt;
  Loss loss = Loss::by(LossKind::killed);
  if (evidence == Evidence::stopped) loss = Loss::by(LossKind::stopped, SIGSTOP);
  return lost_worker(watched, *rank, loss);
}

// The rank that most likely ended first, among those that did not finish. A rank without a failure
// report comes before one with a report; then fewer collectives, then fewer heartbeats mean an
// earlier end. Last resort: nothing observed the end itself.
std::optional<LostWorker> guess_first_lost(const WatchedRun& watched) {
  using Life = std::tuple<bool, std::uint64_t, std::uint64_t>;
  std::optional<Life> shortest;
  std::int64_t first = -1;
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank) {
    const auto& record = watched.records[rank];
    if (record && record->phase == Phase::finished) continue;
    Life life{false, 0, 0};
    if (record)
      life = {last_of<Failed>(record) != nullptr,
              record->flight.empty() ? 0 : record->flight.back().sequence, record->heartbeat};
    if (shortest && *shortest <= life) continue;
    shortest = life;
    first = static_cast<std::int64_t>(rank);
  }
  if (first < 0) return std::nullopt;
  return lost_worker(watched, first, Loss::by(LossKind::ended));
}

Outcome not_started(const std::string& mpirun_output) {
  ReceiptFailure failure;
  failure.kind = FailureKind::system;
  failure.phase = "start";
  failure.message = "mpirun started no worker";
  failure.diagnosis = name_of(DiagnosisId::workers_did_not_start);
  attribute(failure);
  Outcome outcome{exit_code_of(ErrorKind::system), std::move(failure), {}};
  if (!mpirun_output.empty()) outcome.notes.push_back("output of mpirun:\n" + mpirun_output);
  return outcome;
}

}  // namespace

Outcome interrupted(int number) {
  ReceiptFailure failure;
  failure.kind = FailureKind::interrupted;
  failure.message = "interrupted by " + signal_name(number);
  return {kSignalled + number, std::move(failure), {}};
}

// Several processes end when one is lost, and each leaves some evidence. This function picks the
// evidence that is closest to the cause; the order of the conditions is the order of their
// strength.
Outcome outcome_of(const WatchedRun& watched, const configs::RunPlan& plan,
                   const std::vector<configs::Chip>& chips, const OpLocations& ops,
                   const std::string& mpirun_output) {
  // A signal to the launcher ends all workers; none of their reports is a cause then.
  if (watched.interrupted) return interrupted(*watched.interrupted);
  const FailureReporter reporter(watched, plan, chips, ops);
  if (watched.overdue) return reporter.late(*watched.overdue);
  const std::vector<RankReport>& reports = reporter.reports();
  // Strongest evidence first: an error that a worker met itself, a signal that it received, ends
  // that the launcher observed, then what peers observed of each other. A peer's report is weaker
  // because one lost rank makes all others report each other.
  const bool caused = !reports.empty() && !reports.front().reports_lost_peer();
  if (!caused)
    if (const std::optional<LostWorker> signalled = signalled_worker(watched))
      return reporter.lost(*signalled);
  // A second-hand report is weaker than the loss of mpirun, which makes all workers give up.
  if (!caused || reports.front().evidence == Evidence::peer_gave_up)
    if (const std::optional<LostMpirun> mpirun = lost_mpirun(watched, mpirun_output))
      return reporter.lost(*mpirun);
  if (!caused && watched.lost)
    return reporter.lost(with_signal_from_mpirun(*watched.lost, watched, mpirun_output));
  if (const std::optional<LostWorker> lost = seen_by_peers(watched, reports))
    return reporter.lost(with_signal_from_mpirun(*lost, watched, mpirun_output));
  // `no_progress` reports blame the peers waited for. If those peers have finished, the waiting
  // ranks themselves are the odd ones.
  const bool waited = !reports.empty() && reports.front().evidence == Evidence::no_progress;
  if (waited)
    if (std::optional<Outcome> alone = reporter.alone()) return *std::move(alone);
  if (!reports.empty()) return reporter.reported();
  if (const std::optional<MpirunNotice> notice = notice_in(mpirun_output))
    return reporter.lost(
        lost_worker(watched, notice->rank, Loss::by(LossKind::killed, notice->signal)));
  // Neither a process nor a record of any worker was ever seen: mpirun itself failed, so print its
  // output.
  if (watched.workers_seen == 0 &&
      std::ranges::none_of(watched.records, [](const auto& record) { return record.has_value(); }))
    return not_started(mpirun_output);
  if (const std::optional<LostWorker> lost = guess_first_lost(watched))
    return reporter.lost(with_signal_from_mpirun(*lost, watched, mpirun_output));
  return {};
}

Outcome outcome_of(const Error& error) {
  ReceiptFailure failure;
  failure.kind = configs::failure_kind_of(error.kind());
  failure.phase = "start";
  failure.message = error.message();
  if (!error.diagnosis().empty()) failure.diagnosis = error.diagnosis();
  attribute(failure);
  return {exit_code_of(error.kind()), std::move(failure), error.notes()};
}

void add_slice(Outcome& outcome, const configs::RunPlan& plan) {
  if (outcome.failure && outcome.failure->host)
    outcome.failure->slice = configs::slice_of_host(plan, HostId(*outcome.failure->host));
}

std::string failure_text(const Outcome& outcome) {
  const ReceiptFailure& failure = *outcome.failure;
  std::string text = "understudy: error: " + failure.message;
  for (const std::string& note : outcome.notes) text += "\n  note: " + note;
  const std::string slice = failure.slice ? fmt::format(", slice {}", *failure.slice) : "";
  const std::string phase = failure.phase.value_or("unknown");
  if (failure.rank)
    text += fmt::format("\n  rank {}, host {}{}, phase {}", *failure.rank, failure.host.value_or(0),
                        slice, phase);
  else if (failure.host)
    text += fmt::format("\n  host {}{}, phase {}", *failure.host, slice, phase);
  if (failure.op)
    text += fmt::format("\n  operation {}{}", *failure.op,
                        failure.place ? " at " + *failure.place : "");
  if (failure.python) text += "\n  from " + *failure.python;
  if (failure.rank_first) text += fmt::format("\n  first to fail: rank {}", *failure.rank_first);
  if (failure.layer && failure.advice)
    text += fmt::format("\n  layer: {}\n  advice: {}", *failure.layer, *failure.advice);
  return printable(text);
}

}  // namespace understudy::launcher
