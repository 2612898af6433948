// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/run_program.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/receipt/launcher_facts.h"
#include "configs/receipt/metrics_text.h"
#include "launcher/diagnose/attribution.h"
#include "launcher/pod/run_space.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/run/non_finite.h"
#include "launcher/run/prepare_run.h"
#include "launcher/run/receipt/conclusion.h"
#include "launcher/run/receipt/partition_report.h"
#include "launcher/run/receipt/receipt_file.h"
#include "launcher/run/results.h"
#include "launcher/run/second_run.h"
#include "program/analysis/metric_verdict.h"

namespace understudy::launcher {
namespace {

bool all_ok(const std::vector<Comparison>& comparisons) {
  return std::ranges::all_of(comparisons, [](const Comparison& one) { return one.ok(); });
}

// The outcome of an error in the launcher itself, before or after the workers ran.
// Keeps the source place in the message: the receipt has no other field for an error of the program
// text.
Outcome failed_here(const Error& error, const char* phase) {
  configs::ReceiptFailure failure;
  failure.kind = configs::failure_kind_of(error.kind());
  failure.phase = phase;
  if (error.place()) failure.message = text_of(*error.place()) + ": ";
  failure.message += error.message();
  if (!error.diagnosis().empty()) failure.diagnosis = error.diagnosis();
  attribute(failure);
  return {exit_code_of(error.kind()), std::move(failure), error.notes()};
}

int fail_comparison(Outcome& outcome, const std::vector<Comparison>& comparisons) {
  const auto bad =
      std::ranges::count_if(comparisons, [](const Comparison& one) { return !one.ok(); });
  configs::ReceiptFailure failure;
  failure.kind = configs::FailureKind::check;
  failure.phase = "comparison";
  failure.message =
      fmt::format("{} of {} results differ from the expected results", bad, comparisons.size());
  attribute(failure);
  outcome.failure = std::move(failure);
  return exit_code_of(ErrorKind::check);
}

void fail_non_finite(Outcome& outcome, const configs::NonFinite& seen) {
  configs::ReceiptFailure failure;
  failure.kind = configs::FailureKind::check;
  failure.phase = "results";
  failure.message = seen.message;
  if (seen.op) failure.op = *seen.op;
  failure.place = seen.place;
  failure.python = seen.python;
  failure.rank = seen.rank;
  attribute(failure);
  outcome.failure = std::move(failure);
  outcome.exit_code = exit_code_of(ErrorKind::check);
}

configs::ResultComparison in_receipt(const Comparison& one) {
  return {one.max_abs_error, one.max_rel_error, one.tolerance.rtol, one.tolerance.atol, one.ok()};
}

// Adds the comparisons, the names, and whether a result is used before it is reduced (from the data
// flow analysis).
void add_results(configs::LauncherFacts& facts, const std::vector<Comparison>& comparisons,
                 const std::vector<Comparison>& with_ieee, const LoadedProgram& program) {
  const program::Interface& interface = program.interface;
  const bool ran = facts.exit_code == 0;  // the analysis requires a program that compiles
  program::analysis::StaticReport flow;
  if (ran) flow = program::analysis::metric_report(*program.module, program.options, interface);
  for (std::size_t i = 0; i < interface.results.size(); ++i) {
    configs::LauncherFacts::Result result;
    result.index = static_cast<std::int64_t>(i);
    result.dtype = numpy_name(interface.results[i].global.element);
    result.shape = interface.results[i].global.shape;
    for (const Comparison& one : comparisons)
      if (one.index == result.index) result.comparison = in_receipt(one);
    for (const Comparison& one : with_ieee)
      if (one.index == result.index) result.comparison_ieee = in_receipt(one);
    if (const std::string& name = interface.results[i].name; !name.empty()) result.name = name;
    if (ran) result.read_before_reduction = flow.results[i].read_before_reduction;
    facts.results.push_back(std::move(result));
  }
}

// Thrown when a stop signal arrives while the launcher reads the results.
// Not an Error: a stop signal has its own exit code and no diagnosis.
struct RunInterrupted {
  int number;
};
// Stores the receipt. A successful run whose receipt cannot be written becomes a failure.
void store(const RunOptions& options, const Environment& environment, RunReport& report) {
  if (options.no_receipt || report.exit_code == exit_code_of(ErrorKind::usage)) return;
  StoredReceipt stored = store_receipt(environment, options.receipt, report.receipt);
  report.receipt_path = std::move(stored.path);
  report.receipt_lost = std::move(stored.told);
  if (report.exit_code != 0 || !stored.error) return;
  report.outcome = failed_here(*stored.error, "receipt");
  report.exit_code = report.outcome.exit_code;
  report.receipt.verdict = "failed";
  report.receipt.exit_code = report.exit_code;
  if (report.outcome.failure) report.receipt.failures = {*report.outcome.failure};
}

// Reads, compares and writes the results. Any failure here becomes the outcome of the run.
void take_results(const RunOptions& options, const Planned& planned, const RunFolder& folder,
                  const std::vector<Expected>& expected, SignalQueue& signals, Finish& finish,
                  RunReport& report) {
  // Large results take seconds to read, so a stop signal is checked between files.
  const auto look = [&] {
    if (const std::optional<int> number = signals.stop_signal()) throw RunInterrupted{*number};
  };
  try {
    look();
    if (wants_results(options, planned.program)) {
      const std::vector<program::Array> results =
          read_results(folder, planned.launch.plan, planned.program.interface, look);
      report.comparisons = compare_results(results, expected);
      look();
      if (!options.out.empty()) write_results(options.out, results);
      look();
    }
  } catch (const RunInterrupted& told) {
    finish.outcome = interrupted(told.number);
    report.exit_code = finish.outcome.exit_code;
    report.comparisons.clear();
  } catch (const Error& error) {
    finish.outcome = failed_here(error, "results");
    report.exit_code = finish.outcome.exit_code;
  }
}

// What is read off the records beside the receipt.
void add_remarks(const RunOptions& options, const configs::RunPlan& plan, const Finish& finish,
                 RunReport& report) {
  report.receipt.created_utc = utc_now();
  if (options.metrics_report) {
    report.metrics = text_of(configs::metrics_of(finish.watched.records));
    while (report.metrics.ends_with('\n')) report.metrics.pop_back();
  }
  for (const configs::PlannedProgram& other : plan.other_programs)
    if (report.difference.empty()) report.difference = other.difference;
  report.restarted = finish.restarted;
}

// Results are only read after success of the workers; a failure goes into the receipt.
RunReport conclude(const RunOptions& options, const Environment& environment,
                   const Planned& planned, const OpLocations& ops, const RunFolder& folder,
                   const std::vector<Expected>& expected, Finish finish, SignalQueue& signals,
                   const SecondRun& again) {
  const configs::RunPlan& plan = planned.launch.plan;
  RunReport report;
  report.exit_code = finish.outcome.exit_code;
  if (report.exit_code == 0)
    take_results(options, planned, folder, expected, signals, finish, report);
  // The tables of a failed comparison are still printed by the verb.
  std::vector<Comparison> with_ieee;
  if (!all_ok(report.comparisons)) {
    report.exit_code = fail_comparison(finish.outcome, report.comparisons);
    with_ieee = again.compared_with_ieee(finish, expected);
  }
  configs::LauncherFacts facts = facts_of(finish, report.exit_code);
  facts.faults = plan.faults;
  facts.launch = planned.launch.receipt_launch;
  facts.provenance = planned.provenance;
  facts.partition = partition_seen(planned.program);
  if (!planned.mesh.empty()) facts.mesh = planned.mesh;
  facts.place_of = [&](std::int64_t rank, std::int64_t op) { return ops.place(rank, op); };
  add_results(facts, report.comparisons, with_ieee, planned.program);
  report.receipt = configs::assemble(plan, finish.watched.records, facts);
  if (auto seen = again.non_finite(report.receipt, finish)) {
    if (options.nan_check && !facts.failure) {
      fail_non_finite(finish.outcome, *seen);
      facts.failure = finish.outcome.failure;
      facts.exit_code = report.exit_code = exit_code_of(ErrorKind::check);
      report.receipt = configs::assemble(plan, finish.watched.records, facts);
    }
    report.receipt.non_finite = std::move(seen);
  }
  add_remarks(options, plan, finish, report);
  report.outcome = std::move(finish.outcome);
  store(options, environment, report);
  return report;
}

RunReport not_begun(const RunOptions& options, const Environment& environment,
                    const std::string& run_id, const Error& error, const RunHooks& hooks) {
  const SignalQueue held;  // a signal must not interrupt writing the receipt
  RunReport report =
      report_not_begun(options, run_id, options.program, failed_here(error, "start"));
  store(options, environment, report);
  if (hooks.settled) hooks.settled(report);
  return report;
}

// A worker without a record (disk full) reports its error only in the output of mpirun. A failure
// that a worker recorded itself is better evidence and is kept.
void explain_by_space(const SpaceWatch& space, Finish& finish) {
  const std::optional<configs::ReceiptFailure>& failure = finish.outcome.failure;
  if (!failure || finish.watched.interrupted) return;
  if (failure->kind == configs::FailureKind::system && failure->rank) return;
  if (const std::optional<Error> error = space.error(finish.mpirun_output))
    finish.outcome = failed_here(*error, "start");
}

// Order: plan, check space, write files, prove the space, start. Nothing is written before the
// space check, nothing is started before the proof.
RunReport run_in(RunFolder& folder, RunOptions& options, const Fill& fill,
                 const Environment& environment, const Console& console, const RunHooks& hooks) {
  const Planned planned = plan_in(folder, options, environment, console);
  const std::vector<Expected> expected = read_expected(options, planned.program);
  const configs::RunPlan& made = planned.launch.plan;
  require_space(space_needs(made, folder, options.out), made.hbm_bytes);
  const std::vector<program::Array> arguments = read_arguments(options, planned.program, fill);
  write_all(folder, planned, arguments, fill);
  prove_space(made, folder);
  OpLocations ops(*planned.program.module, planned.program.text);
  for (const OtherProgram& other : planned.others)
    // Programs of later steps run on all ranks, so their operations are not told apart by rank.
    if (other.steps.empty()) ops.add(*other.program.module, other.ranks);
  // Open MPI hangs forever if its session folder is full, so the watch must end the pod.
  SpaceWatch space(folder);
  // From here on signals are queued, so a receipt is written whatever happens.
  SignalQueue signals;
  Finish finish = run_launch(
      planned.launch, ops, planned.slice, folder, console, [&] { return space.ran_out(); },
      hooks.step);
  explain_by_space(space, finish);
  if (console.verbosity > 0 && !finish.mpirun_output.empty())
    console.remark("output of mpirun:\n" + finish.mpirun_output);
  const SecondRun again(options, environment, console, planned, arguments);
  RunReport report = conclude(options, environment, planned, ops, folder, expected,
                              std::move(finish), signals, again);
  if (hooks.settled) hooks.settled(report);
  return report;
}

}  // namespace

Launch plan_program(RunOptions options, const Environment& environment, const Console& console) {
  RunFolder folder(environment.temporary);
  return plan_in(folder, options, environment, console).launch;
}

RunReport run_program(RunOptions options, const Environment& environment, const Console& console,
                      const RunHooks& hooks) {
  const Fill fill = parse_fill(options.fill);
  std::optional<RunFolder> folder;
  try {
    folder.emplace(environment.temporary);
    return run_in(*folder, options, fill, environment, console, hooks);
  } catch (const Error& error) {
    // A usage error leaves no receipt: nothing was attempted.
    if (exit_code_of(error.kind()) == exit_code_of(ErrorKind::usage)) throw;
    const std::string run_id = folder ? make_run_id(*folder) : make_run_id_without_folder();
    return not_begun(options, environment, run_id, error, hooks);
  }
}

}  // namespace understudy::launcher
