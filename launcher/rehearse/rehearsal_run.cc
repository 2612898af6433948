// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/rehearsal_run.h"

#include <fmt/format.h>
#include <utility>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/launch/joined_slices.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/pod/launch.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/rehearse/climb.h"
#include "launcher/rehearse/preflight_rung.h"

namespace understudy::launcher {
namespace {

using configs::RungSeen;

DisplayRung row_of(const std::string& name, const std::string& adds) {
  DisplayRung row;
  row.name = name;
  row.adds = adds;
  return row;
}

// A ladder whose pre-flight failed.
configs::LadderSeen not_climbed(const configs::Ladder& ladder) {
  configs::LadderSeen seen;
  seen.name = ladder.name;
  for (const configs::Rung& rung : ladder.rungs) {
    RungSeen& one = seen.rungs.emplace_back();
    one.rung = rung.name;
    one.added_feature = rung.adds;
  }
  return seen;
}

}  // namespace

// For rungs whose check failed although all runs succeeded, or that were refused before a run.
configs::ReceiptFailure failure_of_rung(const RungSeen& seen, bool interrupted) {
  configs::ReceiptFailure failure;
  failure.kind = interrupted ? configs::FailureKind::interrupted : configs::FailureKind::check;
  failure.phase = "rehearsal";
  failure.diagnosis = seen.diagnosis;
  failure.message = fmt::format("{}: {}", seen.rung, seen.why.value_or(""));
  failure.rank = seen.rank;
  failure.host = seen.host;
  attribute(failure);
  return failure;
}

RehearsalRun::RehearsalRun(const RehearseOptions& options, const Environment& environment,
                           const Console& console, configs::Slice slice, configs::Ladder ladder)
    : options_(options),
      environment_(environment),
      console_(console),
      slice_(std::move(slice)),
      ladder_(std::move(ladder)) {}

RehearsalEnd RehearsalRun::run() {
  started_at_ = utc_now();
  const Clock::time_point begin = Clock::now();
  Display display(console_, look_of(console_, environment_.no_color), title(), rows(),
                  options_.json);
  const ClimbWatcher watcher{
      [&](std::size_t rung) { display.begins(rung + first_row()); },
      [&](std::size_t rung, const RungSeen& seen) { display.ends(rung + first_row(), seen); }};
  const auto on_progress = [&](const RungProgress& progress) { display.goes_on(progress); };
  const auto play = [&](const configs::Rung& rung) { return play_rung(rung, on_progress); };
  configs::LadderSeen seen =
      preflight(display) ? climb(ladder_, play, options_.retries, watcher) : not_climbed(ladder_);
  // Even if the ladder failed: the row is then "not-run", so all receipts have the same rungs.
  seen.rungs.push_back(restore(seen, display, on_progress));
  if (seen.rungs.back().status == "failed") seen.next_failing = kRestoreRung;
  add_preflight(seen);
  display.finish();
  return conclude(std::move(seen), seconds_since(begin));
}

std::string RehearsalRun::title() const {
  const auto hosts = slice_.hosts;
  return fmt::format("rehearsing {}: {} chip{}, {} host{}, ladder {}",
                     configs::joined_name(slice_.slices, slice_.name), slice_.chips.size(),
                     slice_.chips.size() == 1 ? "" : "s", hosts, hosts == 1 ? "" : "s",
                     ladder_.name);
}

std::vector<DisplayRung> RehearsalRun::rows() const {
  std::vector<DisplayRung> rows;
  if (options_.preflight) rows.push_back(row_of(kPreflightRung, kPreflightAdds));
  for (const configs::Rung& rung : ladder_.rungs) rows.push_back(row_of(rung.name, rung.adds));
  rows.push_back(row_of(kRestoreRung, kRestoreAdds));
  return rows;
}

RungSeen RehearsalRun::play_rung(const configs::Rung& rung, const OnProgress& on_progress) {
  const auto chips = static_cast<std::int64_t>(slice_.chips.size());
  RungEvidence evidence = run_rung(rung, options_.run, chips, environment_, console_, on_progress);
  interrupted_ = evidence.interrupted;
  RungSeen seen = judge_rung(rung, evidence);
  for (configs::MetricSeen& one : metrics_of_rung(rung, evidence))
    metrics_.push_back(std::move(one));
  note_chips(rung, chips);
  // Refused before a run: `last_` stays the run of an earlier rung.
  if (evidence.runs.empty()) {
    failure_ = failure_of_rung(seen, interrupted_ != 0);
    return seen;
  }
  for (const RunReport& run : evidence.runs)
    if (run.restarted) seen.retries.emplace_back("MPI failed to start on some chips");
  // Of several algorithms the last run; a failing one is always the last.
  last_ = std::move(evidence.runs.back());
  if (seen.status == "failed")
    failure_ =
        last_->outcome.failure ? *last_->outcome.failure : failure_of_rung(seen, interrupted_ != 0);
  // The first rung filled the cache; its run is the cold side of the restore proof.
  if (&rung == ladder_.rungs.data()) cold_ = last_;
  return seen;
}

void RehearsalRun::note_chips(const configs::Rung& rung, std::int64_t chips) {
  const auto used = configs::chips_of(rung, chips);
  if (used && *used < chips)
    notes_.push_back(fmt::format("{} runs on the first {} of {} chips: it has no program for more",
                                 rung.name, *used, chips));
}

}  // namespace understudy::launcher
