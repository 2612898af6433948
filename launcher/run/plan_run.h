// SPDX-License-Identifier: Apache-2.0
// Makes the plan of a run from its options and its program. Everything that can be decided or
// refused before a process is started happens here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/manifest.h"
#include "configs/launch/run_plan.h"
#include "configs/launch/topology.h"
#include "launcher/options/run_options.h"
#include "launcher/run/argument_files.h"
#include "program/compile.h"

namespace understudy::launcher {

struct Environment;
class RunFolder;

// How a global-view program became the program of a chip.
struct PartitionNote {
  bool shardy = true;  // false: GSPMD
  bool cached = false;
  std::string version;  // of jaxlib
  double seconds = 0;
  std::vector<std::string> warnings;  // XLA's
  std::string given;                  // the program as it was read
};

// A program as read, with the manifest of its folder. Of a global-view program, module and text are
// those of the partitioned program, which the workers get.
struct LoadedProgram {
  std::string path;  // of the program file
  std::optional<configs::Manifest> manifest;
  std::unique_ptr<program::Module> module;
  program::CompileOptions options;
  program::Interface interface;
  std::string text;    // for the workers: of the file, or of the module that settle() rewrote
  std::string digest;  // canonical
  std::vector<std::string> remarks;  // choices that the user did not make
  std::optional<PartitionNote> partition = {};
};
// *Throws* Error{input} and Error{unsupported}; for a global-view program, also what
// Partitioning::partition() throws.
LoadedProgram load_program(const RunOptions& options);
// The program file: of a folder with a manifest, the one inside it.
std::string program_path(const std::string& given);

// The slice to run on. *Throws* Error{usage} if it has too few chips, Error{capacity} if arguments
// and results do not fit into the HBM of a chip.
configs::Slice choose_slice(const SliceOptions& options, const LoadedProgram& program);

// The folder of the compile cache: --cache-dir or the user's default, plus the profile's subfolder.
std::string cache_folder(const RunOptions& options, const std::string& cache_home);
// If the profile requires an empty cache and no folder was named, uses a folder that is removed
// with the run.
void use_cache_of(const configs::Profile& profile, RunOptions& options, const RunFolder& folder);

// The plan without its data: file names are assigned, the files are not written yet.
configs::RunPlan make_plan(const RunOptions& options, const LoadedProgram& program,
                           const configs::Slice& slice, const Environment& environment,
                           const std::string& run_id);

// One argument or result in the plan, with one file per tile and step in a subfolder of the run
// folder.
configs::PlannedArray planned(const program::Parameter& parameter,
                              const program::Interface& interface, const std::string& folder,
                              std::size_t index, bool with_files, std::int64_t steps = 1);

// Number of steps, and results carried over: from the options, else from the manifest.
std::int64_t steps_of(const RunOptions& options, const LoadedProgram& program);
std::vector<std::pair<std::int64_t, std::int64_t>> carry_of(const RunOptions& options,
                                                            const LoadedProgram& program);
// Whether the expected results of the manifest apply to this run (same steps and carry).
bool is_of_folder(const RunOptions& options, const LoadedProgram& program);

// The source of each of `count` arguments; --arg overrides --args, which overrides the manifest.
// *Throws* Error{usage} for an argument that the program does not have, also as a file of --args.
std::vector<ArgumentSource> argument_sources(const RunOptions& options,
                                             const LoadedProgram& program, std::size_t count);

// For each argument, the number of steps of which each has its own data: 1 without --per-step.
// *Throws* Error{usage} for an argument that is also carried, Error{input} for a file whose leading
// axis is not the number of steps.
std::vector<std::int64_t> steps_of_arguments(
    const RunOptions& options, const LoadedProgram& program,
    const std::vector<std::pair<std::int64_t, std::int64_t>>& carry);

// The global arrays of all arguments. *Throws* Error{input} or Error{usage} for a wrong or missing
// argument, Error{capacity} if they exceed the memory of this machine. An argument with data for
// each step has a leading axis of several steps; `first_step_only` takes the first step's.
std::vector<program::Array> read_arguments(const RunOptions& options, const LoadedProgram& program,
                                           const Fill& fill, bool first_step_only = false);

// Whether the workers must return results: for --out or for a comparison.
bool wants_results(const RunOptions& options, const LoadedProgram& program);

}  // namespace understudy::launcher
