// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/rank_reports.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::Failed;

// Whether this rank wrote a first-hand report.
bool spoke_first_hand(const std::vector<RankReport>& reports, std::int64_t rank) {
  return std::any_of(reports.begin(), reports.end(), [&](const RankReport& one) {
    return one.rank == rank && is_first_hand(one.evidence);
  });
}

// A timeout report is demoted to second-hand if all ranks it misses explain themselves first-hand.
Evidence weight_of(const RankReport& report, const std::vector<RankReport>& reports) {
  const std::vector<std::int64_t>& missing = report.failed->missing_ranks;
  const bool explained =
      !missing.empty() && std::all_of(missing.begin(), missing.end(), [&](std::int64_t rank) {
        return spoke_first_hand(reports, rank);
      });
  return report.reports_lost_peer() && explained ? Evidence::peer_gave_up : report.evidence;
}

// Whether the flight recorder shows the rank inside a collective, where it waits for others itself.
bool is_inside(const WatchedRun& watched, std::int64_t rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (at >= watched.records.size() || !watched.records[at]) return false;
  const std::vector<configs::FlightSeen>& flight = watched.records[at]->flight;
  return !flight.empty() && !flight.back().done_ns;
}

// A report that misses only ranks which wait in a collective themselves is weaker evidence: those
// ranks are victims, too.
bool misses_only_waiting(const WatchedRun& watched, const RankReport& report) {
  const std::vector<std::int64_t>& missing = report.failed->missing_ranks;
  return report.evidence == Evidence::no_progress && !missing.empty() &&
         std::all_of(missing.begin(), missing.end(),
                     [&](std::int64_t rank) { return is_inside(watched, rank); });
}

}  // namespace

// Sort key: weight (evidence, with explained timeouts demoted), evidence as reported, then whether
// only waiting ranks are missed. `Evidence` is declared strongest first, so smaller is stronger.
std::vector<RankReport> reports_in(const WatchedRun& watched) {
  std::vector<RankReport> all;
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank) {
    const Failed* const failed = last_of<Failed>(watched.records[rank]);
    // A worker that received SIGTERM reports "interrupted": a consequence of ending the pod.
    if (failed == nullptr || failed->kind == configs::FailureKind::interrupted) continue;
    all.push_back(
        {static_cast<std::int64_t>(rank), failed, failed->evidence.value_or(Evidence::own_error)});
  }
  // Sort a copy: weight_of() needs all reports. The sort is stable, so the lowest rank wins a tie.
  std::vector<RankReport> sorted = all;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const RankReport& a, const RankReport& b) {
    const auto key = [&](const RankReport& one) {
      return std::tuple(weight_of(one, all), one.evidence, misses_only_waiting(watched, one));
    };
    return key(a) < key(b);
  });
  return sorted;
}

// Equal messages are one note: after a lost rank all others may report the same.
std::vector<std::string> notes_of(const std::vector<RankReport>& reports, std::int64_t but,
                                  const std::string& said) {
  std::map<std::string, std::vector<std::int64_t>> by_message;
  for (const RankReport& one : reports)
    if (one.rank != but && one.failed->message != said)
      by_message[one.failed->message].push_back(one.rank);
  std::vector<std::string> notes;
  for (const auto& [message, ranks] : by_message) {
    const std::string more = ranks.size() == 1 ? "" : fmt::format(" and {} more", ranks.size() - 1);
    notes.push_back(fmt::format("rank {}{}: {}", ranks.front(), more, message));
  }
  return notes;
}

std::optional<std::int64_t> silent_rank(const std::vector<RankReport>& reports) {
  for (const RankReport& one : reports)
    for (const std::int64_t rank : one.failed->missing_ranks)
      if (!spoke_first_hand(reports, rank)) return rank;
  return std::nullopt;
}

std::optional<LostWorker> signalled_worker(const WatchedRun& watched) {
  std::optional<LostWorker> first;
  std::int64_t first_ns = 0;
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank) {
    const auto& record = watched.records[rank];
    if (!record) continue;
    for (const configs::Observation& seen : record->observations) {
      const auto* const signal = std::get_if<configs::SignalSeen>(&seen);
      // Signals from mpirun or the launcher are part of ending the pod.
      if (signal == nullptr || signal->from_pod) continue;
      if (first && first_ns <= signal->at_ns) continue;
      first_ns = signal->at_ns;
      Loss loss = Loss::by(LossKind::signalled, static_cast<int>(signal->number));
      loss.sent = *signal;
      const Failed* const failed = last_of<Failed>(record);
      first = LostWorker{static_cast<std::int64_t>(rank), loss, record->phase, record->op,
                         record->flight};
      if (failed == nullptr) continue;
      // The failure report has the exact operation; the status of the record is only sampled.
      first->phase = failed->phase;
      first->op = static_cast<std::uint32_t>(failed->op_index + 1);
    }
  }
  return first;
}

}  // namespace understudy::launcher
