// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "configs/base/collective_algorithms.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/printable.h"
#include "configs/launch/profile/profile.h"
#include "configs/report/check_report.h"
#include "configs/report/junit.h"
#include "launcher/check/check_pod.h"
#include "launcher/options/ranges.h"
#include "launcher/options/run_options.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/probe_outputs.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

using configs::Verdict;

// Runs self-checking programs (StableHLO `check.*` operations) on one hosted pod, several at a time
// on separate chips, so a folder of many small programs pays for one start of MPI.
class CheckVerb final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("PATH", options_.paths, "a StableHLO or HLO file, or a folder of them")
        ->type_name("");
    app.add_option("--numerics", options_.numerics,
                   "precision of f32 products: ieee (default) or tpu")
        ->type_name("MODE")
        ->check(CLI::IsMember({"tpu", "ieee"}));
    app.add_option("--collectives", options_.collectives,
                   "algorithm of the collectives (auto); see docs/collectives.md")
        ->type_name("NAME")
        ->check(CLI::IsMember(
            std::vector<std::string>(kCollectiveAlgorithms.begin(), kCollectiveAlgorithms.end())));
    app.add_option("--timeout", options_.timeout_seconds, "time limit of one program (60)")
        ->type_name("SECONDS")
        ->check(more_than_zero());
    declare_deadline(app, options_.start.deadline);
    declare_workers(app, options_.start.mpi_words, options_.start.worker);
    app.add_flag("--json", options_.json, "print JSON (understudy/check/1)");
    app.add_option("--junit", junit_, "also write a JUnit report for CI to FILE")
        ->type_name("FILE");
  }

  // Programs are sorted out before any process starts; only the runnable ones need a pod.
  int run(const Console& console, const Environment& environment) override {
    if (options_.paths.empty())
      throw Error(ErrorKind::usage, "check requires a .mlir file or a folder of .mlir files")
          .note("understudy check --help shows an example");
    // CI reads the report after the run; a path that cannot be written must fail before the
    // programs run.
    probe_file("--junit", junit_);
    const Clock::time_point begin = Clock::now();
    CheckWork work = check_work(check_files(options_.paths), kMostCheckChips);
    const CheckEnd end = run_check(work, options_, environment, console);
    // After an interruption some programs have no verdict. The report must not count them as
    // passed.
    for (CheckJob& job : work.jobs)
      if (!job.verdict) job.verdict = CheckVerdict{Verdict::failed, "not run: " + end.failure, 0};
    configs::CheckReport report = report_of(work);
    report.chips = end.chips;
    report.numerics = options_.numerics;
    report.wall_seconds = seconds_since(begin);
    report.exit_code = end.exit_code != 0 ? end.exit_code : exit_code_of_report(report);
    tell(console, report, end);
    if (!junit_.empty()) write_file_atomically(junit_, to_junit(report));
    return report.exit_code;
  }

 private:
  // A run in which no program passed proves nothing, so it is not a success.
  static int exit_code_of_report(const configs::CheckReport& report) {
    if (report.count(Verdict::failed) > 0) return understudy::exit_code_of(ErrorKind::check);
    if (report.count(Verdict::passed) == 0) return understudy::exit_code_of(ErrorKind::unsupported);
    return 0;
  }

  void tell(const Console& console, const configs::CheckReport& report, const CheckEnd& end) const {
    if (options_.json) {
      std::string text = to_json(report);
      while (text.ends_with('\n')) text.pop_back();
      console.result(text);
    } else {
      for (const configs::CheckedFile& file : report.files)
        // Passed programs are only counted, so that failures are not lost in a long list.
        if (file.verdict != Verdict::passed)
          console.result(
              fmt::format("{} {}\n{}",
                          console.tinted(file.verdict == Verdict::failed ? Tint::red : Tint::yellow,
                                         name_of(file.verdict)),
                          printable(file.path), printable(file.reason)));
      if (!console.quiet() || report.exit_code != 0)
        console.result(fmt::format("{} passed, {} failed, {} unsupported",
                                   report.count(Verdict::passed), report.count(Verdict::failed),
                                   report.count(Verdict::unsupported)));
    }
    if (!end.failure.empty()) console.failure(end.failure);
  }

  CheckOptions options_;
  std::string junit_;
};

}  // namespace

std::unique_ptr<Command> make_check() { return std::make_unique<CheckVerb>(); }

}  // namespace understudy::launcher
