// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "configs/base/file.h"
#include "configs/receipt/launcher_facts.h"
#include "configs/report/junit.h"
#include "configs/report/metrics_report.h"
#include "launcher/metrics/examine.h"
#include "launcher/metrics/judge.h"
#include "launcher/options/run_options.h"
#include "launcher/options/settled_options.h"
#include "launcher/pod/guardian.h"
#include "launcher/pod/launch.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/run/plan_run.h"
#include "launcher/run/probe_outputs.h"
#include "launcher/run/receipt/provenance.h"
#include "launcher/run/receipt/receipt_file.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

std::string place_text(const configs::ReportPlace& place) {
  return place.python.value_or(fmt::format("{}:{}:{}", place.path, place.line, place.column));
}

// Two parts: the data-flow analysis, which needs no chips, and the probe on a hosted pod, which
// confirms or refutes it with values.
class Metrics final : public Command {
 public:
  void declare(CLI::App& app) override {
    declare_probe(app, options_);
    app.add_flag("--strict", strict_, "exit with code 1 also for warnings");
    app.add_flag("--static", static_only_, "analyse the data flow only; start no worker");
    declare_receipt(app, options_.receipt, options_.no_receipt);
    app.add_flag("--json", json_, "print JSON (understudy/metrics/1)");
    app.add_option("--junit", junit_, "also write a JUnit report for CI to FILE")
        ->type_name("FILE");
  }

  int run(const Console& console, const Environment& environment) override {
    if (!options_.no_receipt) probe_file("--receipt", options_.receipt);
    probe_file("--junit", junit_);
    // The profile may set numerics or the slice, on which the program and its key depend.
    settle_profile(options_, environment);
    const LoadedProgram program = load_program(options_);
    for (const std::string& remark : program.remarks) console.remark(remark);
    const configs::Slice slice = choose_slice(options_.slice, program);
    Examination seen = examine(options_, program, slice, static_only_, environment, console);
    configs::MetricsReport& report = seen.report;
    // An exit code of a failure is more specific and stays.
    if (strict_ && report.exit_code == 0 && !report.warnings.empty()) report.exit_code = 1;
    tell(console, report);
    if (seen.pod && seen.pod->finish.outcome.failure)
      console.failure(failure_text(seen.pod->finish.outcome));
    if (!junit_.empty()) write_file_atomically(junit_, to_junit(report));
    const int exit_code = static_cast<int>(report.exit_code);
    // Without a pod nothing was observed, so there is nothing to put into a receipt.
    if (!seen.pod || options_.no_receipt) return exit_code;
    return leave_receipt(console, environment, program, *seen.pod, report);
  }

 private:
  // Returns the exit code.
  // The receipt has the launch and the verdicts; a metrics run produces no arrays to digest.
  // Writes the receipt even if the pod failed: the receipt then has the failure.
  int leave_receipt(const Console& console, const Environment& environment,
                    const LoadedProgram& program, const HostedEnd& pod,
                    const configs::MetricsReport& report) const {
    const SignalQueue held;  // a signal must not interrupt writing the receipt
    configs::LauncherFacts facts;
    facts.started_at = pod.finish.started_at;
    facts.wall_seconds = pod.finish.wall_seconds;
    facts.exit_code = report.exit_code;
    facts.failure = pod.finish.outcome.failure;
    facts.launch = pod.receipt_launch;
    facts.provenance = provenance_of(options_, pod.inputs, program.path, std::nullopt, environment);
    configs::Receipt receipt = configs::assemble(pod.plan, pod.finish.watched.records, facts);
    const program::Interface& interface = program.interface;
    receipt.program = {program.path,         program.digest,       options_.numerics,
                       options_.collectives, interface.replicas,   interface.partitions,
                       std::nullopt,         options_.reproducible};
    for (const configs::ResultVerdict& verdict : report.results) {
      const program::Parameter& result = interface.results[static_cast<std::size_t>(verdict.index)];
      configs::ResultReceipt one;
      one.index = verdict.index;
      one.element = mlir_name(result.global.element);
      one.dtype = numpy_name(result.global.element);
      one.shape = result.global.shape;
      one.tile_of = result.sharding.tile_of;
      one.metric = verdict.verdict;
      one.metric_reason = verdict.reason;
      if (verdict.place) one.metric_place = place_text(*verdict.place);
      if (!verdict.name.empty()) one.name = verdict.name;
      receipt.results.push_back(std::move(one));
    }
    receipt.created_utc = utc_now();
    configs::complete(receipt);
    const StoredReceipt stored = store_receipt(environment, options_.receipt, receipt);
    stored.error ? console.failure(stored.told) : console.remark("receipt: " + stored.path);
    const int exit_code = exit_code_with(stored, static_cast<int>(report.exit_code));
    settle_exit_code(exit_code);
    return exit_code;
  }

  void tell(const Console& console, const configs::MetricsReport& report) const {
    // With -q a report without a warning says nothing that the exit code does not say.
    if (json_)
      console.document(to_json(report));
    else if (!console.quiet() || report.exit_code != 0 || !report.warnings.empty())
      console.document(text_of(report));
  }

  RunOptions options_;
  std::string junit_;
  bool static_only_ = false, strict_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_metrics() { return std::make_unique<Metrics>(); }

}  // namespace understudy::launcher
