// SPDX-License-Identifier: Apache-2.0
#include "launcher/options/run_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "configs/launch/fault.h"
#include "launcher/options/ranges.h"

namespace understudy::launcher {
namespace {

std::string cache_policy_help(std::string_view preset) {
  std::vector<std::string> names;
  for (const CachePolicyRow& policy : cache_policies())
    names.push_back(std::string(policy.name) + (policy.name == preset ? " (default)" : ""));
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("cache policy: {} or {}", fmt::join(names, ", "), last);
}

// Makes an option a shorthand for --set KEY=VALUE; the receipt records the option as the source.
// So that each value has one way into the run: through the resolved profile, which settle_profile()
// copies back into the options.
auto sets_profile_value(RunOptions& options, const char* key, const char* name) {
  return [&options, key, name](const std::string& value) {
    options.profile.asked.push_back({key, value, name});
  };
}

// Type names such as "DIR" replace CLI11's "TEXT" in the help. allow_extra_args(false) keeps a
// repeatable option from swallowing the next positional argument.
void declare_arguments(CLI::App& app, RunOptions& options) {
  app.add_option(
         "--args", options.args,
         "arguments as global arrays: a folder with arg0.npy, arg1.npy, ..., or an .npz file")
      ->type_name("DIR");
  app.add_option("--arg", options.arg_words, "read argument I from a file; repeatable")
      ->type_name("I=FILE")
      ->allow_extra_args(false);
  app.add_flag("--per-replica", options.per_replica,
               "the leading axis of each argument file is the replica");
  app.add_option("--shape", options.shape_words,
                 "shape of argument I, if the program leaves it open (0=8x128); repeatable")
      ->type_name("I=SIZES")
      ->allow_extra_args(false);
  app.add_option("--platforms", options.platforms,
                 "platforms of a program exported for several (cpu,tpu); its tpu branch runs")
      ->type_name("LIST");
  app.add_option("--fill", options.fill,
                 "values of all other arguments: random:SEED, zeros or ones")
      ->type_name("HOW");
}

void declare_comparison(CLI::App& app, RunOptions& options) {
  app.add_option("--out", options.out, "write the results to DIR/out0.npy, DIR/out1.npy, ...")
      ->type_name("DIR");
  app.add_option("--expect", options.expect,
                 "compare the results with DIR/out0.npy, DIR/out1.npy, ...")
      ->type_name("DIR");
  app.add_option("--rtol", options.rtol, "tolerance relative to the expected value")
      ->type_name("X")
      ->check(not_negative());
  app.add_option("--atol", options.atol, "absolute tolerance")
      ->type_name("X")
      ->check(not_negative());
}

void declare_numerics(CLI::App& app, RunOptions& options) {
  app.add_option("--numerics", options.numerics, "precision of f32 products: tpu (default) or ieee")
      ->type_name("MODE")
      ->check(CLI::IsMember({"tpu", "ieee"}))
      ->each(sets_profile_value(options, "launch.numerics", "--numerics"));
  app.add_option(
         "--collectives", options.collectives,
         "algorithm: auto (default), direct, ring, torus, mpi; docs/collectives.md lists all")
      ->type_name("NAME")
      ->each(sets_profile_value(options, "launch.collectives", "--collectives"));
  declare_deadline(app, options.deadline);
  app.add_flag("--reproducible", options.reproducible,
               "make every collective algorithm reduce in group order, bit for bit");
  app.add_option("--timeout", options.timeout_seconds,
                 "report a peer as lost after this time without progress (60)")
      ->type_name("SECONDS")
      ->check(more_than_zero())
      ->each(sets_profile_value(options, "launch.timeout_seconds", "--timeout"));
}

void declare_mode(CLI::App& app, RunOptions& options) {
  app.add_option("--replicas", options.replicas,
                 "number of replicas, if the program does not specify it")
      ->type_name("N")
      ->check(at_least(1));
  declare_numerics(app, options);
}

void declare_steps(CLI::App& app, RunOptions& options) {
  app.add_option("--steps", options.steps, "number of steps; each runs the program once")
      ->type_name("N")
      ->check(at_least(1));
}

void declare_guard(CLI::App& app, RunOptions& options) {
  app.add_option("--shape-guard", options.shape_guard,
                 "a program or shape that first appears after step 0 is refused (strict, default) "
                 "or compiled and counted (lenient)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"strict", "lenient"}))
      ->each(sets_profile_value(options, "shape.guard", "--shape-guard"));
}

void declare_cache(CLI::App& app, RunOptions& options) {
  app.add_option("--cache-dir", options.cache_dir, "folder of the compile cache")->type_name("DIR");
  app.add_option("--cache-policy", options.cache_policy, cache_policy_help(options.cache_policy))
      ->type_name("NAME")
      ->each(sets_profile_value(options, "cache.policy", "--cache-policy"));
  app.add_option("--cache-lock", options.cache_lock,
                 "lock of policy shared: none, exclusive-file, directory or process")
      ->type_name("NAME")
      ->each(sets_profile_value(options, "cache.lock", "--cache-lock"));
  app.add_option("--cache-max-bytes", options.cache_max_bytes,
                 "size limit of a cache folder in bytes; evicts by last use")
      ->type_name("N")
      ->check(at_least(0))
      ->each(sets_profile_value(options, "cache.max_bytes", "--cache-max-bytes"));
}

void declare_step_sequence(CLI::App& app, RunOptions& options) {
  declare_steps(app, options);
  app.add_option("--per-step", options.per_step,
                 "the leading axis of the file of argument I is the step; repeatable")
      ->type_name("I")
      ->check(at_least(0))
      ->allow_extra_args(false);
  app.add_option("--step-program", options.step_words,
                 "run another program in these steps, like a framework that retraces "
                 "(5=b.mlir, 1-19=b.mlir); repeatable")
      ->type_name("STEPS=FILE")
      ->allow_extra_args(false);
  declare_guard(app, options);
  app.add_option("--carry", options.carry_words,
                 "pass result R as argument A of the next step; repeatable")
      ->type_name("R:A")
      ->allow_extra_args(false);
  declare_cache(app, options);
}

void declare_faults(CLI::App& app, RunOptions& options) {
  app.add_option("--fault", options.fault_words,
                 fmt::format("inject a fault ({}, ...); repeatable, see docs/faults.md",
                             configs::fault_forms().front().example))
      ->type_name("SPEC")
      ->allow_extra_args(false);
}

void declare_deviations(CLI::App& app, RunOptions& options) {
  app.add_option("--program", options.program_words,
                 "run another program on these ranks (3=b.mlir, 0,4-6=b.mlir); repeatable")
      ->type_name("RANKS=FILE")
      ->allow_extra_args(false);
  declare_faults(app, options);
}

void declare_place(CLI::App& app, RunOptions& options) {
  declare_receipt(app, options.receipt, options.no_receipt);
  declare_hostfile(app, options.hostfile);
  app.add_option("--setup-script", options.setup_script,
                 "script that set up this environment; its SHA-256 is recorded")
      ->type_name("FILE");
}

void declare_start(CLI::App& app, RunOptions& options) {
  declare_place(app, options);
  app.add_flag("--json", options.json, "print JSON (understudy/run/2)");
  app.add_flag(
      "--debug-poison", options.compiler.poison,
      "fill buffers with NaN before their first and after their last use, so that errors of "
      "their lifetimes change results");
  app.add_flag("--nan-check", options.nan_check,
               "fail if a result has NaN or infinities that are not expected (exit code 1)");
  app.add_flag("--metrics-report", options.metrics_report,
               "print metrics and counters in the format of torch_xla");
  auto* const dry_run = app.add_flag("--dry-run", options.dry_run,
                                     "print the command and the plan without starting them");
  app.add_option("--as", options.job_kind,
                 "with --dry-run: print a batch job instead, slurm (script) or mpijob (Kubernetes)")
      ->type_name("KIND")
      ->needs(dry_run);
}

}  // namespace

void declare_deadline(CLI::App& app, std::optional<RunDeadline>& deadline) {
  app.add_option_function<double>(
         "--deadline",
         [&deadline](const double& seconds) {
           // The deadline starts when the option is parsed, so it includes the time of planning.
           constexpr double kLongest = 1e9;  // beyond this a time point would overflow
           deadline = RunDeadline{seconds, Deadline::after(Seconds(std::min(seconds, kLongest)))};
         },
         "time limit of the whole command, then exit code 4 (no limit)")
      ->type_name("SECONDS")
      ->check(more_than_zero());
}

void declare_workers(CLI::App& app, std::vector<std::string>& mpi_words, std::string& worker) {
  app.add_option("--mpi-arg", mpi_words, "extra argument for mpirun; repeatable")
      ->type_name("ARG")
      ->allow_extra_args(false);
  app.add_option("--worker", worker, "path of the worker binary, on all machines")
      ->type_name("PATH");
}

void declare_hostfile(CLI::App& app, std::string& hostfile) {
  app.add_option("--hostfile", hostfile, "machines to use, in mpirun's hostfile format")
      ->type_name("FILE");
}

void declare_run(CLI::App& app, RunOptions& options) {
  app.add_option(
         "PROGRAM", options.program,
         "a StableHLO or HLO file, or a folder with manifest.json; or -- and a command that is "
         "started on every host, such as python train.py")
      ->type_name("");
  declare_slice(app, options.slice);
  app.get_option("--slice")->description(
      "slice name, such as v6e-8; 2xv6e-8 means two of them, joined by DCN");
  declare_profile(app, options.profile);
  declare_arguments(app, options);
  declare_comparison(app, options);
  declare_mode(app, options);
  app.add_option("--device-order", options.device_order,
                 "rank of each process, for a mesh over a permutation of the chips (3,1,0,2)")
      ->type_name("RANKS");
  declare_step_sequence(app, options);
  declare_compiler(app, options.compiler);
  declare_deviations(app, options);
  declare_workers(app, options.mpi_words, options.worker);
  app.add_option("--launch-timeout", options.launch_timeout_seconds,
                 "how long a host process may lag behind a launch that others have made (300)")
      ->type_name("SECONDS")
      ->check(more_than_zero());
  declare_start(app, options);
}

void declare_receipt(CLI::App& app, std::string& receipt, bool& no_receipt) {
  auto* const file =
      app.add_option("--receipt", receipt, "write the receipt to FILE")->type_name("FILE");
  app.add_flag("--no-receipt", no_receipt, "write no receipt");
  // Not CLI11's excludes(): it would repeat the exclusion in the help of both options.
  app.final_callback([file, &no_receipt] {
    if (no_receipt && file->count() > 0)
      throw CLI::ValidationError("--no-receipt", "cannot be combined with --receipt");
  });
}

// A rehearsal takes its programs and arguments from the ladder, so it has no options for them.
void declare_rehearsal(CLI::App& app, RunOptions& options) {
  declare_slice(app, options.slice);
  declare_profile(app, options.profile);
  declare_numerics(app, options);
  declare_steps(app, options);
  declare_guard(app, options);
  declare_cache(app, options);
  declare_faults(app, options);
  declare_workers(app, options.mpi_words, options.worker);
  declare_place(app, options);
}

void declare_probe(CLI::App& app, RunOptions& options) {
  app.add_option("PROGRAM", options.program, "a .mlir file, or a folder with manifest.json")
      ->type_name("");
  declare_slice(app, options.slice);
  declare_profile(app, options.profile);
  declare_arguments(app, options);
  declare_mode(app, options);
  declare_workers(app, options.mpi_words, options.worker);
}

}  // namespace understudy::launcher
