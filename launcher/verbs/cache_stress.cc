// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/version.h"
#include "configs/receipt/receipt.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/cache/plot.h"
#include "launcher/cache/scenarios.h"
#include "launcher/cache/small_disk.h"
#include "launcher/cache/stress.h"
#include "launcher/cache/stress_options.h"
#include "launcher/pod/guardian.h"
#include "launcher/pod/launch.h"
#include "launcher/pod/mpirun_command.h"
#include "launcher/pod/run_folder.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "launcher/run/probe_outputs.h"
#include "launcher/run/receipt/receipt_file.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// mkdtemp() makes folders that only their owner may enter.
constexpr mode_t kAnybodyEnters = 0755;

// Thrown out of the polling callback of run_stress(), which has no other way to end early. It never
// leaves this file, so it is no Error.
struct StressInterrupted {
  int number;
};

class CacheStress final : public Command {
 public:
  void declare(CLI::App& app) override { declare_stress(app, options_); }

  int run(const Console& console, const Environment& environment) override {
    if (!options_.scenarios.empty() && options_.dry_run)
      throw Error(ErrorKind::usage,
                  "--dry-run cannot be combined with --scenario, which starts no ranks");
    try {
      if (!options_.scenarios.empty()) return run_scenarios(console, environment);
      return run_policies(console, environment);
    } catch (const StressInterrupted& interrupted) {
      console.failure("understudy: error: interrupted");
      return kSignalled + interrupted.number;
    }
  }

 private:
  // Prepares folders and faults, runs all policies in one mpirun, then writes receipt and chart.
  int run_policies(const Console& console, const Environment& environment) {
    complete_plan(options_);
    if (!options_.dry_run) {
      // Before the measurement: an unwritable path must not cost the user minutes of stress.
      if (!options_.no_receipt) probe_file("--receipt", options_.receipt);
      probe_file("--plot", options_.plot);
    }
    // Before any folder exists: from here a signal is noticed only by the polling below, and all
    // destructors run.
    SignalQueue signals;
    RunFolder folder(environment.temporary);
    // Open MPI puts UNIX sockets into the run folder, whose paths must be short. --dir moves only
    // the caches.
    std::optional<RunFolder> elsewhere;
    if (!options_.directory.empty()) elsewhere.emplace(options_.directory);
    const RunFolder& caches = elsewhere ? *elsewhere : folder;
    // Fault "permission" runs processes as another user, who must be able to enter the folder.
    if (::geteuid() == 0) ::chmod(caches.path().c_str(), kAnybodyEnters);
    options_.plan.directory = caches.path() + "/caches";
    std::filesystem::create_directory(options_.plan.directory);
    std::optional<SmallDisk> disk;
    if (options_.faults.fills && !options_.dry_run) fill_disk(console, disk);
    for (configs::StressDiscipline& one : options_.plan.disciplines)
      complete(one, options_.plan.directory);
    const StressStart start = stress_start(options_.plan, options_.start, environment, folder);
    if (options_.dry_run) return show(console, start.words);
    const Clock::time_point begin = Clock::now();
    configs::Receipt receipt;
    receipt.run_id = make_run_id(folder);
    receipt.started_at = utc_now();
    configs::CacheStress stress = measure(console, start, folder, signals);
    stress.wall_seconds = receipt.wall_seconds = seconds_since(begin);
    receipt.exit_code = exit_code(stress);
    const int code = leave(console, environment, stress, receipt);
    settle_exit_code(code);
    tell(console, stress);
    return code;
  }

  // Mounts a small real file system. Where that is not possible, and on other machines, the cache's
  // file layer simulates ENOSPC.
  // `needed`: bytes of all entries; the fault decides how many of them fit.
  void fill_disk(const Console& console, std::optional<SmallDisk>& disk) {
    const auto needed = static_cast<std::uint64_t>(options_.plan.keys) * options_.plan.entry_bytes;
    std::string trouble = "a --hostfile run uses the disks of other machines";
    if (options_.start.hostfile.empty())
      trouble =
          disk.emplace(options_.plan.directory, options_.faults.capacity_for(needed)).trouble();
    // Workers read this flag: only on a simulated disk do they return ENOSPC themselves.
    options_.plan.on_small_disk = trouble.empty();
    if (!trouble.empty())
      console.remark(
          "note: the full disk is simulated, because no small file system could be mounted: " +
          trouble);
  }

  int show(const Console& console, const std::vector<std::string>& command) const {
    if (options_.json) {
      console.document(to_json(options_.plan));
      return 0;
    }
    for (const configs::StressDiscipline& one : options_.plan.disciplines) {
      console.result(fmt::format(
          "{}: {} processes on {} hosts, {} programs of {} each, {} rounds",
          discipline_name(one.policy, one.lock), options_.plan.processes, options_.plan.hosts,
          options_.plan.keys, seconds_text(options_.plan.compile_seconds), options_.plan.rounds));
    }
    console.result(shell_text(command));
    return 0;
  }

  configs::CacheStress measure(const Console& console, const StressStart& start,
                               const RunFolder& folder, SignalQueue& signals) {
    configs::CacheStress stress;
    stress.faults = options_.plan.faults;
    stress.compile_seconds = options_.plan.compile_seconds;
    stress.file_system_delay_seconds = options_.plan.file_delay_seconds;
    stress.entry_bytes = options_.plan.entry_bytes;
    if (console.err_terminal)
      console.remark(
          fmt::format("starting {} supervisors through mpirun ...", options_.plan.processes));
    stress.policies = run_stress(options_.plan, start, folder, [&] {
      if (const std::optional<int> signal = signals.stop_signal()) throw StressInterrupted{*signal};
      const std::optional<RunDeadline>& deadline = options_.start.deadline;
      if (deadline && deadline->end.passed())
        throw Error(ErrorKind::timeout,
                    fmt::format("the deadline of {:g} s passed before the experiment ended",
                                deadline->seconds));
    });
    return stress;
  }

  // A shared cache without an exclusive file lock is unsafe by design, so finding it unsafe is the
  // expected result. Every other policy must be safe.
  // See cache_policies(): `takes_lock` marks the shared policies.
  static int exit_code(const configs::CacheStress& stress) {
    const bool failed = std::ranges::any_of(stress.policies, [](const auto& one) {
      return !one.safe &&
             (!cache_policy_named(one.policy).takes_lock || one.lock == "exclusive-file");
    });
    return failed ? exit_code_of(ErrorKind::check) : 0;
  }

  // Returns the exit code.
  int leave(const Console& console, const Environment& environment, configs::CacheStress& stress,
            configs::Receipt& receipt) const {
    receipt.verdict = receipt.exit_code == 0 ? "passed" : "failed";
    if (receipt.exit_code != 0) {
      configs::ReceiptFailure failure;
      failure.kind = configs::FailureKind::check;
      failure.phase = "cache stress";
      failure.message = "a policy that is safe by design was found unsafe";
      receipt.failures = {std::move(failure)};
    }
    receipt.versions.revision = revision();
    receipt.faults = stress.faults;
    receipt.cache_stress = stress.policies;
    int code = static_cast<int>(receipt.exit_code);
    if (!options_.no_receipt) {
      const StoredReceipt stored = store_receipt(environment, options_.receipt, receipt);
      if (stored.error) console.failure(stored.told);
      if (!stored.error) stress.receipt = stored.path;
      code = exit_code_with(stored, code);
    }
    std::string plot = options_.plot;
    // A comparison of several policies gets a chart beside its receipt even without --plot.
    if (plot.empty() && stress.policies.size() > 1 && stress.receipt)
      plot = std::filesystem::path(*stress.receipt).replace_extension(".svg");
    if (plot.empty()) return code;
    write_file_atomically(plot, std::string_view(stress_svg(stress)));
    stress.plot = plot;
    return code;
  }

  void tell(const Console& console, const configs::CacheStress& stress) const {
    if (options_.json)
      console.document(to_json(stress));
    else if (!console.quiet() || exit_code(stress) != 0)
      console.document(comparison_text(stress));
    if (stress.plot) console.remark("plot: " + *stress.plot);
    if (stress.receipt) console.remark("receipt: " + *stress.receipt);
  }

  int run_scenarios(const Console& console, const Environment& environment) {
    const RunFolder folder(options_.directory.empty() ? environment.temporary : options_.directory);
    // As in run_policies(): a scenario may act as another user.
    if (::geteuid() == 0) ::chmod(folder.path().c_str(), kAnybodyEnters);
    std::vector<configs::ScenarioResult> results;
    for (const Scenario* scenario : scenarios_named(options_.scenarios)) {
      results.push_back(play(*scenario, folder.path() + "/" + std::string(scenario->id)));
      const bool as_expected = results.back().unsafe.as_expected && results.back().safe.as_expected;
      if (!options_.json && (!console.quiet() || !as_expected))
        console.result(scenario_text(results.back()));
      // A closed pipe (`... | head`) makes further scenarios useless.
      if (console.reader_left()) return 0;  // finish_output() sets the exit code
    }
    if (options_.json) {
      std::string text = to_json(results);
      while (text.ends_with('\n')) text.pop_back();
      console.result(text);
    }
    const bool all = std::ranges::all_of(results, [](const configs::ScenarioResult& one) {
      return one.unsafe.as_expected && one.safe.as_expected;
    });
    return all ? 0 : exit_code_of(ErrorKind::check);
  }

  StressOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_cache_stress() { return std::make_unique<CacheStress>(); }

}  // namespace understudy::launcher
