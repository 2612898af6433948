// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/failure_reporter.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/receipt/record/failure_kind.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/diagnose/missed_op.h"

namespace understudy::launcher {

using configs::Evidence;
using configs::FailureKind;
using configs::Phase;
using configs::ReceiptFailure;

Outcome FailureReporter::reported() const {
  const RankReport& first = reports_.front();
  // A second-hand report ("my peer gave up") describes the peer, which may have ended before it
  // could write its own report.
  const bool second_hand = !first.reports_lost_peer() && first.evidence == Evidence::peer_gave_up &&
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
  if (!failure.diagnosis && first.reports_lost_peer())
    failure.diagnosis = diagnosis_of_loss(first.evidence, phase_of_missing(first));
  // In a chain of timeouts every reporter was itself waited for by another rank, except the one
  // that wrote no report: that one was lost first.
  failure.rank_first = first.reports_lost_peer() ? silent_rank(reports_) : failure.rank;
  if (first.evidence == Evidence::mismatch && !first.failed->op.empty())
    if (const auto odd = other_collective(watched_, first.rank)) blame(failure, *odd);
  return end(std::move(failure));
}

Outcome FailureReporter::late(const RunPosition& position) const {
  ReceiptFailure failure = about(position.rank);
  failure.kind = FailureKind::timeout;
  failure.diagnosis = name_of(DiagnosisId::deadline_passed);
  failure.phase = name_of(position.phase);
  failure.message = fmt::format("the deadline of {:g} s passed: {}", watched_.deadline_seconds,
                                position_text(position, plan_.steps, ops_));
  name_op(failure, position.rank, std::int64_t{position.op} - 1);
  // Before any worker exists there is no position and no rank to name.
  if (position.rank < 0) failure.rank.reset();
  attribute(failure);
  return {exit_code_of(ErrorKind::timeout), std::move(failure), {}};
}

std::optional<Outcome> FailureReporter::alone() const {
  const std::optional<Divergence> odd = left_alone(watched_, plan_);
  if (!odd) return std::nullopt;
  ReceiptFailure failure = about(odd->ranks.front());
  failure.kind = FailureKind::timeout;
  failure.phase = name_of(Phase::programs_allowed);
  name_op(failure, odd->ranks.front(), odd->entry.op);
  failure.diagnosis = name_of(DiagnosisId::collective_alone);
  failure.rank_first = failure.rank;
  // They are missing from the collective only; none of them was lost.
  failure.missing_ranks = odd->others;
  failure.message = fmt::format(
      "{} (host {}) wait{} in {}, which no other rank enters: the other {} finished their "
      "program",
      ranks_text(odd->ranks), failure.host.value_or(0), odd->ranks.size() == 1 ? "s" : "",
      name_of(odd->entry), odd->others.size());
  return end(std::move(failure));
}

Outcome FailureReporter::lost(const LostWorker& lost) const {
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
    failure.diagnosis = name_of(DiagnosisId::rank_left_early);
  failure.message =
      fmt::format("rank {} (host {}) {}", lost.rank, failure.host.value_or(0), text_of(lost.loss));
  failure.rank_first = lost.rank;
  failure.missing_ranks = {lost.rank};
  failure.process = "worker";
  failure.signal = signal_name(lost.loss);
  failure.evidence = seen;
  return end(std::move(failure), &lost);
}

Outcome FailureReporter::lost(const LostMpirun& lost) const {
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
  failure.diagnosis = lost.loss.how == LossKind::stopped ? name_of(DiagnosisId::mpirun_stopped)
                                                         : name_of(DiagnosisId::mpirun_died);
  if (lost.loss.how == LossKind::out_of_memory)
    failure.diagnosis = name_of(DiagnosisId::host_memory_exhausted);
  attribute(failure);
  return {exit_code_of(ErrorKind::timeout), std::move(failure), {}};
}

std::string FailureReporter::ranks_text(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t kMost = 8;
  const auto shown = ranks.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, ranks.size()));
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  return fmt::format("ranks {}{}", fmt::join(ranks.begin(), shown, ", "),
                     shown == ranks.end() ? "" : ", ...");
}

void FailureReporter::blame(ReceiptFailure& failure, const Divergence& odd) const {
  const ReceiptFailure side = about(odd.ranks.front());
  failure.rank = failure.rank_first = side.rank;
  failure.host = side.host;
  failure.chip = side.chip;
  failure.place.reset();
  failure.python.reset();
  name_op(failure, odd.ranks.front(), odd.entry.op);
  failure.message += fmt::format("; only {} differ{} from the other {}", ranks_text(odd.ranks),
                                 odd.ranks.size() == 1 ? "s" : "", odd.others.size());
}

Phase FailureReporter::phase_of_missing(const RankReport& report) const {
  if (report.failed->missing_ranks.empty()) return Phase::programs_allowed;
  const auto& record = record_of(watched_, report.failed->missing_ranks.front());
  return record ? record->phase : Phase::started;
}

ReceiptFailure FailureReporter::about(std::int64_t rank) const {
  ReceiptFailure failure;
  failure.rank = rank;
  const auto at = static_cast<std::size_t>(rank);
  if (at < plan_.host_of.size()) failure.host = plan_.host_of[at].value;
  if (at < chips_.size()) failure.chip = chips_[at].id.value;
  return failure;
}

void FailureReporter::name_op(ReceiptFailure& failure, std::int64_t rank,
                              std::int64_t ordinal) const {
  const std::optional<OpLocations::Entry> entry = ops_.find(rank, ordinal);
  if (!entry) return;
  failure.op = entry->name;
  if (entry->place) failure.place = entry->place;
  if (entry->python) failure.python = entry->python;
}

std::string FailureReporter::machine_of(std::size_t rank) const {
  std::set<std::string> machines;
  for (const auto& record : watched_.records)
    if (const auto* started = last_of<configs::Started>(record)) machines.insert(started->machine);
  const auto* const started = last_of<configs::Started>(watched_.records[rank]);
  if (machines.size() < 2 || started == nullptr) return "";
  return " on machine " + started->machine;
}

std::optional<std::string> FailureReporter::last_seen(std::int64_t rank,
                                                      const LostWorker* lost) const {
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

Outcome FailureReporter::end(ReceiptFailure failure, const LostWorker* lost) const {
  attribute(failure);
  std::vector<std::string> notes = notes_of(reports_, failure.rank.value_or(-1), failure.message);
  std::set<std::int64_t> missing(failure.missing_ranks.begin(), failure.missing_ranks.end());
  if (failure.kind == FailureKind::timeout && failure.rank_first)
    missing.insert(*failure.rank_first);
  // A lost host may have many missing ranks; a few positions are enough to find the operation.
  constexpr std::size_t kMostTold = 8;
  for (const std::int64_t rank : missing) {
    if (notes.size() >= kMostTold) break;
    if (std::optional<std::string> seen = last_seen(rank, lost)) notes.push_back(*std::move(seen));
  }
  const int exit_code = exit_code_of(*error_kind_of(*failure.kind));
  return {exit_code, std::move(failure), std::move(notes)};
}

}  // namespace understudy::launcher
