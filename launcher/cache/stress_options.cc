// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/stress_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "launcher/cache/stress.h"
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
    app.add_option(name, value, what)->type_name(unit)->check(CLI::NonNegativeNumber);
  };
  number("--compile-ms", options.compile_ms, "MS", "how long a compile takes (100)");
  number("--fs-delay-ms", options.fs_delay_ms, "MS",
         "how long each file operation takes more, as on a mount that hosts share (1)");
  number("--patience", options.plan.patience_seconds, "SECONDS",
         "how long to wait for who compiles (60)");
  number("--lock-timeout", options.plan.lock_timeout_seconds, "SECONDS",
         "how long to wait for a directory lock (10)");
  number("--for", options.plan.for_seconds, "SECONDS", "more rounds, until so long");
}

void declare_world(CLI::App& app, StressOptions& options) {
  app.add_option("--entry-bytes", options.plan.entry_bytes, "size of a compiled program (65536)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-bytes", options.plan.max_bytes, "bound on a cache folder; then entries go")
      ->type_name("N");
  app.add_option("--fault", options.plan.faults,
                 "what goes wrong, NAME or NAME=VALUE; repeatable: " + fault_names())
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--scenario", options.scenarios, "re-enact C1 ... C25, or all; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
  app.add_option("--dir", options.directory, "where the caches lie (a temporary folder)")
      ->type_name("DIR");
  app.add_option("--seed", options.plan.seed, "of the random faults (1)")->type_name("N");
  app.add_option("--hostfile", options.start.hostfile, "machines, as mpirun takes them")
      ->type_name("FILE");
  declare_deadline(app, options.start.deadline);
  app.add_option("--mpi-arg", options.start.mpi_words, "one more word for mpirun; repeatable")
      ->type_name("ARG")
      ->allow_extra_args(false);
  app.add_option("--worker", options.start.worker, "the worker binary, also on other machines")
      ->type_name("PATH");
  app.add_option("--plot", options.plot, "where the picture goes (SVG)")->type_name("FILE");
  declare_receipt(app, options.receipt, options.no_receipt);
}

std::vector<configs::StressDiscipline> disciplines(const StressOptions& options) {
  std::vector<std::string> names = options.policies;
  if (options.compares) {
    names.clear();
    std::string list = options.compared;
    if (list.empty()) list = "shared,per-process,per-host,single-writer,off";
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      names.push_back(list.substr(at, end - at));
      at = end + 1;
    }
  }
  std::vector<configs::StressDiscipline> all;
  for (const std::string& name : names) {
    all.push_back(parse_discipline(name));
    // Of a policy whose lock is open: what parse_discipline() leaves empty.
    if (!all.back().lock.empty()) continue;
    if (!options.lock.empty()) {
      all.back() = parse_discipline(discipline_name(name, options.lock));
    } else if (options.compares) {
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
    app.add_option(name, value, what)->type_name("N")->check(CLI::PositiveNumber);
  };
  count("--processes", options.plan.processes, "processes that start at once (8)");
  count("--hosts", options.plan.hosts, "emulated hosts that they lie on (1)");
  count("--keys", options.plan.keys, "programs that each of them needs (4)");
  count("--rounds", options.plan.rounds, "start-ups one after the other; the first is cold (1)");
  app.add_option("--policy", options.policies, "cache policies, separated by commas (per-host)")
      ->type_name("NAME")
      ->delimiter(',');
  app.add_option("--lock", options.lock,
                 "of policy shared: none, exclusive-file, directory, "
                 "process")
      ->type_name("NAME");
  app.add_option_function<std::string>(
         "--compare",
         [&options](const std::string& list) {
           options.compares = true;
           options.compared = list == "true" ? "" : list;
         },
         "several policies side by side; without a list: all")
      ->type_name("[NAME,...]")
      ->expected(0, 1);
  declare_times(app, options);
  declare_world(app, options);
  app.add_flag("--json", options.json, "print JSON (understudy/cache-stress/1)");
  app.add_flag("--dry-run", options.dry_run, "print what would be started, and stop");
}

void complete_plan(StressOptions& options) {
  options.plan.disciplines = disciplines(options);
  options.plan.compile_seconds = options.compile_ms * kMilliseconds;
  options.plan.file_delay_seconds = options.fs_delay_ms * kMilliseconds;
  if (options.plan.hosts > options.plan.processes)
    throw Error(ErrorKind::usage, fmt::format("--hosts {}: there are only {} processes",
                                              options.plan.hosts, options.plan.processes));
  for (const std::string& word : options.plan.faults) cache::add_fault(options.faults, word);
}

}  // namespace understudy::launcher
