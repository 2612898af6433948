// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/second_run.h"

#include "configs/base/error.h"
#include "launcher/diagnose/op_locations.h"
#include "launcher/pod/run_folder.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/argument_files.h"
#include "launcher/run/non_finite.h"

namespace understudy::launcher {
namespace {

// A first run longer than this, from the start of its pod to the end, is not repeated unasked.
constexpr double kCheapSeconds = 30;

}  // namespace

bool SecondRun::is_cheap(const Finish& first) const {
  return first.wall_seconds <= kCheapSeconds && options_.fault_words.empty();
}

// Results and receipt are those of the first run; so are remarks and progress.
RunOptions SecondRun::again() const {
  RunOptions options = options_;
  options.out.clear();
  options.metrics_report = false;
  options.fault_words.clear();
  return options;
}

// A second run only explains. Whatever keeps it from ending well is left out of the report: the
// first run has its own outcome.
// With the arguments of the first run: random fills and files are not read again.
std::optional<Finish> SecondRun::run(RunOptions options, bool looks, RunFolder& folder) const {
  Console quiet = console_;
  quiet.verbosity = -1;
  quiet.err_terminal = false;
  try {
    options.looks_for_non_finite = looks;
    // A fused loop is one instruction: its operations are told apart only without fusion.
    if (looks) options.compiler.disabled_passes.push_back("fuse-elementwise");
    const Planned planned = plan_in(folder, options, environment_, quiet);
    write_all(folder, planned, arguments_, parse_fill(options.fill));
    OpLocations ops(*planned.program.module);
    Finish finish = run_launch(planned.launch, ops, planned.slice, folder, quiet);
    if (finish.outcome.exit_code != 0) return std::nullopt;
    return finish;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<Comparison> SecondRun::compared_with_ieee(const Finish& first,
                                                      const std::vector<Expected>& expected) const {
  if (options_.numerics != "tpu" || !is_cheap(first)) return {};
  RunOptions options = again();
  options.numerics = "ieee";
  try {
    RunFolder folder(environment_.temporary);
    if (!run(options, false, folder)) return {};
    // The plan of the second run names the same files.
    return compare_results(read_results(folder, planned_.launch.plan, planned_.program.interface),
                           expected);
  } catch (const Error&) {
    return {};
  }
}

std::optional<configs::NonFinite> SecondRun::non_finite(const configs::Receipt& receipt,
                                                        const Finish& first) const {
  const std::vector<std::int64_t> results = unexpected_non_finite(receipt);
  if (results.empty()) return std::nullopt;
  const bool looks = options_.nan_check || is_cheap(first);
  std::optional<Finish> second;
  if (looks) {
    try {
      RunFolder folder(environment_.temporary);
      second = run(again(), true, folder);
    } catch (const Error&) {
      second.reset();
    }
  }
  return explain_non_finite(receipt, results, planned_.program, arguments_,
                            second ? &second->watched.records : nullptr, looks);
}

}  // namespace understudy::launcher
