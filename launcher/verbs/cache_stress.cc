// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/compile_cache.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/suggest.h"
#include "configs/base/version.h"
#include "configs/receipt.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/cache/plot.h"
#include "launcher/cache/scenarios.h"
#include "launcher/cache/stress.h"
#include "launcher/console.h"
#include "launcher/environment.h"
#include "launcher/launch.h"
#include "launcher/receipt_file.h"
#include "launcher/run_folder.h"
#include "launcher/subprocess.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

constexpr double kMilliseconds = 1e-3;
constexpr int kSignalled = 128;
constexpr mode_t kAnybodyEnters = 0755;

struct Interrupted {
  int number;
};

struct Words {
  std::vector<std::string> policies{"per-host"}, faults, scenarios;
  std::string lock, compare, directory, plot, receipt;
  double compile_ms = 100, fs_delay_ms = 1, patience = 60, lock_timeout = 10, for_seconds = 0;
  bool json = false, dry_run = false;
};

std::string fault_names() {
  std::vector<std::string> names;
  for (const FaultKind& kind : fault_kinds()) names.emplace_back(kind.name);
  return join_words(names);
}

class CacheStress final : public Command {
 public:
  void declare(CLI::App& app) override {
    const auto count = [&](const char* name, auto& value, const char* what) {
      app.add_option(name, value, what)->type_name("N")->check(CLI::PositiveNumber);
    };
    count("--processes", setup_.processes, "processes that start at once (8)");
    count("--hosts", setup_.hosts, "emulated hosts that they lie on (1)");
    count("--keys", setup_.keys, "programs that each of them needs (4)");
    count("--rounds", setup_.rounds, "start-ups one after the other; the first is cold (1)");
    app.add_option("--policy", words_.policies, "cache policies, separated by commas (per-host)")
        ->type_name("NAME")
        ->delimiter(',');
    app.add_option("--lock", words_.lock,
                   "of policy shared: none, exclusive-file, directory, "
                   "process")
        ->type_name("NAME");
    compare_ = app.add_option("--compare", words_.compare,
                              "several policies side by side; without a list: all")
                   ->type_name("[NAME,...]")
                   ->expected(0, 1);
    declare_times(app);
    declare_world(app);
    app.add_flag("--json", words_.json, "print JSON (understudy/cache-stress/1)");
    app.add_flag("--dry-run", words_.dry_run, "print what would be started, and stop");
  }

  int run(const Console& console, const Environment& environment) override {
    try {
      if (!words_.scenarios.empty()) return run_scenarios(console, environment);
      return run_policies(console, environment);
    } catch (const Interrupted& interrupted) {
      console.failure("understudy: error: interrupted");
      return kSignalled + interrupted.number;
    }
  }

 private:
  void declare_times(CLI::App& app) {
    const auto number = [&](const char* name, double& value, const char* unit, const char* what) {
      app.add_option(name, value, what)->type_name(unit)->check(CLI::NonNegativeNumber);
    };
    number("--compile-ms", words_.compile_ms, "MS", "how long a compile takes (100)");
    number("--fs-delay-ms", words_.fs_delay_ms, "MS",
           "how long each file operation takes more, as on a mount that hosts share (1)");
    number("--patience", words_.patience, "SECONDS", "how long to wait for who compiles (60)");
    number("--lock-timeout", words_.lock_timeout, "SECONDS",
           "how long to wait for a directory lock (10)");
    number("--for", words_.for_seconds, "SECONDS", "more rounds, until so long");
  }

  void declare_world(CLI::App& app) {
    app.add_option("--entry-bytes", setup_.entry_bytes, "size of a compiled program (65536)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--max-bytes", setup_.max_bytes, "bound on a cache folder; then entries go")
        ->type_name("N");
    app.add_option("--fault", words_.faults,
                   "what goes wrong, NAME or NAME=VALUE; repeatable: " + fault_names())
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_option("--scenario", words_.scenarios, "re-enact C1 ... C25, or all; repeatable")
        ->type_name("ID")
        ->allow_extra_args(false);
    app.add_option("--dir", words_.directory, "where the caches lie (a temporary folder)")
        ->type_name("DIR");
    app.add_option("--seed", setup_.seed, "of the random faults (1)")->type_name("N");
    app.add_option("--plot", words_.plot, "where the picture goes (SVG)")->type_name("FILE");
    app.add_option("--receipt", words_.receipt, "where the receipt goes")->type_name("FILE");
  }

  std::vector<Discipline> disciplines() const {
    std::vector<std::string> names = words_.policies;
    if (compares()) {
      names.clear();
      std::string list = words_.compare == "true" ? "" : words_.compare;
      if (list.empty()) list = "shared,per-process,per-host,single-writer,off";
      for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        names.push_back(list.substr(at, end - at));
        at = end + 1;
      }
    }
    std::vector<Discipline> all;
    for (const std::string& name : names) {
      const bool open = name == "shared" && words_.lock.empty() && compares();
      if (open) {
        for (const char* lock : {"none", "process", "directory", "exclusive-file"})
          all.push_back({name, lock});
        continue;
      }
      all.push_back(parse_discipline(name));
      if (name == "shared" && !words_.lock.empty())
        all.back() = parse_discipline("shared:" + words_.lock);
    }
    return all;
  }

  bool compares() const { return compare_->count() > 0; }

  void complete_setup() {
    setup_.compile = Seconds(words_.compile_ms * kMilliseconds);
    setup_.file_delay = Seconds(words_.fs_delay_ms * kMilliseconds);
    setup_.patience = Seconds(words_.patience);
    setup_.lock_timeout = Seconds(words_.lock_timeout);
    setup_.for_at_least = Seconds(words_.for_seconds);
    if (setup_.hosts > setup_.processes)
      throw Error(ErrorKind::usage, fmt::format("--hosts {}: there are only {} processes",
                                                setup_.hosts, setup_.processes));
    for (const std::string& word : words_.faults) add_fault(setup_.faults, word);
  }

  int run_policies(const Console& console, const Environment& environment) {
    complete_setup();
    const std::vector<Discipline> all = disciplines();
    if (words_.dry_run) return show(console, all);
    SignalQueue signals;
    setup_.while_running = [&] {
      const std::optional<int> signal = signals.next(Seconds(0));
      if (signal && *signal != SIGCHLD) throw Interrupted{*signal};
    };
    const RunFolder folder(words_.directory.empty() ? environment.temporary : words_.directory);
    if (::geteuid() == 0) ::chmod(folder.path().c_str(), kAnybodyEnters);
    const Clock::time_point begin = Clock::now();
    configs::Receipt receipt;
    receipt.run_id = make_run_id(folder);
    receipt.started_at = utc_now();
    configs::CacheStress stress = measure(console, folder, all);
    stress.wall_seconds = receipt.wall_seconds = Seconds(Clock::now() - begin).count();
    receipt.exit_code = exit_code(stress);
    leave(environment, stress, receipt);
    tell(console, stress);
    return static_cast<int>(receipt.exit_code);
  }

  int show(const Console& console, const std::vector<Discipline>& all) const {
    for (const Discipline& one : all)
      console.result(
          fmt::format("{}{}{}: {} processes on {} hosts, {} programs of {} each, {} rounds",
                      one.policy, one.policy == "shared" && !one.lock.empty() ? ":" : "",
                      one.policy == "shared" ? one.lock : "", setup_.processes, setup_.hosts,
                      setup_.keys, seconds_text(setup_.compile.count()), setup_.rounds));
    return 0;
  }

  configs::CacheStress measure(const Console& console, const RunFolder& folder,
                               const std::vector<Discipline>& all) {
    configs::CacheStress stress;
    stress.faults = setup_.faults.words;
    stress.compile_seconds = setup_.compile.count();
    stress.file_system_delay_seconds = setup_.file_delay.count();
    stress.entry_bytes = setup_.entry_bytes;
    for (const Discipline& discipline : all) {
      setup_.directory = fmt::format("{}/{}", folder.path(), stress.policies.size());
      std::filesystem::create_directories(setup_.directory);
      if (console.err_terminal)
        console.remark(fmt::format("{} ({}) ...", discipline.policy, discipline.lock));
      stress.policies.push_back(run_stress(setup_, discipline));
    }
    return stress;
  }

  // What is unsafe by design may be unsafe; anything else has failed a check.
  static int exit_code(const configs::CacheStress& stress) {
    const bool failed = std::ranges::any_of(stress.policies, [](const auto& one) {
      return !one.safe && (one.policy != "shared" || one.lock == "exclusive-file");
    });
    return failed ? exit_code_of(ErrorKind::check) : 0;
  }

  void leave(const Environment& environment, configs::CacheStress& stress,
             configs::Receipt& receipt) const {
    receipt.verdict = receipt.exit_code == 0 ? "passed" : "failed";
    if (receipt.exit_code != 0) {
      configs::ReceiptFailure failure;
      failure.kind = name_of(ErrorKind::check);
      failure.phase = "cache stress";
      failure.message = "a policy that is safe by design was not";
      receipt.failure = std::move(failure);
    }
    receipt.versions.understudy = version();
    receipt.versions.revision = revision();
    receipt.faults = stress.faults;
    receipt.cache_stress = stress.policies;
    stress.receipt = write_receipt(environment, words_.receipt, receipt);
    std::string plot = words_.plot;
    if (plot.empty() && stress.policies.size() > 1)
      plot = std::filesystem::path(*stress.receipt).replace_extension(".svg");
    if (plot.empty()) return;
    write_file_atomically(plot, std::string_view(stress_svg(stress)));
    stress.plot = plot;
  }

  void tell(const Console& console, const configs::CacheStress& stress) const {
    std::string text = words_.json ? to_json(stress) : comparison_text(stress);
    while (text.ends_with('\n')) text.pop_back();
    console.result(text);
    (void)std::fflush(console.out);
    if (stress.plot) console.remark("plot: " + *stress.plot);
    console.remark("receipt: " + *stress.receipt);
  }

  int run_scenarios(const Console& console, const Environment& environment) {
    const RunFolder folder(words_.directory.empty() ? environment.temporary : words_.directory);
    if (::geteuid() == 0) ::chmod(folder.path().c_str(), kAnybodyEnters);
    std::vector<configs::ScenarioResult> results;
    for (const Scenario* scenario : scenarios_named(words_.scenarios)) {
      results.push_back(play(*scenario, folder.path() + "/" + std::string(scenario->id)));
      if (!words_.json) console.result(scenario_text(results.back()));
    }
    if (words_.json) {
      std::string text = to_json(results);
      while (text.ends_with('\n')) text.pop_back();
      console.result(text);
    }
    const bool all = std::ranges::all_of(results, [](const configs::ScenarioResult& one) {
      return one.unsafe.as_expected && one.safe.as_expected;
    });
    return all ? 0 : exit_code_of(ErrorKind::check);
  }

  StressSetup setup_;
  Words words_;
  CLI::Option* compare_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_cache_stress() { return std::make_unique<CacheStress>(); }

}  // namespace understudy::launcher
