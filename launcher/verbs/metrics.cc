// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "configs/base/error.h"
#include "configs/metrics_report.h"
#include "launcher/console.h"
#include "launcher/environment.h"
#include "launcher/hosted_pod.h"
#include "launcher/metrics/judge.h"
#include "launcher/plan_run.h"
#include "launcher/run_options.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

using program::Interface;

std::vector<program::Array> arrays_of(const RunOptions& options, const LoadedProgram& program) {
  const Fill fill = parse_fill(options.fill);
  const std::vector<ArgumentSource> sources = argument_sources(options, program);
  std::vector<program::Array> arrays;
  for (std::size_t i = 0; i < sources.size(); ++i)
    arrays.push_back(argument_array(static_cast<std::int64_t>(i), program.interface.arguments[i],
                                    sources[i], fill, program.interface.replicas));
  return arrays;
}

ArgumentTiles tiles_of(const std::vector<program::Array>& arrays, const Interface& interface) {
  ArgumentTiles tiles;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    tiles.push_back(cut(arrays[i], interface.arguments[i], interface.replicas));
  return tiles;
}

// Replicas have arrays of their own; those that hold the same bits on all of them are taken for
// parameters, as replica-style programs have no other way to say so.
Interface with_equal_replicas(Interface interface, const ArgumentTiles& tiles) {
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    program::Sharding& sharding = interface.arguments[i].sharding;
    if (!sharding.per_replica) continue;
    // The first replica with the same bits gives its number to all.
    for (std::int64_t& tile : sharding.tile_of) {
      const auto same = std::ranges::find(tiles[i], tiles[i][static_cast<std::size_t>(tile)]);
      tile = same - tiles[i].begin();
    }
  }
  return interface;
}

class Metrics final : public Command {
 public:
  void declare(CLI::App& app) override {
    declare_probe(app, options_);
    app.add_flag("--static", static_only_, "follow the data flow alone; start no worker");
    app.add_flag("--json", json_, "print JSON (understudy/metrics/1)");
  }

  int run(const Console& console, const Environment& environment) override {
    const Clock::time_point begin = Clock::now();
    const LoadedProgram program = load_program(options_);
    const configs::Slice slice = choose_slice(options_.slice, program.interface);
    // The data flow needs the data only to tell parameters from shards of replicas.
    const bool needs_data = !static_only_ || program.interface.replicas > 1;
    ArgumentTiles tiles;
    if (needs_data) tiles = tiles_of(arrays_of(options_, program), program.interface);
    const Clock::time_point before = Clock::now();
    const auto analysis = program::analysis::metric_report(
        *program.module, program.options,
        needs_data ? with_equal_replicas(program.interface, tiles) : program.interface);
    const double analysis_seconds = Seconds(Clock::now() - before).count();
    std::optional<Observations> observed;
    std::string failure;
    if (!static_only_)
      observed = experiment(console, environment, program, slice, analysis.axes, std::move(tiles),
                            failure);
    configs::MetricsReport report = judge(program.interface, analysis, observed, failure);
    if (observed) warn_of_equal_shards(*observed, report);
    report.program = program.path;
    report.slice = slice.name;
    report.numerics = options_.numerics;
    report.analysis_seconds = analysis_seconds;
    report.wall_seconds = Seconds(Clock::now() - begin).count();
    tell(console, report);
    return static_cast<int>(report.exit_code);
  }

 private:
  // nullopt: the program failed, and `failure` says how. That is a finding, not the end.
  std::optional<Observations> experiment(const Console& console, const Environment& environment,
                                         const LoadedProgram& program, const configs::Slice& slice,
                                         const std::vector<program::analysis::Axis>& axes,
                                         ArgumentTiles tiles, std::string& failure) {
    const ProbeTask task{program.interface, axes,
                         program.path,      program.text,
                         options_.numerics, options_.collectives,
                         std::move(tiles)};
    const std::int64_t chips = program.interface.processes();
    std::optional<Observations> seen;
    const auto talk = [&](PodHost& host, const std::stop_token& stop) {
      // The first answer comes after the start of the pod.
      PodClient pod(host, chips, Seconds(2 * options_.timeout_seconds), stop);
      seen = observe(pod, task);
    };
    const HostedEnd end = run_hosted(slice,
                                     {chips,
                                      options_.numerics,
                                      options_.collectives,
                                      options_.timeout_seconds,
                                      {options_.worker, "", options_.mpi_words}},
                                     environment, console, talk);
    if (end.finish.watched.interrupted) throw Error(ErrorKind::timeout, "interrupted");
    if (end.finish.outcome.failure) {
      failure = end.finish.outcome.failure->message;
    } else if (end.failure) {
      failure = end.failure->message();
    }
    return failure.empty() ? seen : std::nullopt;
  }

  // W21 of the catalogue: every chip reads the same data.
  static void warn_of_equal_shards(const Observations& seen, configs::MetricsReport& report) {
    if (seen.has_equal_shards)
      report.warnings.push_back(
          {std::nullopt, "equal_shards",
           "all chips hold the same data: a global metric cannot be told from a local one",
           std::nullopt});
  }

  void tell(const Console& console, const configs::MetricsReport& report) const {
    std::string text = json_ ? to_json(report) : text_of(report);
    while (text.ends_with('\n')) text.pop_back();
    console.result(text);
  }

  RunOptions options_;
  bool static_only_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_metrics() { return std::make_unique<Metrics>(); }

}  // namespace understudy::launcher
