// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/program_input.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "launcher/run/plan_run.h"
#include "program/compare/listing.h"
#include "program/compile.h"
#include "program/exported.h"
#include "program/hlo/hlo.h"
#include "program/open_arguments.h"
#include "program/partitioner.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

using program::Source;

// The magic number of MLIR bytecode.
bool is_bytecode(std::string_view bytes) { return bytes.starts_with("ML\xEFR"); }

// What the library reads: MLIR, or an HloModuleProto. HLO text is converted: it takes no text.
void set_bytes(const std::string& given, const program::Module* module, ProgramInput& input) {
  input.format = "mlir";
  if (const auto exported = program::exported_file(given)) {
    input.bytes = std::string(exported->artifact);
  } else if (program::hlo::is_proto(given)) {
    input.format = "hlo";
    input.bytes =
        std::string(program::hlo::module_bytes(Source(input.path, std::string_view(given))));
  } else if (program::hlo::is_text(given) && module != nullptr) {
    input.bytes = program::print(*module);
  } else {
    input.bytes = given;
    if (!is_bytecode(given)) input.text = given;
  }
}

// Counted in the program of one chip, before our passes combine any.
std::map<std::string, std::int64_t> inserted_by_partitioner(const LoadedProgram& program) {
  std::map<std::string, std::int64_t> counts;
  const auto source = std::make_shared<const Source>(program.path, program.text);
  for (const auto& entry :
       program::compare::listing_of(source, program::compare::Form::stablehlo).entries) {
    if (!entry.collective) continue;
    std::string kind = entry.collective->kind;
    if (const std::size_t dot = kind.rfind('.'); dot != std::string::npos)
      kind = kind.substr(dot + 1);
    std::ranges::replace(kind, '_', '-');
    ++counts[kind];
  }
  return counts;
}

OurView view_of(const LoadedProgram& program) {
  OurView ours;
  ours.digest = program.digest;
  const program::Executable executable = program::compile(*program.module, program.options);
  ours.memory = program::memory_plan(executable);
  ours.collectives = side_of(*program.module, executable);
  if (program.partition) ours.partitioner = inserted_by_partitioner(program);
  return ours;
}

// The compiler partitions global-view programs itself, with the freedom that we give our
// partitioner.
void take_request(const program::Module& given, const program::CompileOptions& options,
                  ProgramInput& input) {
  const auto request = program::partition_request(given, options);
  if (!request) return;
  input.shardy = request->shardy;
  input.device_order = request->device_order;
  input.propagate_to_parameters = request->propagate_to_parameters;
  input.propagate_to_output = request->propagate_to_output;
}

// A program that understudy reads but cannot run; or one that only the compiler may understand.
// The compiler may accept a program that understudy does not support, and that answer is the one
// that matters for the TPU.
void read_without_running(const RunOptions& options, ProgramInput& input) {
  const auto source = Source::read(input.path);
  const std::string given(source->text());
  std::unique_ptr<program::Module> module;
  try {
    module = program::read_verified(source);
    program::CompileOptions counts;
    counts.replicas = options.replicas;
    const program::ProcessCounts processes = program::process_counts(*module, counts);
    input.replicas = processes.replicas;
    input.partitions = processes.partitions;
    take_request(*module, counts, input);
  } catch (const Error& error) {
    input.notes.push_back(
        fmt::format("understudy cannot read the program, so it is compiled for "
                    "one chip: {}",
                    error.message()));
  }
  set_bytes(given, module.get(), input);
}

// The library compiles programs with known sizes only. *Throws* where this one leaves sizes open.
void refuse_open_sizes(const RunOptions& options, const std::string& path) {
  const auto module = program::read_verified(Source::read(path));
  program::CompileOptions counts;
  counts.replicas = options.replicas;
  if (!program::has_open_arguments(*module, counts)) return;
  throw Error(ErrorKind::usage,
              "the program leaves sizes of its arguments open, and the TPU compiler takes no open "
              "sizes")
      .note("export the program with the sizes of a step, once for each step shape");
}

}  // namespace

ProgramInput read_input(const RunOptions& options) {
  ProgramInput input;
  input.path = program_path(options.program);
  try {
    const LoadedProgram program = load_program(options);
    input.path = program.path;
    input.replicas = program.interface.replicas;
    input.partitions = program.interface.partitions;
    set_bytes(program.partition ? program.partition->given : program.text, program.module.get(),
              input);
    if (program.partition) {
      const auto given = program::read_verified(
          std::make_shared<const Source>(program.path, program.partition->given));
      take_request(*given, program.options, input);
    }
    input.ours = view_of(program);
  } catch (const Error& error) {
    // A file that is not there, or no program at all, is the user's mistake.
    // First, because its message says what to do; the general one names only the first open size.
    if (error.kind() == ErrorKind::usage) refuse_open_sizes(options, input.path);
    if (error.kind() == ErrorKind::usage || error.kind() == ErrorKind::config) throw;
    input.notes.push_back("understudy cannot run the program: " + error.message());
    read_without_running(options, input);
  }
  return input;
}

}  // namespace understudy::launcher
