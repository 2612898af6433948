// SPDX-License-Identifier: Apache-2.0
// Plays a rung for real: its runs, then the experiments with its results. Call from the main
// thread.
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

// What is going on, in words, with the step where one is counted.
struct RungProgress {
  std::string doing;  // "ring", "metrics"
  std::int64_t step = 0, steps = 0;
};

// The ladder of a file, whose programs for a slice of so many chips are there. *Throws* Error with
// the file's line.
configs::Ladder climbable(const std::string& path, std::int64_t slice_chips);

// The options of a rung's runs: the rehearsal's own with what the rung says. *Throws* Error{usage}
// where the slice has too few chips for it.
RunOptions options_of_rung(const configs::Rung& rung, const RunOptions& rehearsal,
                           std::int64_t slice_chips);

// Runs with these very options, of which a rung says only the algorithms and how results are
// judged.
RungEvidence run_options(
    const configs::Rung& rung, const RunOptions& options, const Environment& environment,
    const Console& console,
    const std::function<void(const RungProgress&)>& on_progress = [](const RungProgress&) {});

RungEvidence run_rung(const configs::Rung& rung, const RunOptions& rehearsal,
                      std::int64_t slice_chips, const Environment& environment,
                      const Console& console,
                      const std::function<void(const RungProgress&)>& on_progress);

}  // namespace understudy::launcher
