// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/metrics_text.h"
#include "configs/run_document.h"
#include "launcher/attribution.h"
#include "launcher/console.h"
#include "launcher/environment.h"
#include "launcher/job_files.h"
#include "launcher/launch.h"
#include "launcher/mpirun_command.h"
#include "launcher/other_programs.h"
#include "launcher/plan_run.h"
#include "launcher/receipt_file.h"
#include "launcher/run_options.h"
#include "launcher/run_results.h"
#include "launcher/run_text.h"
#include "launcher/verbs.h"
#include "program/analysis/metric_verdict.h"

namespace understudy::launcher {
namespace {

// What the workers did, with what the launcher made of it.
struct Told {
  configs::LauncherFacts facts;
  std::vector<Comparison> comparisons;
  configs::Receipt receipt;
  std::string receipt_path;
  std::string metrics;  // in torch_xla's form
};

class Run final : public Command {
 public:
  void declare(CLI::App& app) override { declare_run(app, options_); }

  int run(const Console& console, const Environment& environment) override {
    const Fill fill = parse_fill(options_.fill);
    const configs::ResolvedProfile profile = settle_profile(options_, environment);
    const LoadedProgram program = load_program(options_);
    const configs::Slice slice = choose_slice(options_.slice, program.interface);
    say_choice(console, slice, program);
    RunFolder folder(environment.temporary);
    use_cache_of(profile.values, options_, folder);
    const std::vector<OtherProgram> others = load_others(options_, program);
    configs::RunPlan plan = make_plan(options_, program, slice, environment, make_run_id(folder));
    add_differences(plan, options_, program, others);
    const Launch launch = make_launch(
        std::move(plan), slice, {options_.worker, options_.hostfile, options_.mpi_words, profile},
        program.text, texts_of(others), environment, folder);
    if (!launch.remark.empty()) console.remark(launch.remark);
    if (options_.dry_run) return show(console, environment, launch);
    const std::vector<Expected> expected = read_expected(options_, program);
    write_arguments(folder, launch.plan, program.interface, read_arguments(program, fill));
    folder.write(launch.plan.program_file, program.text);
    for (std::size_t i = 0; i < others.size(); ++i)
      folder.write(launch.plan.other_programs[i].file, others[i].program.text);
    folder.write("plan.json", configs::to_json(launch.plan));
    OpBook ops(*program.module);
    for (const OtherProgram& other : others) ops.add(*other.program.module, other.ranks);
    Finish finish = run_launch(launch, ops, slice, folder, console);
    if (console.verbosity > 0 && !finish.mpirun_output.empty())
      console.remark("mpirun said:\n" + finish.mpirun_output);
    return conclude(console, environment, program, launch, ops, folder, expected, finish);
  }

 private:
  void say_choice(const Console& console, const configs::Slice& slice,
                  const LoadedProgram& program) const {
    const std::int64_t needed = program.interface.processes();
    if (needed < static_cast<std::int64_t>(slice.chips.size()))
      console.remark(fmt::format("note: the program runs on the first {} of {} chips of {}", needed,
                                 slice.chips.size(), slice.name));
    if (program.manifest && options_.steps > 1 && options_.expect.empty())
      console.remark("note: the folder's expected results are those of one step: not compared");
  }

  int show(const Console& console, const Environment& environment, const Launch& launch) const {
    const bool as_job = !options_.job_kind.empty();
    std::string plan = as_job ? job_file(options_.job_kind, launch.plan, environment.words)
                              : configs::to_json(launch.plan);
    while (plan.ends_with('\n')) plan.pop_back();
    if (as_job) {
      console.result(plan);
      return 0;
    }
    if (!options_.json) console.result(shell_text(launch.words));
    console.result(plan);
    return 0;
  }

  std::vector<program::Array> read_arguments(const LoadedProgram& program, const Fill& fill) const {
    const std::vector<ArgumentSource> sources = argument_sources(options_, program);
    std::vector<program::Array> arguments;
    for (std::size_t i = 0; i < sources.size(); ++i)
      arguments.push_back(argument_array(static_cast<std::int64_t>(i),
                                         program.interface.arguments[i], sources[i], fill,
                                         program.interface.replicas));
    return arguments;
  }

  int conclude(const Console& console, const Environment& environment, const LoadedProgram& program,
               const Launch& launch, const OpBook& ops, const RunFolder& folder,
               const std::vector<Expected>& expected, Finish& finish) const {
    Told told;
    int code = finish.outcome.exit_code;
    if (code == 0 && wants_results(options_, program)) {
      const std::vector<program::Array> results =
          read_results(folder, launch.plan, program.interface);
      told.comparisons = compare_results(results, expected);
      if (!options_.out.empty()) write_results(options_.out, results);
    }
    if (std::any_of(told.comparisons.begin(), told.comparisons.end(),
                    [](const Comparison& one) { return !one.ok(); }))
      code = fail_comparison(finish, told.comparisons);
    told.facts.started_at = finish.started_at;
    told.facts.wall_seconds = finish.wall_seconds;
    told.facts.exit_code = code;
    told.facts.failure = finish.outcome.failure;
    told.facts.faults = launch.plan.faults;
    told.facts.launch = launch.told;
    told.facts.place_of = [&](std::int64_t rank, std::int64_t op) { return ops.place(rank, op); };
    add_results(told, program);
    told.receipt = configs::assemble(launch.plan, finish.watched.records, told.facts);
    if (code != exit_code_of(ErrorKind::usage))
      told.receipt_path = write_receipt(environment, options_.receipt, told.receipt);
    if (options_.metrics_report) {
      told.metrics = text_of(configs::metrics_of(finish.watched.records));
      while (told.metrics.ends_with('\n')) told.metrics.pop_back();
    }
    tell(console, told, finish.outcome);
    return code;
  }

  static std::vector<std::string> texts_of(const std::vector<OtherProgram>& others) {
    std::vector<std::string> texts;
    for (const OtherProgram& other : others) texts.push_back(other.program.text);
    return texts;
  }

  static int fail_comparison(Finish& finish, const std::vector<Comparison>& comparisons) {
    const auto bad = std::count_if(comparisons.begin(), comparisons.end(),
                                   [](const Comparison& one) { return !one.ok(); });
    configs::ReceiptFailure failure;
    failure.kind = name_of(ErrorKind::check);
    failure.phase = "comparison";
    failure.message =
        fmt::format("{} of {} results differ from what was expected", bad, comparisons.size());
    attribute(failure);
    finish.outcome.failure = std::move(failure);
    return exit_code_of(ErrorKind::check);
  }

  static void add_results(Told& told, const LoadedProgram& program) {
    const program::Interface& interface = program.interface;
    const bool ran = told.facts.exit_code == 0;  // else it may be one that cannot be followed
    program::analysis::StaticReport flow;
    if (ran) flow = program::analysis::metric_report(*program.module, program.options, interface);
    for (std::size_t i = 0; i < interface.results.size(); ++i) {
      configs::LauncherFacts::Result result;
      result.index = static_cast<std::int64_t>(i);
      result.dtype = numpy_name(interface.results[i].global.element);
      result.shape = interface.results[i].global.shape;
      for (const Comparison& one : told.comparisons)
        if (one.index == result.index)
          result.comparison = {one.max_abs_error, one.max_rel_error, one.tolerance.rtol,
                               one.tolerance.atol, one.ok()};
      if (ran) result.read_before_reduction = flow.results[i].read_before_reduction;
      told.facts.results.push_back(std::move(result));
    }
  }

  void tell(const Console& console, const Told& told, const Outcome& outcome) const {
    if (options_.json) {
      std::string text = configs::run_document(told.receipt, told.receipt_path);
      while (text.ends_with('\n')) text.pop_back();
      if (told.facts.exit_code != exit_code_of(ErrorKind::usage)) console.result(text);
    } else if (told.facts.exit_code != exit_code_of(ErrorKind::usage)) {
      console.result(run_text(told.receipt, told.comparisons, console));
    }
    // --json makes stdout one document.
    if (options_.metrics_report)
      options_.json ? console.remark(told.metrics) : console.result(told.metrics);
    (void)std::fflush(console.out);
    for (const configs::ResultReceipt& result : told.receipt.results)
      if (result.distinct_values.value_or(1) > 1)
        console.failure(fmt::format(
            "understudy: warning: result {} is declared replicated, but chips hold {} different "
            "values",
            result.index, *result.distinct_values));
    if (outcome.failure) console.failure(failure_text(outcome));
    if (told.receipt_path.empty()) return;
    // Of a failure the receipt is part of the last words; else -q may silence it.
    const std::string line = "receipt: " + told.receipt_path;
    outcome.failure ? console.failure(line) : console.remark(line);
  }

  RunOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

}  // namespace understudy::launcher
