// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/conclusion.h"

#include <utility>

namespace understudy::launcher {

configs::LauncherFacts facts_of(const Finish& finish, int exit_code) {
  configs::LauncherFacts facts;
  facts.started_at = finish.started_at;
  facts.wall_seconds = finish.wall_seconds;
  facts.exit_code = exit_code;
  facts.failure = finish.outcome.failure;
  return facts;
}

RunReport report_not_begun(const RunOptions& options, const std::string& run_id,
                           const std::string& program, Outcome outcome) {
  RunReport report;
  report.outcome = std::move(outcome);
  report.exit_code = report.outcome.exit_code;
  configs::RunPlan plan;
  plan.run_id = run_id;
  plan.slice = options.slice.request.slice;
  plan.program_path = program;
  plan.numerics = options.numerics;
  plan.collectives = options.collectives;
  // No program was read that could say more.
  plan.replicas = plan.partitions = 1;
  configs::LauncherFacts facts;
  facts.started_at = utc_now();
  facts.exit_code = report.exit_code;
  facts.failure = report.outcome.failure;
  facts.faults = options.fault_words;
  report.receipt = configs::assemble(plan, {}, facts);
  return report;
}

}  // namespace understudy::launcher
