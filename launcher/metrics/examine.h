// SPDX-License-Identifier: Apache-2.0
// Checks whether the results of a program are globally reduced: data flow analysis, then
// experiments on a pod, then verdicts. Used by `understudy metrics` and by rungs of a rehearsal.
// Call from the main thread.
#pragma once

#include <optional>

#include "configs/launch/topology.h"
#include "configs/report/metrics_report.h"
#include "launcher/options/run_options.h"
#include "launcher/pod/hosted_pod.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {

struct Console;
struct Environment;

struct Examination {
  configs::MetricsReport report;
  std::optional<HostedEnd> pod;  // unset: no pod was started
};

// A program that fails is a finding, not an error. The report has the exit code of a program that
// the chips refuse (it does not fit HBM), of an interruption or of the deadline.
// `static_only`: start no pod. *Throws* the errors that are found before anything runs.
Examination examine(RunOptions options, const LoadedProgram& program, const configs::Slice& slice,
                    bool static_only, const Environment& environment, const Console& console);

}  // namespace understudy::launcher
