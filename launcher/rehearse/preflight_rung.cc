// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/preflight_rung.h"

#include <fmt/format.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/units.h"
#include "configs/receipt/diagnosis.h"
#include "launcher/rehearse/rung_run.h"

namespace understudy::launcher {

std::vector<std::pair<std::string, RunOptions>> programs_of_ladder(const configs::Ladder& ladder,
                                                                   const RunOptions& run,
                                                                   std::int64_t chips) {
  std::vector<std::pair<std::string, RunOptions>> programs;
  for (const configs::Rung& rung : ladder.rungs)
    if (configs::chips_of(rung, chips))
      programs.emplace_back(rung.name, options_of_rung(rung, run, chips));
  return programs;
}

configs::RungSeen rung_of(const configs::Preflight& preflight) {
  configs::RungSeen seen;
  seen.rung = kPreflightRung;
  seen.added_feature = kPreflightAdds;
  seen.seconds = preflight.wall_seconds;
  seen.status = preflight.claim == "proven"   ? "passed"
                : preflight.claim == "failed" ? "failed"
                                              : "not-run";
  // The first check is what the display shows.
  seen.checks.push_back({"TPU compiler", preflight.claim == "proven", preflight.why});
  for (const configs::PreflightFlag& one : preflight.flags)
    seen.checks.push_back(
        {"flag " + one.flag, one.status == "accepted", one.words.empty() ? one.status : one.words});
  if (preflight.topology)
    seen.checks.push_back(
        {"topology " + preflight.topology->name,
         preflight.topology->status == "agrees" || preflight.topology->status == "differs",
         preflight.topology->status});
  for (const configs::PreflightProgram& one : preflight.programs)
    seen.checks.push_back(
        {"compiles " + one.name, one.status == "compiles",
         one.memory ? fmt::format("{} of HBM", bytes_text(one.memory->total)) : one.words});
  // "not shown" (no library installed) does not fail a rehearsal: the compiler is optional.
  if (seen.status != "failed") return seen;
  seen.why = preflight.why;
  if (const configs::Diagnosis* row =
          configs::find_diagnosis(name_of(DiagnosisId::tpu_compiler_refused))) {
    seen.layer_of_failure = std::string(name_of(row->layer));
    seen.diagnosis = std::string(row->name);
    seen.advice = std::string(row->advice);
  }
  return seen;
}

}  // namespace understudy::launcher
