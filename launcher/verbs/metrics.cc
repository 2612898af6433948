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
#include "launcher/receipt_file.h"
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
    app.add_option("--receipt", options_.receipt, "where the receipt goes")->type_name("FILE");
    app.add_flag("--json", json_, "print JSON (understudy/metrics/1)");
  }

  int run(const Console& console, const Environment& environment) override {
    const Clock::time_point begin = Clock::now();
    const configs::ResolvedProfile profile = settle_profile(options_, environment);
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
    std::optional<HostedEnd> pod;
    if (!static_only_)
      observed = experiment(console, environment, profile, program, slice, analysis.axes,
                            std::move(tiles), pod, failure);
    configs::MetricsReport report = judge(program.interface, analysis, observed, failure);
    if (observed) warn_of_equal_shards(*observed, report);
    report.program = program.path;
    report.slice = slice.name;
    report.numerics = options_.numerics;
    report.analysis_seconds = analysis_seconds;
    report.wall_seconds = Seconds(Clock::now() - begin).count();
    tell(console, report);
    if (pod) leave_receipt(console, environment, program, *pod, report);
    return static_cast<int>(report.exit_code);
  }

 private:
  // nullopt: the program failed, and `failure` says how. That is a finding, not the end.
  std::optional<Observations> experiment(const Console& console, const Environment& environment,
                                         const configs::ResolvedProfile& profile,
                                         const LoadedProgram& program, const configs::Slice& slice,
                                         const std::vector<program::analysis::Axis>& axes,
                                         ArgumentTiles tiles, std::optional<HostedEnd>& pod,
                                         std::string& failure) {
    const ProbeTask task{program.interface, axes,
                         program.path,      program.text,
                         options_.numerics, options_.collectives,
                         std::move(tiles)};
    const std::int64_t chips = program.interface.processes();
    std::optional<Observations> seen;
    const auto talk = [&](PodHost& host, const std::stop_token& stop) {
      // The first answer comes after the start of the pod.
      PodClient client(host, chips, Seconds(2 * options_.timeout_seconds), stop);
      seen = observe(client, task);
    };
    pod = run_hosted(slice,
                     {chips,
                      options_.numerics,
                      options_.collectives,
                      options_.timeout_seconds,
                      {options_.worker, "", options_.mpi_words, profile}},
                     environment, console, talk);
    if (pod->finish.watched.interrupted) throw Error(ErrorKind::timeout, "interrupted");
    if (pod->finish.outcome.failure) {
      failure = pod->finish.outcome.failure->message;
    } else if (pod->failure) {
      failure = pod->failure->message();
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

  void leave_receipt(const Console& console, const Environment& environment,
                     const LoadedProgram& program, const HostedEnd& pod,
                     const configs::MetricsReport& report) const {
    configs::LauncherFacts facts;
    facts.started_at = pod.finish.started_at;
    facts.wall_seconds = pod.finish.wall_seconds;
    facts.exit_code = report.exit_code;
    facts.failure = pod.finish.outcome.failure;
    facts.launch = pod.told;
    configs::Receipt receipt = configs::assemble(pod.plan, pod.finish.watched.records, facts);
    const Interface& interface = program.interface;
    receipt.program = {program.path,         program.digest,     options_.numerics,
                       options_.collectives, interface.replicas, interface.partitions};
    for (const configs::ResultVerdict& verdict : report.results) {
      const program::Parameter& result = interface.results[static_cast<std::size_t>(verdict.index)];
      configs::ResultReceipt one;
      one.index = verdict.index;
      one.element = mlir_name(result.global.element);
      one.dtype = numpy_name(result.global.element);
      one.shape = result.global.shape;
      one.tile_of = result.sharding.tile_of;
      one.metric = verdict.verdict;
      receipt.results.push_back(std::move(one));
    }
    console.remark("receipt: " + write_receipt(environment, options_.receipt, receipt));
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
