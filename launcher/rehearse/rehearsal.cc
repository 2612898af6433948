// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/rehearsal.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/version.h"
#include "launcher/attribution.h"
#include "launcher/console.h"
#include "launcher/environment.h"
#include "launcher/launch.h"
#include "launcher/receipt_file.h"
#include "launcher/rehearse/climb.h"
#include "launcher/rehearse/display.h"
#include "launcher/rehearse/pins.h"
#include "launcher/rehearse/restoration.h"
#include "launcher/rehearse/rung_run.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using configs::Ladder;
using configs::RungSeen;

constexpr const char* kDefaultSlice = "v6e-8";
constexpr const char* kRestoreAdds = "the first rung again, in new processes, from the cache";

// Everything that a rehearsal gathers on its way.
class Course {
 public:
  Course(const RehearseOptions& options, const Environment& environment, const Console& console,
         configs::Slice slice, Ladder ladder)
      : options_(options),
        environment_(environment),
        console_(console),
        slice_(std::move(slice)),
        ladder_(std::move(ladder)) {}

  RehearsalEnd run() {
    started_at_ = utc_now();
    const Clock::time_point begin = Clock::now();
    Display display(console_, look_of(console_, environment_.no_color), title(), rows(),
                    options_.json);
    const ClimbWatcher watcher{
        [&](std::size_t rung) { display.begins(rung); },
        [&](std::size_t rung, const RungSeen& seen) { display.ends(rung, seen); }};
    const auto on_progress = [&](const RungProgress& progress) { display.goes_on(progress); };
    const auto play = [&](const configs::Rung& rung) { return play_rung(rung, on_progress); };
    configs::LadderSeen seen = climb(ladder_, play, options_.retries, watcher);
    if (options_.restore) seen.rungs.push_back(restore(seen, display, on_progress));
    if (options_.restore && seen.rungs.back().status == "failed") seen.next_failing = kRestoreRung;
    display.finish();
    return conclude(std::move(seen), Seconds(Clock::now() - begin).count());
  }

 private:
  std::string title() const {
    const auto hosts = hosts_of(slice_);
    return fmt::format("rehearsing {}: {} chip{}, {} host{}, ladder {}", slice_.name,
                       slice_.chips.size(), slice_.chips.size() == 1 ? "" : "s", hosts,
                       hosts == 1 ? "" : "s", ladder_.name);
  }

  static std::int64_t hosts_of(const configs::Slice& slice) {
    std::int64_t hosts = 0;
    for (const configs::Chip& chip : slice.chips)
      hosts = std::max<std::int64_t>(hosts, chip.host.value + 1);
    return hosts;
  }

  static DisplayRung row_of(const std::string& name, const std::string& adds) {
    DisplayRung row;
    row.name = name;
    row.adds = adds;
    return row;
  }

  std::vector<DisplayRung> rows() const {
    std::vector<DisplayRung> rows;
    for (const configs::Rung& rung : ladder_.rungs) rows.push_back(row_of(rung.name, rung.adds));
    if (options_.restore) rows.push_back(row_of(kRestoreRung, kRestoreAdds));
    return rows;
  }

  RungSeen play_rung(const configs::Rung& rung,
                     const std::function<void(const RungProgress&)>& on_progress) {
    const auto chips = static_cast<std::int64_t>(slice_.chips.size());
    RungEvidence evidence =
        run_rung(rung, options_.run, chips, environment_, console_, on_progress);
    interrupted_ = evidence.interrupted;
    RungSeen seen = judge_rung(rung, evidence);
    for (configs::MetricSeen& one : metrics_of_rung(rung, evidence))
      metrics_.push_back(std::move(one));
    note_chips(rung, chips);
    if (evidence.runs.empty()) {
      failure_ = refusal(seen);
      return seen;
    }
    for (const RunReport& run : evidence.runs)
      if (run.restarted) seen.retries.emplace_back("MPI did not come up on all chips");
    last_ = std::move(evidence.runs.back());
    if (seen.status == "failed")
      failure_ = last_->outcome.failure ? *last_->outcome.failure : refusal(seen);
    if (&rung == ladder_.rungs.data()) cold_ = last_;
    return seen;
  }

  void note_chips(const configs::Rung& rung, std::int64_t chips) {
    const auto used = configs::chips_of(rung, chips);
    if (used && *used < chips)
      notes_.push_back(
          fmt::format("{} runs on the first {} of {} chips: it has no program for more", rung.name,
                      *used, chips));
  }

  configs::ReceiptFailure refusal(const RungSeen& seen) const {
    configs::ReceiptFailure failure;
    failure.kind = interrupted_ != 0 ? "interrupted" : name_of(ErrorKind::check);
    failure.phase = "rehearsal";
    failure.diagnosis = seen.diagnosis;
    failure.message = fmt::format("{}: {}", seen.rung, seen.why.value_or(""));
    failure.rank = seen.rank;
    failure.host = seen.host;
    attribute(failure);
    return failure;
  }

  // The canary of the first rung once more. What a failing ladder left open is not run.
  RungSeen restore(const configs::LadderSeen& climbed, Display& display,
                   const std::function<void(const RungProgress&)>& on_progress) {
    RungSeen seen;
    seen.rung = kRestoreRung;
    seen.added_feature = kRestoreAdds;
    if (climbed.next_failing || !cold_) return seen;
    const std::size_t index = ladder_.rungs.size();
    display.begins(index);
    configs::Rung canary = ladder_.rungs.front();
    canary.metrics = "off";
    const auto chips = static_cast<std::int64_t>(slice_.chips.size());
    RungEvidence evidence =
        run_rung(canary, options_.run, chips, environment_, console_, on_progress);
    interrupted_ = evidence.interrupted;
    seen = judge_rung(canary, evidence);
    seen.rung = kRestoreRung;
    seen.added_feature = kRestoreAdds;
    if (!evidence.runs.empty()) restore_ = prove(*cold_, evidence.runs.back(), options_, seen);
    if (seen.status == "failed") failure_ = refusal(seen);
    display.ends(index, seen);
    return seen;
  }

  RehearsalEnd conclude(configs::LadderSeen seen, double wall_seconds) {
    RehearsalEnd end;
    configs::Rehearsal& document = end.document;
    document.slice = slice_.name;
    document.chip = slice_.chip.name;
    document.chips = static_cast<std::int64_t>(slice_.chips.size());
    document.hosts = hosts_of(slice_);
    document.profile = options_.run.profile.profile;
    document.ladder = std::move(seen);
    document.restore = restore_;
    document.claims = configs::claims_of(document.ladder, restore_);
    document.verdict = document.ladder.next_failing ? "failed" : "passed";
    document.exit_code = document.ladder.next_failing ? exit_code_of(ErrorKind::check) : 0;
    if (interrupted_ != 0) document.exit_code = interrupted_;
    document.notes = notes_;
    if (options_.from)
      for (const std::string& what : origin_of(*options_.from).cannot)
        document.notes.push_back("cannot be restored: " + what);
    document.wall_seconds = wall_seconds;
    end.receipt = summary(document);
    return end;
  }

  configs::Receipt summary(const configs::Rehearsal& document) const {
    configs::Receipt receipt;
    if (last_) receipt = last_->receipt;
    if (!last_) {
      receipt.versions.understudy = version();
      receipt.versions.revision = revision();
      receipt.slice = document.slice;
      receipt.chip = document.chip;
      receipt.chip_count = document.chips;
      receipt.host_count = document.hosts;
      receipt.program.numerics = options_.run.numerics;
      receipt.program.collectives = options_.run.collectives;
      receipt.program.replicas = receipt.program.partitions = 1;
    }
    std::string stamp = started_at_;
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
    std::ranges::replace(stamp, 'T', '-');
    receipt.run_id = fmt::format("{}-rehearsal{}", stamp, ::getpid());
    receipt.started_at = started_at_;
    receipt.wall_seconds = document.wall_seconds;
    receipt.verdict = document.verdict;
    receipt.exit_code = document.exit_code;
    receipt.failure = document.ladder.next_failing ? failure_ : std::nullopt;
    receipt.faults = options_.run.fault_words;
    receipt.ladder = document.ladder;
    receipt.claims = document.claims;
    receipt.restore = document.restore;
    if (restore_) receipt.launch = cold_->receipt.launch;  // what `--from` starts again
    receipt.metrics_declared = metrics_;
    return receipt;
  }

  using Counters = std::map<std::string, std::int64_t>;
  const RehearseOptions& options_;
  const Environment& environment_;
  const Console& console_;
  configs::Slice slice_;
  Ladder ladder_;
  std::string started_at_;
  std::optional<RunReport> cold_, last_;
  std::optional<configs::ReceiptFailure> failure_;
  std::optional<configs::RestoreSeen> restore_;
  std::vector<configs::MetricSeen> metrics_;
  std::vector<std::string> notes_;
  int interrupted_ = 0;
};

}  // namespace

std::string ladder_path(const std::string& asked, const Environment& environment) {
  if (!asked.empty()) return asked;
  const fs::path path =
      fs::path(environment.self).parent_path() / "share/understudy/ladder/default.json";
  std::error_code code;
  if (fs::exists(path, code)) return path.string();
  throw Error(ErrorKind::system, fmt::format("the ladder is not there: {}", path.string()))
      .note("it comes with the installation; --ladder names another");
}

configs::Slice slice_of(const RunOptions& options) {
  configs::SliceRequest request = request_of(options.slice);
  if (request.slice.empty() && request.topology.empty() && request.chip.empty())
    request.slice = kDefaultSlice;
  return configs::make_slice(request);
}

void leave_receipt(RehearsalEnd& end, const RunOptions& options, const Environment& environment) {
  end.document.receipt = write_receipt(environment, options.receipt, end.receipt);
}

RehearsalEnd rehearse(const RehearseOptions& options, const Environment& environment,
                      const Console& console) {
  RehearseOptions own = options;
  const configs::Slice slice = slice_of(options.run);
  Ladder ladder = options.from ? canary_of(*options.from, options.ladder, environment)
                               : climbable(ladder_path(options.ladder, environment),
                                           static_cast<std::int64_t>(slice.chips.size()));
  const bool default_slice = own.run.slice.request.slice.empty() &&
                             own.run.slice.request.topology.empty() &&
                             own.run.slice.request.chip.empty();
  if (default_slice) own.run.slice.request.slice = slice.name;
  return Course(own, environment, console, slice, std::move(ladder)).run();
}

}  // namespace understudy::launcher
