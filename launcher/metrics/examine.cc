// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/examine.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/launch/joined_slices.h"
#include "launcher/diagnose/op_locations.h"
#include "launcher/metrics/judge.h"
#include "launcher/metrics/mean_error.h"
#include "launcher/options/settled_options.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

using program::Interface;

ArgumentTiles tiles_of(const std::vector<program::Array>& arrays, const Interface& interface) {
  ArgumentTiles tiles;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    tiles.push_back(cut(arrays[i], interface.arguments[i], interface.replicas));
  return tiles;
}

// Each replica has its own arrays. An argument with the same bits on all replicas is treated as a
// replicated parameter, because replica-style programs cannot declare that.
// By bits and not by names: what the launcher puts onto the chips is all that counts.
Interface with_equal_replicas(Interface interface, const ArgumentTiles& tiles) {
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    program::Sharding& sharding = interface.arguments[i].sharding;
    if (!sharding.per_replica) continue;
    // Replicas with the same bits get the tile number of the first of them.
    for (std::int64_t& tile : sharding.tile_of) {
      const auto same = std::ranges::find(tiles[i], tiles[i][static_cast<std::size_t>(tile)]);
      tile = same - tiles[i].begin();
    }
  }
  return interface;
}

struct Seen {
  Observations observations;
  std::vector<MeanError> mean_errors;
};

struct PodFailure {
  std::string why;       // empty: the program did not fail
  bool refused = false;  // by chips that are well, as `run` refuses it
};

// A program that the chips refused: `op` is its operation, or -1.
Outcome outcome_of(const Error& error, const program::Module& module, std::int64_t op) {
  Outcome outcome = launcher::outcome_of(error);
  outcome.failure->phase = "program";
  if (const auto found = OpLocations(module).find(0, op)) {
    outcome.failure->op = found->name;
    outcome.failure->place = found->place;
  }
  return outcome;
}

ProbeTask task_of(const RunOptions& options, const LoadedProgram& program,
                  const program::analysis::StaticReport& analysis, ArgumentTiles tiles) {
  std::vector<bool> only_exchanged;
  for (const program::analysis::StaticResult& result : analysis.results)
    only_exchanged.push_back(result.only_exchanged);
  return {program.interface, analysis.axes,    analysis.groups,     only_exchanged,  program.path,
          program.text,      options.numerics, options.collectives, std::move(tiles)};
}

// Runs the experiments. nullopt if the program failed; `failed` then has the reason. A failing
// program is a finding of the examination, not an error of it.
std::optional<Seen> experiment(const RunOptions& options, const Console& console,
                               const Environment& environment,
                               const configs::ResolvedProfile& profile,
                               const LoadedProgram& program, const configs::Slice& slice,
                               const program::analysis::StaticReport& analysis, ArgumentTiles tiles,
                               std::optional<HostedEnd>& pod, PodFailure& failed) {
  const ProbeTask task = task_of(options, program, analysis, std::move(tiles));
  const std::int64_t chips = program.interface.processes();
  std::optional<Seen> seen;
  std::optional<Outcome> refused;  // by the chips, which are well
  const auto talk = [&](PodHost& host, const std::stop_token& stop) {
    // The first answer includes the start of the pod, so allow twice the time.
    PodClient client(host, chips, Seconds(2 * options.timeout_seconds), stop);
    client.greet();
    try {
      Observations observations = observe(client, task);
      std::vector<MeanError> errors = mean_errors(client, task, analysis, observations.base);
      seen = {std::move(observations), std::move(errors)};
    } catch (const Error& error) {
      if (!client.refusal()) throw;
      refused = outcome_of(error, *program.module, client.refusal()->op);
    }
    client.finish();
  };
  // One pod for all experiments: its start costs more than most of them.
  pod = run_hosted(slice,
                   {chips,
                    options.numerics,
                    options.collectives,
                    options.timeout_seconds,
                    {options.worker, "", options.mpi_words, profile, options.deadline}},
                   environment, console, talk);
  failed.refused = refused && !pod->finish.outcome.failure;
  if (failed.refused) pod->finish.outcome = std::move(*refused);
  if (pod->finish.outcome.failure) {
    failed.why = pod->finish.outcome.failure->message;
  } else if (pod->failure) {
    failed.why = pod->failure->message();
  }
  return failed.why.empty() ? seen : std::nullopt;
}

// Warning W21: every chip reads the same data.
void warn_of_equal_shards(const Observations& seen, configs::MetricsReport& report) {
  if (seen.has_equal_shards)
    report.warnings.push_back({std::nullopt,
                               "equal_shards",
                               "all chips hold the same data, so a global metric cannot be "
                               "distinguished from a local one",
                               std::nullopt,
                               {},
                               {}});
}

// With the data at hand a mean of means may be right by chance; the warning stays.
void add_mean_errors(const std::vector<MeanError>& errors, configs::MetricsReport& report) {
  for (const MeanError& one : errors)
    for (configs::MetricWarning& warning : report.warnings) {
      if (warning.pattern != "mean_of_means" ||
          warning.result != static_cast<std::int64_t>(one.result))
        continue;
      warning.error = one.is - one.global;
      if (one.global != 0) warning.relative_error = *warning.error / std::fabs(one.global);
      warning.text += fmt::format(". With these data it is {:.6g}, and the global mean is {:.6g}",
                                  one.is, one.global);
      if (warning.relative_error)
        warning.text += fmt::format(": {:+.2g} %", 100 * *warning.relative_error);
    }
}

}  // namespace

// Static analysis first: it needs no pod, and its axes define the rotations of the experiments.
Examination examine(RunOptions options, const LoadedProgram& program, const configs::Slice& slice,
                    bool static_only, const Environment& environment, const Console& console) {
  const Clock::time_point begin = Clock::now();
  const configs::ResolvedProfile profile = settle_profile(options, environment);
  // The data flow analysis needs the arrays only to distinguish parameters from shards of replicas.
  const bool needs_data = !static_only || program.interface.replicas > 1;
  ArgumentTiles tiles;
  if (needs_data)
    tiles = tiles_of(read_arguments(options, program, parse_fill(options.fill), true),
                     program.interface);
  const Clock::time_point before = Clock::now();
  const auto analysis = program::analysis::metric_report(
      *program.module, program.options,
      needs_data ? with_equal_replicas(program.interface, tiles) : program.interface);
  const double analysis_seconds = seconds_since(before);
  Examination all;
  std::optional<Seen> seen;
  PodFailure failed;
  if (!static_only)
    seen = experiment(options, console, environment, profile, program, slice, analysis,
                      std::move(tiles), all.pod, failed);
  std::optional<Observations> observed;
  if (seen) observed = std::move(seen->observations);
  all.report =
      judge(program.interface, analysis, observed, program::PythonPlaces(program.text), failed.why);
  if (observed) warn_of_equal_shards(*observed, all.report);
  if (seen) add_mean_errors(seen->mean_errors, all.report);
  // An interruption or the deadline decides the exit code; the verdicts then only have the static
  // evidence. So does a refusal of the program, which is no wrong metric.
  const bool ended =
      all.pod && (all.pod->finish.watched.interrupted || all.pod->finish.watched.overdue);
  if (ended || failed.refused) all.report.exit_code = all.pod->finish.outcome.exit_code;
  all.report.program = program.path;
  all.report.slice = configs::joined_name(slice.slices, slice.name);
  all.report.numerics = options.numerics;
  all.report.analysis_seconds = analysis_seconds;
  all.report.wall_seconds = seconds_since(begin);
  return all;
}

}  // namespace understudy::launcher
