// SPDX-License-Identifier: Apache-2.0
// The rung before the first start of a rehearsal: the TPU compiler.
#include <fmt/format.h>

#include "configs/launch/joined_slices.h"
#include "launcher/diagnose/outcome.h"
#include "launcher/process/console.h"
#include "launcher/process/subprocess.h"
#include "launcher/rehearse/preflight_rung.h"
#include "launcher/rehearse/rehearsal_run.h"

namespace understudy::launcher {

bool RehearsalRun::preflight(Display& display) {
  if (!options_.preflight) return true;
  const auto chips = static_cast<std::int64_t>(slice_.chips.size());
  PreflightOptions asked;
  asked.run = options_.run;
  // The compiler is told one slice and how many of it are joined.
  asked.slices = configs::take_joined(asked.run.slice.request.slice);
  configs::Slice one = slice_;
  one.hosts /= one.slices;
  one.chips.resize(one.chips.size() / static_cast<std::size_t>(one.slices));
  one.slices = 1;
  asked.compiler = options_.compiler;
  asked.programs = programs_of_ladder(ladder_, options_.run, chips);
  asked.on_step = [&](const std::string& what) { display.goes_on({what}); };
  display.begins(0);
  SignalQueue signals;
  // Its answers are cached, so a repeated rehearsal asks the library only for changed programs.
  preflight_ = launcher::preflight(asked, one, environment_, console_, signals);
  const configs::RungSeen seen = rung_of(*preflight_);
  display.ends(0, seen);
  if (preflight_->exit_code > kSignalled) interrupted_ = static_cast<int>(preflight_->exit_code);
  if (preflight_->claim == "not shown")
    notes_.push_back("the TPU compiler was not asked everything: " + preflight_->why);
  if (seen.status == "failed") failure_ = failure_of_rung(seen, interrupted_ != 0);
  return seen.status != "failed" && interrupted_ == 0;
}

// The memory that the rungs observed stands beside what the compiler said.
void RehearsalRun::add_preflight(configs::LadderSeen& seen) {
  if (!preflight_) return;
  configs::Receipt observed;
  // A receipt with the ladder alone: add_observed() matches rungs by name.
  observed.ladder = seen;
  add_observed(*preflight_, observed);
  configs::RungSeen rung = rung_of(*preflight_);
  if (rung.status == "failed" || interrupted_ != 0) seen.next_failing = rung.rung;
  seen.rungs.insert(seen.rungs.begin(), std::move(rung));
}

}  // namespace understudy::launcher
