// SPDX-License-Identifier: Apache-2.0
// From options and a program to a planned run: everything that can be decided or refused before a
// process is started.
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

// The program as it was read, and what its folder says about it.
struct LoadedProgram {
  std::string path;  // of the program file
  std::optional<configs::Manifest> manifest;
  std::unique_ptr<program::Module> module;
  program::CompileOptions options;
  program::Interface interface;
  std::string text;
  std::string digest;  // canonical
};
// *Throws* Error{input} and Error{unsupported}.
LoadedProgram load_program(const RunOptions& options);

// The slice to run on; its chips are as many as the program needs or more.
// *Throws* Error{usage} where it is too small, Error{capacity} where arguments and results do not
// fit a chip's HBM.
configs::Slice choose_slice(const SliceOptions& options, const LoadedProgram& program);

// The folder of the compile cache: --cache-dir, else the user's own, and the profile's below it.
std::string cache_folder(const RunOptions& options, const Environment& environment);
// Where the profile begins with an empty cache and no folder is named, takes one that goes with
// the run.
void use_cache_of(const configs::Profile& profile, RunOptions& options, const RunFolder& folder);

// The plan without its data; files are named, not yet written. `run_id` names the run.
configs::RunPlan make_plan(const RunOptions& options, const LoadedProgram& program,
                           const configs::Slice& slice, const Environment& environment,
                           const std::string& run_id);

// One argument or result as the plan has it, with a file for each tile in a folder of the run's.
configs::PlannedArray planned(const program::Parameter& parameter,
                              const program::Interface& interface, const std::string& folder,
                              std::size_t index, bool with_files);

// How often it runs, and with what carried over: what was asked for, else what its folder says.
std::int64_t steps_of(const RunOptions& options, const LoadedProgram& program);
std::vector<std::pair<std::int64_t, std::int64_t>> carry_of(const RunOptions& options,
                                                            const LoadedProgram& program);
// True where the folder's expected results are of the run that is asked for.
bool is_of_folder(const RunOptions& options, const LoadedProgram& program);

// Where each argument comes from: --arg before --args before the manifest.
std::vector<ArgumentSource> argument_sources(const RunOptions& options,
                                             const LoadedProgram& program);

// The global arrays of all arguments. *Throws* Error{input} or Error{usage} for those that do not
// fit, Error{capacity} where they can never be in this machine's memory.
std::vector<program::Array> read_arguments(const RunOptions& options, const LoadedProgram& program,
                                           const Fill& fill);

// True where results must come back from the workers: --out or something to compare with.
bool wants_results(const RunOptions& options, const LoadedProgram& program);

}  // namespace understudy::launcher
