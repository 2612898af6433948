// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/plan_run.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "cache/folder.h"
#include "cache/policy.h"
#include "cache/self_test.h"
#include "configs/base/cache_policy.h"
#include "configs/base/diagnosis_id.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/mesh_layout.h"
#include "launcher/pod/run_folder.h"
#include "launcher/process/environment.h"
#include "launcher/run/capacity.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using program::Interface;
using program::Parameter;

constexpr const char* kDefaultChip = "v6e";
constexpr const char* kDeviceOrder = "--device-order";

std::string count_text(std::int64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

void check_carry(const std::pair<std::int64_t, std::int64_t>& carry, const Interface& interface) {
  const auto [result, argument] = carry;
  const auto refuse = [result = result, argument = argument](const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("--carry {}:{}: {}", result, argument, why));
  };
  if (result >= static_cast<std::int64_t>(interface.results.size()))
    refuse(fmt::format("the program has {}",
                       count_text(static_cast<std::int64_t>(interface.results.size()), "result")));
  if (argument >= static_cast<std::int64_t>(interface.arguments.size()))
    refuse(
        fmt::format("the program has {}",
                    count_text(static_cast<std::int64_t>(interface.arguments.size()), "argument")));
  const Parameter& from = interface.results[static_cast<std::size_t>(result)];
  const Parameter& to = interface.arguments[static_cast<std::size_t>(argument)];
  if (from.global != to.global)
    refuse(fmt::format("result {} is {}, but argument {} is {}", result, type_text(from.global),
                       argument, type_text(to.global)));
  if (from.sharding.tile_of != to.sharding.tile_of || from.local != to.local)
    refuse("the result and the argument have different shardings");
}

// A folder that another user made unreadable or unwritable is no error: the workers run without the
// cache and warn once.
std::string usable_cache_folder(const RunOptions& options, const Environment& environment) {
  std::error_code code;
  const std::string folder = cache_folder(options, environment.cache_home);
  const std::string path = fs::absolute(folder, code).string();
  if (!cache_policy_named(options.cache_policy).keeps_entries()) return path;
  const auto refuse = [](Error error) {
    error.diagnosed(name_of(DiagnosisId::cache_not_writable));
    return error.note("choose another folder with --cache-dir, or use --cache-policy off");
  };
  try {
    cache::check_folder(path, path + "/shared");
  } catch (const Error& error) {
    throw refuse(Error(error.kind(), error.message()));
  }
  if (cache::write_refusal(path) != EACCES) {
    try {
      cache::machine_files().make_directories(path);
    } catch (const Error& error) {
      throw refuse(Error(error.kind(), error.message()));
    }
    // Opening the folder detects other problems, such as a path that is a file.
    fs::directory_iterator(path, code);
  }
  if (!code || code == std::errc::permission_denied) return path;
  throw refuse(Error(ErrorKind::system,
                     fmt::format("cannot use the cache directory {}: {}", path, code.message())));
}

// The lock of policy shared: the requested one, else one that passes the self-test in the folder.
std::string cache_lock(const RunOptions& options, const std::string& folder) {
  if (!options.cache_lock.empty()) return std::string(name_of(lock_kind_named(options.cache_lock)));
  if (!cache_policy_named(options.cache_policy).takes_lock)
    return std::string(name_of(LockKind::exclusive_file));
  // Without write permission the self-test cannot run and no lock is needed.
  if (cache::write_refusal(folder + "/shared") == EACCES)
    return std::string(name_of(LockKind::exclusive_file));
  return std::string(name_of(cache::lock_for(cache::test_exclusion(folder + "/shared"))));
}

// Process p runs on the chip of rank order[p]. The plan's arrays are those of ranks.
void put_in_order(configs::RunPlan& plan, const RunOptions& options) {
  plan.device_order = configs::parse_device_order(options.device_order, kDeviceOrder);
  if (plan.device_order.empty()) return;
  if (!configs::is_device_order(plan.device_order, plan.chips))
    throw Error(ErrorKind::usage,
                fmt::format("{}: the program has {} processes; expected each of their ranks once",
                            kDeviceOrder, plan.chips));
  if (!options.program_words.empty() || !options.step_words.empty())
    throw Error(
        ErrorKind::usage,
        fmt::format("{} cannot be combined with --program and --step-program", kDeviceOrder));
  for (std::vector<configs::PlannedArray>* arrays : {&plan.arguments, &plan.results})
    for (configs::PlannedArray& array : *arrays) {
      const std::vector<std::int64_t> of_process = array.tile_of;
      for (std::size_t p = 0; p < of_process.size(); ++p)
        array.tile_of[static_cast<std::size_t>(plan.device_order[p])] = of_process[p];
    }
}

}  // namespace

// File names are relative to the run folder: "FOLDER/INDEX.TILE".
configs::PlannedArray planned(const Parameter& parameter, const Interface& interface,
                              const std::string& folder, std::size_t index, bool with_files,
                              std::int64_t steps) {
  configs::PlannedArray array;
  array.element = mlir_name(parameter.local.element);
  array.shape = parameter.local.shape;
  array.tile_of = parameter.sharding.tile_of;
  array.declared_replicated = parameter.declared_replicated;
  array.steps = steps;
  const std::int64_t tiles = parameter.sharding.tile_count(interface.replicas);
  for (std::int64_t step = 0; with_files && step < steps; ++step)
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      array.files.push_back(steps == 1 ? fmt::format("{}/{}.{}", folder, index, tile)
                                       : fmt::format("{}/{}.{}.{}", folder, index, step, tile));
  return array;
}

configs::Slice choose_slice(const SliceOptions& options, const LoadedProgram& program) {
  const Interface& interface = program.interface;
  const std::int64_t needed = interface.processes();
  configs::SliceRequest request = request_of(options);
  // Default: the smallest v6e slice (or slice of --chip) with enough chips.
  if (request.slice.empty() && request.topology.empty()) {
    const std::string chip = request.chip.empty() ? kDefaultChip : request.chip;
    request.slice = configs::slice_for(chip, needed).name;
    request.chip.clear();
  }
  configs::Slice slice = configs::make_joined(request);
  const auto chips = static_cast<std::int64_t>(slice.chips.size());
  if (chips < needed)
    throw Error(ErrorKind::usage, fmt::format("{} has {}, but the program needs {} ({} x {})",
                                              configs::joined_name(slice.slices, slice.name),
                                              count_text(chips, "chip"), needed,
                                              count_text(interface.replicas, "replica"),
                                              count_text(interface.partitions, "partition")))
        .note(fmt::format("the smallest sufficient slice of this chip is {}",
                          configs::slice_for(slice.chip.name, needed).name));
  // Checked before any array is read, so an oversized program fails at once.
  require_hbm(program, slice);
  return slice;
}

// --cache-dir replaces the base only; the folder of the profile keeps profiles apart below it.
std::string cache_folder(const RunOptions& options, const std::string& cache_home) {
  const std::string& named = options.cache_dir;
  const std::string base = named.empty() ? cache_home + "/understudy" : named;
  return options.cache_folder.empty() ? base : base + "/" + options.cache_folder;
}

// A profile that starts cold must not find entries, and its folder is removed with the run.
void use_cache_of(const configs::Profile& profile, RunOptions& options, const RunFolder& folder) {
  if (profile.cache.start == "empty" && options.cache_dir.empty())
    options.cache_dir = folder.path() + "/cache";
}

void plan_values(const RunOptions& options, const LoadedProgram& program, configs::RunPlan& plan) {
  const Interface& interface = program.interface;
  plan.steps = steps_of(options, program);
  plan.carry = carry_of(options, program);
  for (const auto& carry : plan.carry) check_carry(carry, interface);
  const std::vector<std::int64_t> per_step = steps_of_arguments(options, program, plan.carry);
  for (std::size_t i = 0; i < interface.arguments.size(); ++i)
    plan.arguments.push_back(
        planned(interface.arguments[i], interface, "arguments", i, true, per_step[i]));
  const bool wanted = wants_results(options, program);
  for (std::size_t i = 0; i < interface.results.size(); ++i)
    plan.results.push_back(planned(interface.results[i], interface, "results", i, wanted));
}

void plan_cache(const RunOptions& options, const Environment& environment, configs::RunPlan& plan) {
  plan.cache_dir = usable_cache_folder(options, environment);
  plan.cache_policy = cache_policy_named(options.cache_policy).name;
  plan.cache_lock = cache_lock(options, plan.cache_dir);
  plan.cache_max_bytes = options.cache_max_bytes;
  cache::check_user_names(options.cache_trust);
  plan.cache_trust = options.cache_trust;
}

// The plan is the only input of the workers. Everything in it is resolved: no default is left to
// them.
configs::RunPlan make_plan(const RunOptions& options, const LoadedProgram& program,
                           const configs::Slice& slice, const Environment& environment,
                           const std::string& run_id) {
  const Interface& interface = program.interface;
  configs::RunPlan plan;
  plan.run_id = run_id;
  plan.slice = configs::joined_name(slice.slices, slice.name);
  plan.chip = slice.chip.name;
  plan.chips = interface.processes();
  configs::place_ranks(plan, slice);
  plan.hbm_bytes = slice.chip.hbm_bytes;
  plan.vmem_bytes = slice.chip.vmem_bytes;
  plan.program_path = program.path;
  plan.program_file = "program" + fs::path(program.path).extension().string();
  plan.program_digest = program.digest;
  plan.program_source_digest = digest_of(std::string_view(program.text));
  plan.numerics = options.numerics;
  plan.collectives = options.collectives;
  plan.reproducible = options.reproducible;
  plan.disabled_passes = options.compiler.disabled_passes;
  plan.poison = options.compiler.poison;
  plan.replicas = interface.replicas;
  plan.partitions = interface.partitions;
  plan.shape_guard = options.shape_guard;
  plan_values(options, program, plan);
  plan_cache(options, environment, plan);
  plan.timeout_seconds = options.timeout_seconds;
  plan.looks_for_non_finite = options.looks_for_non_finite;
  put_in_order(plan, options);
  return plan;
}

std::vector<program::Array> read_arguments(const RunOptions& options, const LoadedProgram& program,
                                           const Fill& fill, bool first_step_only) {
  require_host_memory_of_arguments(program);
  const std::vector<ArgumentSource> sources =
      argument_sources(options, program, program.interface.arguments.size());
  std::vector<program::Array> arguments;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    arguments.push_back(argument_array(static_cast<std::int64_t>(i), program.interface.arguments[i],
                                       sources[i], fill, program.interface.replicas));
    // Data of a single step are data of the run.
    const bool one = sources[i].steps == 1 || (sources[i].per_step() && first_step_only);
    if (one) arguments.back() = array_of_step(arguments.back(), 0);
  }
  return arguments;
}

bool wants_results(const RunOptions& options, const LoadedProgram& program) {
  return !options.out.empty() || !options.expect.empty() || is_of_folder(options, program);
}

std::int64_t steps_of(const RunOptions& options, const LoadedProgram& program) {
  if (options.steps > 0) return options.steps;
  return program.manifest ? program.manifest->steps : 1;
}

std::vector<std::pair<std::int64_t, std::int64_t>> carry_of(const RunOptions& options,
                                                            const LoadedProgram& program) {
  std::vector<std::pair<std::int64_t, std::int64_t>> carry;
  for (const std::string& word : options.carry_words) carry.push_back(parse_carry(word));
  if (carry.empty() && program.manifest) return program.manifest->carry;
  return carry;
}

// The expected results of a folder were computed for its own number of steps and carry.
bool is_of_folder(const RunOptions& options, const LoadedProgram& program) {
  const std::int64_t steps = steps_of(options, program);
  return program.manifest && options.step_words.empty() && steps == program.manifest->steps &&
         (steps == 1 || carry_of(options, program) == program.manifest->carry);
}

}  // namespace understudy::launcher
