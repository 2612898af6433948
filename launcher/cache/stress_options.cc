// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/stress_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/base/words.h"
#include "launcher/cache/stress.h"
#include "launcher/options/ranges.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {
namespace {

constexpr double kMilliseconds = 1e-3;

std::string fault_names() {
  std::vector<std::string> names;
  for (const cache::FaultKind& kind : cache::fault_kinds()) names.emplace_back(kind.name);
  return join_words(names);
}

void declare_times(CLI::App& app, StressOptions& options) {
  const auto number = [&](const char* name, double& value, const char* unit, const char* what) {
    app.add_option(name, value, what)->type_name(unit)->check(not_negative());
  };
  number("--compile-ms", options.compile_ms, "MS", "compile time of one program (100)");
  number("--fs-delay-ms", options.fs_delay_ms, "MS",
         "extra delay of each file operation, like a shared mount (1)");
  number("--patience", options.plan.patience_seconds, "SECONDS",
         "how long to wait for the compiling process (60)");
  number("--lock-timeout", options.plan.lock_timeout_seconds, "SECONDS",
         "how long to wait for a directory lock (10)");
  number("--for", options.plan.for_seconds, "SECONDS", "add rounds until this time has passed");
}

void declare_world(CLI::App& app, StressOptions& options) {
  app.add_option("--entry-bytes", options.plan.entry_bytes, "size of a compiled program (65536)")
      ->type_name("N")
      ->check(at_least(1));
  app.add_option("--max-bytes", options.plan.max_bytes,
                 "size limit of a cache folder; entries beyond it are evicted")
      ->type_name("N")
      ->check(at_least(0));
  app.add_option("--fault", options.plan.faults,
                 "inject a fault, NAME or NAME=VALUE; repeatable: " + fault_names())
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--scenario", options.scenarios, "run scenario C1 ... C25, or all; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
  app.add_option("--dir", options.directory, "folder of the caches (a temporary folder)")
      ->type_name("DIR");
  app.add_option("--seed", options.plan.seed, "seed of the random faults (1)")
      ->type_name("N")
      ->check(at_least(0));
  declare_hostfile(app, options.start.hostfile);
  declare_deadline(app, options.start.deadline);
  declare_workers(app, options.start.mpi_words, options.start.worker);
  app.add_option("--plot", options.plot, "write an SVG chart to FILE")->type_name("FILE");
  declare_receipt(app, options.receipt, options.no_receipt);
}

std::vector<configs::StressDiscipline> disciplines(const StressOptions& options) {
  std::vector<std::string> names = options.policies;
  if (options.compares) {
    std::string list = options.compared;
    if (list.empty()) list = "shared,per-process,per-host,single-writer,off";
    names = split(list, ',');
  }
  std::vector<configs::StressDiscipline> all;
  for (const std::string& name : names) {
    all.push_back(parse_discipline(name));
    // parse_discipline() leaves the lock empty if the policy needs one and none was named.
    if (!all.back().lock.empty()) continue;
    if (!options.lock.empty()) {
      all.back() = parse_discipline(discipline_name(name, options.lock));
    } else if (options.compares) {
      // A comparison without a named lock shows the policy under every lock.
      all.pop_back();
      for (const char* lock : {"none", "process", "directory", "exclusive-file"})
        all.push_back({name, lock});
    }
  }
  return all;
}

}  // namespace

void declare_stress(CLI::App& app, StressOptions& options) {
  const auto count = [&](const char* name, auto& value, const char* what) {
    app.add_option(name, value, what)->type_name("N")->check(at_least(1));
  };
  count("--processes", options.plan.processes, "number of processes that start together (8)");
  count("--hosts", options.plan.hosts, "number of emulated hosts (1)");
  count("--keys", options.plan.keys, "number of programs that each process needs (4)");
  count("--rounds", options.plan.rounds, "number of consecutive start-ups; the first is cold (1)");
  app.add_option("--policy", options.policies, "comma-separated cache policies (per-host)")
      ->type_name("NAME")
      ->delimiter(',');
  app.add_option("--lock", options.lock,
                 "lock of policy shared: none, exclusive-file, directory or process")
      ->type_name("NAME");
  app.add_option_function<std::string>(
         "--compare",
         [&options](const std::string& list) {
           options.compares = true;
           // CLI11 passes "true" for an option with an optional value that is absent.
           options.compared = list == "true" ? "" : list;
         },
         "compare several policies (without a list: all)")
      ->type_name("[NAME,...]")
      ->expected(0, 1);
  declare_times(app, options);
  declare_world(app, options);
  app.add_flag("--json", options.json, "print JSON (understudy/cache-stress/1)");
  app.add_flag("--dry-run", options.dry_run,
               "print the command and the plan without starting them");
}

void complete_plan(StressOptions& options) {
  options.plan.disciplines = disciplines(options);
  options.plan.compile_seconds = options.compile_ms * kMilliseconds;
  options.plan.file_delay_seconds = options.fs_delay_ms * kMilliseconds;
  if (options.plan.hosts > options.plan.processes)
    throw Error(ErrorKind::usage, fmt::format("--hosts {} exceeds the number of processes, {}",
                                              options.plan.hosts, options.plan.processes));
  for (const std::string& word : options.plan.faults) cache::add_fault(options.faults, word);
}

}  // namespace understudy::launcher
