// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "configs/base/error.h"
#include "launcher/partition/partitioning.h"
#include "launcher/run/plan_run.h"
#include "program/executable/numerics.h"
#include "program/ir/source.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// Replaces a global-view program by the program of a chip. Other programs stay as they are.
void partition(const RunOptions& options, LoadedProgram& program) {
  if (options.partitioning == nullptr) return;
  std::optional<program::PartitionRequest> request =
      program::partition_request(*program.module, program.options);
  if (!request) return;
  request->program = program.text;
  request->file = fs::path(program.path).filename().string();
  const std::string folder = cache_folder(options, options.partitioning->cache_home());
  Partitioned made = options.partitioning->partition(
      *request, {folder, options.cache_policy, options.cache_trust});
  program.partition = {made.cached, made.version, made.seconds, std::move(made.program.warnings),
                       std::move(request->program)};
  program.text = std::move(made.program.program);
  program.module = program::read_verified(
      std::make_shared<const program::Source>(program.path + " (partitioned)", program.text));
}

}  // namespace

LoadedProgram load_program(const RunOptions& options) {
  if (options.program.empty())
    throw Error(
        ErrorKind::usage,
        "no program given: expected a .mlir or .mlirbc file, or a folder with manifest.json")
        .note("understudy run --help shows an example");
  LoadedProgram program;
  program.path = options.program;
  std::error_code code;
  if (fs::is_directory(options.program, code)) {
    std::string folder = options.program;
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    program.manifest = configs::read_manifest(folder);
    program.path = folder + "/program.mlir";
    if (!fs::exists(program.path, code) && fs::exists(folder + "/program.mlirbc", code))
      program.path = folder + "/program.mlirbc";
  }
  // Read once: the workers get exactly the text that was checked here.
  const auto source = program::Source::read(program.path);
  program.text = source->text();
  program.module = program::read_verified(source);
  program.options.numerics = program::numerics_named(options.numerics);
  program.options.replicas = options.replicas;
  if (options.replicas == 0 && program.manifest)
    program.options.replicas = program.manifest->replicas.value_or(0);
  partition(options, program);
  program::refuse_unsupported(*program.module);
  program.interface = program::interface_of(*program.module, program.options);
  program.digest = program::canonical_digest(*program.module);
  return program;
}

}  // namespace understudy::launcher
