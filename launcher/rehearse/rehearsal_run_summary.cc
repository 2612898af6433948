// SPDX-License-Identifier: Apache-2.0
// Summarises a rehearsal in one document and one receipt.
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/version.h"
#include "configs/launch/inputs.h"
#include "configs/launch/joined_slices.h"
#include "configs/receipt/claims.h"
#include "configs/receipt/launcher_facts.h"
#include "launcher/options/settled_options.h"
#include "launcher/pod/launch.h"
#include "launcher/rehearse/pins.h"
#include "launcher/rehearse/rehearsal_run.h"
#include "launcher/run/receipt/provenance.h"

namespace understudy::launcher {

RehearsalEnd RehearsalRun::conclude(configs::LadderSeen seen, double wall_seconds) {
  RehearsalEnd end;
  configs::Rehearsal& document = end.document;
  document.slice = configs::joined_name(slice_.slices, slice_.name);
  document.chip = slice_.chip.name;
  document.chips = static_cast<std::int64_t>(slice_.chips.size());
  document.hosts = slice_.hosts;
  document.profile = options_.run.profile.profile;
  document.ladder = std::move(seen);
  document.restore = restore_;
  document.claims = configs::claims_of(document.ladder, restore_);
  document.preflight = preflight_;
  if (preflight_) document.claims.tpu_compiler = preflight_->claim;
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

configs::Receipt RehearsalRun::bare(const configs::Rehearsal& document) const {
  configs::Receipt receipt;
  receipt.versions.revision = revision();
  receipt.slice = document.slice;
  receipt.chip = document.chip;
  receipt.chip_count = document.chips;
  receipt.host_count = document.hosts;
  receipt.program.numerics = options_.run.numerics;
  receipt.program.collectives = options_.run.collectives;
  receipt.program.replicas = receipt.program.partitions = 1;
  RunOptions options = options_.run;
  const configs::Profile profile = settle_profile(options, environment_).values;
  configs::add_provenance(
      receipt,
      provenance_of(options, configs::inputs_of(slice_, profile, document.chips), "", std::nullopt,
                    environment_),
      {});
  return receipt;
}

// The receipt of a rehearsal is that of its last run, with the ladder added and identity and
// verdict replaced.
configs::Receipt RehearsalRun::summary(const configs::Rehearsal& document) const {
  configs::Receipt receipt = last_ ? last_->receipt : bare(document);
  std::string stamp = started_at_;
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::ranges::replace(stamp, 'T', '-');
  // The pid tells rehearsals apart that begin in the same second.
  receipt.run_id = fmt::format("{}-rehearsal{}", stamp, ::getpid());
  receipt.started_at = started_at_;
  receipt.wall_seconds = document.wall_seconds;
  receipt.verdict = document.verdict;
  receipt.exit_code = document.exit_code;
  // The last run may have passed although the rehearsal failed, and the other way round.
  receipt.failures.clear();
  if (document.ladder.next_failing && failure_) receipt.failures = {*failure_};
  receipt.faults = options_.run.fault_words;
  receipt.ladder = document.ladder;
  receipt.claims = document.claims;
  receipt.restore = document.restore;
  receipt.preflight = document.preflight;
  if (restore_) receipt.launch = cold_->receipt.launch;  // the launch that `--from` repeats
  receipt.metrics_declared = metrics_;
  receipt.created_utc = utc_now();
  configs::complete(receipt);
  return receipt;
}

}  // namespace understudy::launcher
