// SPDX-License-Identifier: Apache-2.0
// Runs a rung: its program runs, then the metric experiments. Call from the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "configs/launch/ladder.h"
#include "launcher/options/run_options.h"
#include "launcher/rehearse/judge_rung.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// Progress: the current activity, and the step if steps are counted.
struct RungProgress {
  std::string doing;  // "ring", "metrics"
  std::int64_t step = 0, steps = 0;
};

// Reads a ladder file and checks that its programs for this slice exist. *Throws* Error with the
// line of the file.
configs::Ladder climbable(const std::string& path, std::int64_t slice_chips);

// The options of a rung's runs: those of the rehearsal plus those of the rung. *Throws*
// Error{usage} if the slice has too few chips.
RunOptions options_of_rung(const configs::Rung& rung, const RunOptions& rehearsal,
                           std::int64_t slice_chips);

// Runs with these options; `rung` only supplies the algorithms and the metrics mode.
RungEvidence run_options(
    const configs::Rung& rung, const RunOptions& options, const Environment& environment,
    const Console& console,
    const std::function<void(const RungProgress&)>& on_progress = [](const RungProgress&) {});

RungEvidence run_rung(const configs::Rung& rung, const RunOptions& rehearsal,
                      std::int64_t slice_chips, const Environment& environment,
                      const Console& console,
                      const std::function<void(const RungProgress&)>& on_progress);

}  // namespace understudy::launcher
