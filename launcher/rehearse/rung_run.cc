// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/rung_run.h"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>

#include "configs/base/deadline.h"
#include "launcher/metrics/examine.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/argument_files.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {
namespace {

using configs::Rung;

// Runs of a rung print no notes; the checks of the rung contain the same facts.
// Without a terminal there is no progress line, which would draw into the picture of the ladder.
Console quiet(const Console& console) {
  Console silent = console;
  silent.verbosity = -1;
  silent.err_terminal = false;
  return silent;
}

configs::MetricsReport metrics_of(const Rung& rung, RunOptions options,
                                  const Environment& environment, const Console& console) {
  // The experiments run without the injected faults, which are for the run itself.
  options.fault_words.clear();
  const LoadedProgram program = load_program(options);
  const configs::Slice slice = choose_slice(options.slice, program);
  return examine(options, program, slice, rung.metrics == "static", environment, console).report;
}

void run_all(const Rung& rung, RunOptions options, const Environment& environment,
             const Console& console, const std::function<void(const RungProgress&)>& on_progress,
             RungEvidence& evidence) {
  evidence.algorithms = rung.algorithms;
  if (evidence.algorithms.empty()) evidence.algorithms.push_back(options.collectives);
  for (const std::string& algorithm : evidence.algorithms) {
    options.collectives = algorithm;
    const std::string doing = rung.algorithms.empty() ? "" : algorithm;
    on_progress({doing});
    evidence.runs.push_back(run_program(options, environment, console,
                                        {.step = [&](std::int64_t step, std::int64_t steps) {
                                          on_progress({doing, step, steps});
                                        }}));
    const int code = evidence.runs.back().exit_code;
    if (code > kSignalled) evidence.interrupted = code;
    // The first failing algorithm decides the rung; metrics of a failing program are meaningless.
    if (code != 0) return;
  }
  if (rung.metrics == "off") return;
  on_progress({"metrics"});
  evidence.metrics = metrics_of(rung, options, environment, console);
  if (evidence.metrics->exit_code > kSignalled)
    evidence.interrupted = static_cast<int>(evidence.metrics->exit_code);
}

}  // namespace

// All programs of the ladder are checked before the first rung starts, so a typo in the last rung
// is found at once.
configs::Ladder climbable(const std::string& path, std::int64_t slice_chips) {
  configs::Ladder ladder = configs::read_ladder(path);
  for (const Rung& rung : ladder.rungs) {
    const std::optional<std::int64_t> chips = chips_of(rung, slice_chips);
    if (!chips) continue;
    const std::string program = program_of(rung, *chips);
    std::error_code code;
    if (!std::filesystem::exists(program, code))
      throw Error(ErrorKind::config, rung.place,
                  fmt::format("the program of rung \"{}\" was not found: {}", rung.name, program));
    try {
      static_cast<void>(parse_fill(rung.fill));
    } catch (const Error& error) {
      throw Error(ErrorKind::config, rung.place, fmt::format("{}: {}", rung.name, error.message()));
    }
  }
  return ladder;
}

// Values of the rung override those of the rehearsal, except --steps, which the user gave on
// purpose.
RunOptions options_of_rung(const Rung& rung, const RunOptions& rehearsal,
                           std::int64_t slice_chips) {
  const std::optional<std::int64_t> chips = chips_of(rung, slice_chips);
  if (!chips)
    throw Error(ErrorKind::usage, fmt::format("the rung {} has no program for {} chips or fewer",
                                              rung.name, slice_chips));
  RunOptions options = rehearsal;
  options.program = program_of(rung, *chips);
  if (rehearsal.steps == 0) options.steps = rung.steps;
  for (const auto& [result, argument] : rung.carry)
    options.carry_words.push_back(fmt::format("{}:{}", result, argument));
  // Replaced and not added: arguments belong to one program.
  options.args = rung.args;
  options.expect = rung.expect;
  options.fill = rung.fill;
  options.rtol = rung.rtol;
  options.atol = rung.atol;
  if (!rung.numerics.empty()) options.numerics = rung.numerics;
  options.fault_words.insert(options.fault_words.end(), rung.faults.begin(), rung.faults.end());
  options.receipt.clear();  // the path is for the rehearsal; each run writes its own receipt
  return options;
}

RungEvidence run_rung(const Rung& rung, const RunOptions& rehearsal, std::int64_t slice_chips,
                      const Environment& environment, const Console& console,
                      const std::function<void(const RungProgress&)>& on_progress) {
  try {
    return run_options(rung, options_of_rung(rung, rehearsal, slice_chips), environment, console,
                       on_progress);
  } catch (const Error& error) {
    RungEvidence evidence;
    evidence.refused = error;
    return evidence;
  }
}

RungEvidence run_options(const Rung& rung, const RunOptions& options,
                         const Environment& environment, const Console& console,
                         const std::function<void(const RungProgress&)>& on_progress) {
  const Clock::time_point begin = Clock::now();
  RungEvidence evidence;
  // The exit code of a process that SIGPIPE ended, as a shell would report it.
  if (console.reader_left()) {  // as in `rehearse | head`: nobody reads further output
    evidence.interrupted = kSignalled + SIGPIPE;
    return evidence;
  }
  try {
    run_all(rung, options, environment, quiet(console), on_progress, evidence);
  } catch (const Error& error) {
    evidence.refused = error;
  }
  evidence.seconds = seconds_since(begin);
  return evidence;
}

}  // namespace understudy::launcher
