// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>

#include "configs/base/error.h"
#include "configs/receipt/run_document.h"
#include "configs/report/command_documents.h"
#include "launcher/options/run_options.h"
#include "launcher/pod/guardian.h"
#include "launcher/pod/mpirun_command.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/argument_files.h"
#include "launcher/run/job_files.h"
#include "launcher/run/parameter_names.h"
#include "launcher/run/probe_outputs.h"
#include "launcher/run/run_program.h"
#include "launcher/run/text.h"
#include "launcher/script/script_run.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// Two kinds of run: a program file, or (after `--`) a user's script whose host processes load the
// PJRT plugin.
class Run final : public Command {
 public:
  void declare(CLI::App& app) override { declare_run(app, options_); }

  bool take_script(const std::vector<std::string>& words) override {
    if (words.empty())
      throw Error(ErrorKind::usage, "-- must be followed by a command, such as python train.py");
    options_.script = words;
    return true;
  }

  int run(const Console& console, const Environment& environment) override {
    if (!options_.script.empty()) return run_hosts(console, environment);
    if (options_.dry_run) {
      // A dry run makes no arguments, so the option would otherwise stay unchecked.
      (void)parse_fill(options_.fill);
      return show(console, environment, plan_program(options_, environment, console));
    }
    probe_folder("--out", options_.out);
    if (!options_.no_receipt) probe_file("--receipt", options_.receipt);
    const RunReport report = run_program(
        options_, environment, console,
        // Called when the receipt is written; a signal after that must not change the exit code.
        {.settled = [](const RunReport& settled) { settle_exit_code(settled.exit_code); }});
    tell(console, report);
    return report.exit_code;
  }

 private:
  int run_hosts(const Console& console, const Environment& environment) {
    if (!options_.no_receipt) probe_file("--receipt", options_.receipt);
    const RunReport report = run_script(options_, environment, console);
    // After a usage error nothing was started, so there is no run to describe.
    if (options_.json && report.exit_code != exit_code_of(ErrorKind::usage))
      console.result(configs::run_document(report.receipt, report.receipt_path));
    tell_end(console, report);
    return report.exit_code;
  }

  // With --as only the job file is printed, so that it can be piped to sbatch or kubectl.
  int show(const Console& console, const Environment& environment, const Launch& launch) const {
    const bool as_job = !options_.job_kind.empty();
    std::string plan =
        as_job ? job_file(options_.job_kind, launch.plan,
                          configs::launch_environment(launch.inputs, 0, 0), environment.words)
               : configs::to_json(launch.plan);
    while (plan.ends_with('\n')) plan.pop_back();
    if (as_job) {
      options_.json ? console.document(to_json(configs::JobDocument{options_.job_kind, plan}))
                    : console.result(plan);
      return 0;
    }
    if (!options_.json) console.result(shell_text(launch.words));
    console.result(plan);
    return 0;
  }

  void tell(const Console& console, const RunReport& report) const {
    // A run that failed before it had chips has no results to print; --json prints its document
    // anyway.
    const bool began = report.receipt.chip_count.value_or(0) > 0;
    if (report.exit_code != exit_code_of(ErrorKind::usage) && (began || options_.json)) {
      if (options_.json)
        console.document(configs::run_document(report.receipt, report.receipt_path));
      else if (!console.quiet() || report.exit_code != 0)
        console.result(run_text(report.receipt, report.comparisons, console));
    }
    // With --json, stdout holds exactly one document.
    if (options_.metrics_report)
      options_.json ? console.remark(report.metrics) : console.result(report.metrics);
    for (const configs::ResultReceipt& result : report.receipt.results)
      if (result.distinct_values.value_or(1) > 1)
        console.failure(fmt::format(
            "understudy: warning: {} is declared replicated, but chips hold {} different values",
            label_of("result", result.index, result.name.value_or("")), *result.distinct_values));
    if (report.receipt.non_finite && !options_.nan_check)
      console.failure("understudy: warning: " + report.receipt.non_finite->message);
    tell_end(console, report);
  }

  static void tell_end(const Console& console, const RunReport& report) {
    if (report.outcome.failure) console.failure(failure_text(report.outcome));
    if (!report.receipt_lost.empty()) console.failure(report.receipt_lost);
    if (report.receipt_path.empty()) return;
    // After a failure the path of the receipt is printed even with -q.
    const std::string line = "receipt: " + report.receipt_path;
    report.outcome.failure ? console.failure(line) : console.remark(line);
  }

  RunOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

}  // namespace understudy::launcher
