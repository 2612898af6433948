// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/prepare_run.h"

#include <fmt/format.h>

#include "configs/base/cache_policy.h"
#include "configs/launch/joined_slices.h"
#include "launcher/options/settled_options.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/receipt/memory_report.h"
#include "launcher/run/receipt/partition_report.h"
#include "launcher/run/receipt/provenance.h"
#include "launcher/run/results.h"

namespace understudy::launcher {
namespace {

std::vector<std::string> texts_of(const std::vector<OtherProgram>& others) {
  std::vector<std::string> texts;
  for (const OtherProgram& other : others) texts.push_back(other.program.text);
  return texts;
}

void say_choice(const Console& console, const RunOptions& options, const configs::Slice& slice,
                const LoadedProgram& program) {
  for (const std::string& remark : program.remarks) console.remark(remark);
  const std::int64_t needed = program.interface.processes();
  if (needed < static_cast<std::int64_t>(slice.chips.size()))
    console.remark(fmt::format("note: the program runs on the first {} of {} chips of {}", needed,
                               slice.chips.size(), configs::joined_name(slice.slices, slice.name)));
  if (!program.manifest || !options.expect.empty() || is_of_folder(options, program)) return;
  const std::int64_t steps = program.manifest->steps;
  console.remark(
      fmt::format("note: results are not compared: the folder's expected results are for {}{}",
                  steps == 1 ? "one step" : fmt::format("{} steps", steps),
                  program.manifest->carry.empty() ? "" : " with its own carry"));
}

// make_plan() refuses an order that is none; here the chips' own order is shown for it.
std::vector<configs::MeshAxisPlace> mesh_in_plan(const RunOptions& options, const Planned& planned,
                                                 const Console& console) {
  std::vector<std::int64_t> order =
      configs::parse_device_order(options.device_order, "--device-order");
  if (!configs::is_device_order(order, planned.program.interface.processes())) order.clear();
  std::vector<configs::MeshAxisPlace> mesh = mesh_of(planned.program, planned.slice, order);
  if (planned.program.partition && options.dry_run && options.job_kind.empty() && !mesh.empty()) {
    std::string text = configs::text_of(mesh);
    text.pop_back();
    console.remark(fmt::format("mesh axes in {}:\n{}", planned.slice.name, text));
  }
  return mesh;
}

}  // namespace

Planned plan_in(RunFolder& folder, RunOptions& options, const Environment& environment,
                const Console& console) {
  const configs::ResolvedProfile& profile = settle_profile(options, environment);
  use_cache_of(profile.values, options, folder);
  Planned planned;
  planned.program = load_program(options);
  const LoadedProgram& program = planned.program;
  planned.slice = choose_slice(options.slice, program);
  say_choice(console, options, planned.slice, program);
  tell_partition(console, program, options.dry_run && options.job_kind.empty());
  if (const std::string& dump = options.compiler.dump_passes; !dump.empty()) {
    dump_passes(*program.module, program.options, dump);
    dump_program(dump, program);
  }
  planned.mesh = mesh_in_plan(options, planned, console);
  planned.others = load_others(options, program);
  configs::RunPlan plan =
      make_plan(options, program, planned.slice, environment, make_run_id(folder));
  add_differences(plan, options, program, planned.others);
  if (options.dry_run && options.job_kind.empty()) {
    plan.memory = planned_memory(program);
    console.remark(memory_text(*plan.memory, planned.slice.chip.hbm_bytes));
  }
  planned.launch =
      make_launch(std::move(plan), planned.slice,
                  {options.worker, options.hostfile, options.mpi_words, profile, options.deadline},
                  program.text, texts_of(planned.others), environment, folder);
  // A lock that the user named was not tested, so the receipt must not claim it.
  const bool tested =
      cache_policy_named(options.cache_policy).takes_lock && options.cache_lock.empty();
  const configs::RunPlan& made = planned.launch.plan;
  planned.provenance =
      provenance_of(options, planned.launch.inputs, made.program_path,
                    tested ? std::optional(made.cache_lock) : std::nullopt, environment);
  if (!planned.launch.remark.empty()) console.remark(planned.launch.remark);
  if (console.verbosity > 0 && planned.launch.receipt_launch.remarks)
    for (const configs::LaunchWarning& one : *planned.launch.receipt_launch.remarks)
      console.remark(fmt::format("note: {}: {}", one.message, one.advice));
  return planned;
}

namespace {

// Writes the arguments of a step program that differ from those of the main program.
void write_of_steps(const RunFolder& folder, const configs::PlannedProgram& planned,
                    const LoadedProgram& program, const Fill& fill) {
  const program::Interface& interface = program.interface;
  const std::vector<ArgumentSource> sources =
      argument_sources(RunOptions{}, program, interface.arguments.size());
  for (std::size_t i = 0; i < planned.arguments.size(); ++i) {
    if (planned.arguments[i].files.empty()) continue;
    const program::Array array = argument_array(
        static_cast<std::int64_t>(i), interface.arguments[i], sources[i], fill, interface.replicas);
    write_tiles(folder, planned.arguments[i], interface.arguments[i], interface.replicas, array);
  }
}

}  // namespace

void write_all(const RunFolder& folder, const Planned& planned,
               const std::vector<program::Array>& arguments, const Fill& fill) {
  const configs::RunPlan& plan = planned.launch.plan;
  write_arguments(folder, plan, planned.program.interface, arguments);
  folder.write(plan.program_file, planned.program.text);
  for (std::size_t i = 0; i < planned.others.size(); ++i) {
    folder.write(plan.other_programs[i].file, planned.others[i].program.text);
    write_of_steps(folder, plan.other_programs[i], planned.others[i].program, fill);
  }
  // Last: a worker that finds the plan finds all files that it names.
  folder.write("plan.json", configs::to_json(plan));
}

}  // namespace understudy::launcher
