// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/outcome.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "configs/base/error.h"
#include "configs/receipt/failure_kind.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/diagnose/divergence.h"
#include "launcher/diagnose/missed_op.h"
#include "launcher/diagnose/mpirun_notice.h"
#include "launcher/diagnose/rank_reports.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::Failed;
using configs::FailureKind;
using configs::Phase;
using configs::ReceiptFailure;

const std::optional<configs::RecordContent>& record_of(const Watched& watched, std::int64_t rank) {
  static const std::optional<configs::RecordContent> kNone;
  const auto at = static_cast<std::size_t>(rank);
  return at < watched.records.size() ? watched.records[at] : kNone;
}

LostWorker lost_worker(const Watched& watched, std::int64_t rank, Loss loss) {
  LostWorker lost{rank, std::move(loss)};
  if (const auto& record = record_of(watched, rank)) {
    lost.phase = record->phase;
    lost.op = record->op;
    lost.flight = record->flight;
  }
  return lost;
}

// The worker whose end was observed by the rank with the strongest report.
std::optional<LostWorker> seen_by_peers(const Watched& watched,
                                        const std::vector<RankReport>& reports) {
  if (reports.empty() || !reports.front().is_timeout()) return std::nullopt;
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
std::optional<LostWorker> vanished(const Watched& watched) {
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

// Builds the failure of the receipt from the evidence, with places in the program and the slice.
class FailureReporter {
 public:
  FailureReporter(const Watched& watched, const configs::RunPlan& plan,
                  const std::vector<configs::Chip>& chips, const OpLocations& ops)
      : watched_(watched), plan_(plan), chips_(chips), ops_(ops), reports_(reports_in(watched)) {}

  const std::vector<RankReport>& reports() const { return reports_; }

  // The failure that the strongest report describes.
  Outcome reported() const {
    const RankReport& first = reports_.front();
    // A second-hand report ("my peer gave up") describes the peer, which may have ended before it
    // could write its own report.
    const bool second_hand = !first.is_timeout() && first.evidence == Evidence::peer_gave_up &&
                             !first.failed->missing_ranks.empty();
    ReceiptFailure failure = about(second_hand ? first.failed->missing_ranks.front() : first.rank);
    failure.kind = first.failed->kind;
    failure.phase = name_of(first.failed->phase);
    failure.evidence = first.evidence;
    if (!first.failed->op.empty()) failure.op = first.failed->op;
    name_op(failure, first.rank, first.failed->op_index);
    failure.message = first.failed->message;
    if (!second_hand) failure.missing_ranks = first.failed->missing_ranks;
    failure.diagnosis = first.failed->diagnosis;
    if (!failure.diagnosis && first.is_timeout())
      failure.diagnosis = diagnosis_of_loss(first.evidence, phase_of_missing(first));
    // In a chain of timeouts every reporter was itself waited for by another rank, except the one
    // that wrote no report: that one was lost first.
    failure.rank_first = first.is_timeout() ? silent_rank(reports_) : failure.rank;
    if (first.evidence == Evidence::mismatch && !first.failed->op.empty())
      if (const auto odd = other_collective(watched_, first.rank)) blame(failure, *odd);
    return end(std::move(failure));
  }

  // The run exceeded --deadline.
  Outcome late(const RunPosition& standing) const {
    ReceiptFailure failure = about(standing.rank);
    failure.kind = FailureKind::timeout;
    failure.diagnosis = "deadline-passed";
    failure.phase = name_of(standing.phase);
    failure.message = fmt::format("the deadline of {:g} s passed: {}", watched_.deadline_seconds,
                                  position_text(standing, plan_.steps, ops_));
    name_op(failure, standing.rank, std::int64_t{standing.op} - 1);
    // Before any worker exists there is no position and no rank to name.
    if (standing.rank < 0) failure.rank.reset();
    attribute(failure);
    return {exit_code_of(ErrorKind::timeout), std::move(failure), {}};
  }

  // Ranks that wait in a collective which the other ranks, already finished, will never enter.
  std::optional<Outcome> alone() const {
    const std::optional<Divergence> odd = left_alone(watched_, plan_);
    if (!odd) return std::nullopt;
    ReceiptFailure failure = about(odd->ranks.front());
    failure.kind = FailureKind::timeout;
    failure.phase = name_of(Phase::programs_allowed);
    name_op(failure, odd->ranks.front(), odd->entry.op);
    failure.diagnosis = "collective-alone";
    failure.rank_first = failure.rank;
    failure.missing_ranks = odd->others;
    failure.message = fmt::format(
        "{} (host {}) wait{} in {}, which no other rank enters: the other {} finished their "
        "program",
        ranks_text(odd->ranks), failure.host.value_or(0), odd->ranks.size() == 1 ? "s" : "",
        name_of(odd->entry), odd->others.size());
    return end(std::move(failure));
  }

  Outcome lost(const LostWorker& lost) const {
    ReceiptFailure failure = about(lost.rank);
    failure.kind = FailureKind::timeout;
    failure.phase = name_of(lost.phase);
    if (const auto missed = missed_op(lost, watched_.records))
      name_op(failure, missed->rank, missed->op);
    // Without a flight recorder entry of its own, take the operation in which a peer waited for it.
    for (const RankReport& one : reports_) {
      if (failure.op) break;
      if (!one.failed->op.empty()) failure.op = one.failed->op;
      name_op(failure, one.rank, one.failed->op_index);
    }
    failure.diagnosis = diagnosis_of_loss(lost.loss, lost.phase);
    const Evidence seen = evidence_of(lost.loss);
    // A worker that finished all steps and then ended while others still wait left the pod too
    // early; it did not crash.
    if (seen == Evidence::gone && has_finished(watched_, plan_, lost.rank))
      failure.diagnosis = "rank-left-early";
    failure.message = fmt::format("rank {} (host {}) {}", lost.rank, failure.host.value_or(0),
                                  text_of(lost.loss));
    failure.rank_first = lost.rank;
    failure.missing_ranks = {lost.rank};
    failure.process = "worker";
    failure.signal = signal_name(lost.loss);
    failure.evidence = seen;
    return end(std::move(failure), &lost);
  }

  // mpirun ends all workers when it ends, so no report of a worker is the cause.
  Outcome lost(const LostMpirun& lost) const {
    ReceiptFailure failure;
    failure.kind = FailureKind::timeout;
    // The furthest phase of any worker shows how far the pod had come. Phase::failed is after all
    // others and says nothing about that.
    Phase reached = Phase::started;
    for (const auto& record : watched_.records)
      if (record && record->phase < Phase::failed) reached = std::max(reached, record->phase);
    failure.phase = name_of(reached);
    failure.message = fmt::format("mpirun (process {}) {}", lost.pid, text_of(lost.loss));
    failure.process = "mpirun";
    failure.signal = signal_name(lost.loss);
    failure.evidence = evidence_of(lost.loss);
    failure.diagnosis = lost.loss.how == LossKind::stopped ? "mpirun-stopped" : "mpirun-died";
    if (lost.loss.how == LossKind::out_of_memory) failure.diagnosis = "host-memory-exhausted";
    attribute(failure);
    return {exit_code_of(ErrorKind::timeout), std::move(failure), {}};
  }

 private:
  static std::string ranks_text(const std::vector<std::int64_t>& ranks) {
    constexpr std::size_t kMost = 8;
    const auto shown = ranks.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, ranks.size()));
    if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
    return fmt::format("ranks {}{}", fmt::join(ranks.begin(), shown, ", "),
                       shown == ranks.end() ? "" : ", ...");
  }

  // A mismatch report names both sides as equals. The minority is most likely wrong.
  void blame(ReceiptFailure& failure, const Divergence& odd) const {
    const ReceiptFailure side = about(odd.ranks.front());
    failure.rank = failure.rank_first = side.rank;
    failure.host = side.host;
    failure.chip = side.chip;
    failure.place.reset();
    name_op(failure, odd.ranks.front(), odd.entry.op);
    failure.message += fmt::format("; only {} differ{} from the other {}", ranks_text(odd.ranks),
                                   odd.ranks.size() == 1 ? "s" : "", odd.others.size());
  }

  // The phase that the first missing rank of a report had reached.
  Phase phase_of_missing(const RankReport& report) const {
    if (report.failed->missing_ranks.empty()) return Phase::programs_allowed;
    const auto& record = record_of(watched_, report.failed->missing_ranks.front());
    return record ? record->phase : Phase::started;
  }

  ReceiptFailure about(std::int64_t rank) const {
    ReceiptFailure failure;
    failure.rank = rank;
    const auto at = static_cast<std::size_t>(rank);
    if (at < plan_.host_of.size()) failure.host = plan_.host_of[at].value;
    if (at < chips_.size()) failure.chip = chips_[at].id.value;
    return failure;
  }

  void name_op(ReceiptFailure& failure, std::int64_t rank, std::int64_t ordinal) const {
    const std::optional<OpLocations::Entry> entry = ops_.find(rank, ordinal);
    if (!entry) return;
    failure.op = entry->name;
    if (entry->place) failure.place = entry->place;
  }

  // " on machine b" if the pod runs on several machines, else "".
  std::string machine_of(std::size_t rank) const {
    std::set<std::string> machines;
    for (const auto& record : watched_.records)
      if (const auto* started = last_of<configs::Started>(record))
        machines.insert(started->machine);
    const auto* const started = last_of<configs::Started>(watched_.records[rank]);
    if (machines.size() < 2 || started == nullptr) return "";
    return " on machine " + started->machine;
  }

  // The last collective of a missing rank, from its flight recorder.
  std::optional<std::string> last_seen(std::int64_t rank, const LostWorker* lost) const {
    const auto& record = record_of(watched_, rank);
    if (!record) return std::nullopt;
    const std::vector<configs::FlightSeen>& flight =
        // For a lost worker use the copy made at detection: ending the pod may have woken it since.
        lost != nullptr && lost->rank == rank ? lost->flight : record->flight;
    const std::string who =
        fmt::format("rank {}{}", rank, machine_of(static_cast<std::size_t>(rank)));
    if (flight.empty()) return who + " entered no collective";
    const configs::FlightSeen& last = flight.back();
    const std::optional<std::string> place = ops_.place(rank, last.op);
    const std::string where = place ? " at " + *place : "";
    if (!last.done_ns) return fmt::format("{} was last seen in {}{}", who, name_of(last), where);
    return fmt::format("{} left {}{} and entered no further collective", who, name_of(last), where);
  }

  Outcome end(ReceiptFailure failure, const LostWorker* lost = nullptr) const {
    attribute(failure);
    std::vector<std::string> notes = notes_of(reports_, failure.rank.value_or(-1), failure.message);
    std::set<std::int64_t> missing(failure.missing_ranks.begin(), failure.missing_ranks.end());
    if (failure.kind == FailureKind::timeout && failure.rank_first)
      missing.insert(*failure.rank_first);
    // A lost host may have many missing ranks; a few positions are enough to find the operation.
    constexpr std::size_t kMostTold = 8;
    for (const std::int64_t rank : missing) {
      if (notes.size() >= kMostTold) break;
      if (std::optional<std::string> seen = last_seen(rank, lost))
        notes.push_back(*std::move(seen));
    }
    const int exit_code = exit_code_of(*error_kind_of(*failure.kind));
    return {exit_code, std::move(failure), std::move(notes)};
  }

  const Watched& watched_;
  const configs::RunPlan& plan_;
  const std::vector<configs::Chip>& chips_;
  const OpLocations& ops_;
  std::vector<RankReport> reports_;
};

Outcome not_started(const std::string& mpirun_output) {
  ReceiptFailure failure;
  failure.kind = FailureKind::system;
  failure.phase = "start";
  failure.message = "mpirun started no worker";
  failure.diagnosis = "workers-did-not-start";
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
Outcome outcome_of(const Watched& watched, const configs::RunPlan& plan,
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
  const bool caused = !reports.empty() && !reports.front().is_timeout();
  if (!caused)
    if (const std::optional<LostWorker> signalled = signalled_worker(watched))
      return reporter.lost(*signalled);
  // A second-hand report is weaker than the loss of mpirun, which makes all workers give up.
  if (!caused || reports.front().evidence == Evidence::peer_gave_up)
    if (const std::optional<LostMpirun> mpirun = lost_mpirun(watched, mpirun_output))
      return reporter.lost(*mpirun);
  if (!caused && watched.lost)
    return reporter.lost(explained(*watched.lost, watched, mpirun_output));
  if (const std::optional<LostWorker> lost = seen_by_peers(watched, reports))
    return reporter.lost(explained(*lost, watched, mpirun_output));
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
  if (const std::optional<LostWorker> lost = vanished(watched))
    return reporter.lost(explained(*lost, watched, mpirun_output));
  return {};
}

std::string failure_text(const Outcome& outcome) {
  const ReceiptFailure& failure = *outcome.failure;
  std::string text = "understudy: error: " + failure.message;
  for (const std::string& note : outcome.notes) text += "\n  note: " + note;
  if (failure.rank)
    text += fmt::format("\n  rank {}, host {}, phase {}", *failure.rank, failure.host.value_or(0),
                        failure.phase.value_or("unknown"));
  else if (failure.host)
    text += fmt::format("\n  host {}, phase {}", *failure.host, failure.phase.value_or("unknown"));
  if (failure.op)
    text += fmt::format("\n  operation {}{}", *failure.op,
                        failure.place ? " at " + *failure.place : "");
  if (failure.rank_first) text += fmt::format("\n  first to fail: rank {}", *failure.rank_first);
  if (failure.layer && failure.advice)
    text += fmt::format("\n  layer: {}\n  advice: {}", *failure.layer, *failure.advice);
  return text;
}

}  // namespace understudy::launcher
