// SPDX-License-Identifier: Apache-2.0
// Whether a program's results are globally reduced: the data flow, then experiments on a pod, then
// the verdicts. What the verb `metrics` does, and a rung of a rehearsal. Call from the main thread.
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
  std::optional<HostedEnd> pod;  // unset: nothing was started
};

// A program that fails is a finding, not the end; an interruption is told by the exit code of the
// report. `static_only` starts nothing. *Throws* what is wrong before anything runs.
Examination examine(RunOptions options, const LoadedProgram& program, const configs::Slice& slice,
                    bool static_only, const Environment& environment, const Console& console);

}  // namespace understudy::launcher
