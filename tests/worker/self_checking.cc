// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/self_checking.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "collectives/fabric.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/compile.h"
#include "program/read.h"
#include "program/self_checking.h"
#include "tests/worker/one_chip.h"
#include "tests/worker/worker_testing.h"
#include "worker/pod/collectives.h"

namespace understudy::worker {
namespace {

// Runs one chip; the programs have no arguments. Returns the outcome of the checks.
Checks execute(const program::Executable& executable, ProcessPlace process,
               const collectives::Fabric& fabric, std::atomic<std::int64_t>& infeed_turns) {
  PodCollectives collectives(fabric);
  collectives.use_algorithm("ring");
  OneChip chip(executable);
  chip.execution.process = process;
  chip.execution.collectives = &collectives;
  chip.execution.infeed_turn = [&] { return infeed_turns++; };
  chip.run({});
  return std::move(chip.execution.checks);
}

// A module of the file with what was read of it.
struct ReadProgram {
  program::SelfCheckingProgram program;
  std::unique_ptr<program::Module> module;
};

std::vector<ReadProgram> read_programs(const std::string& path) {
  std::vector<ReadProgram> programs;
  for (const auto& one : program::self_checking_programs(*program::Source::read(path)))
    programs.push_back(
        {one, program::parse(std::make_shared<const program::Source>(path, one.text))});
  return programs;
}

// A pod of threads, one for each process of the program. The first error of the lowest rank counts.
void run_program(const ReadProgram& read, const std::vector<std::string>& disabled_passes) {
  const program::SelfCheckingProgram& one = read.program;
  program::CompileOptions options;
  options.numerics = program::Numerics::ieee;
  options.entry = one.entry;
  options.disabled_passes = disabled_passes;
  const program::Executable executable = program::compile(*read.module, options);
  program::check_bounds(executable);
  std::vector<Checks> checks(static_cast<std::size_t>(one.processes()));
  std::atomic<std::int64_t> infeed_turns = 0;
  const auto errors =
      run_pod(static_cast<int>(one.processes()), [&](const collectives::Fabric& fabric) {
        const std::int64_t rank = fabric.transport.rank().value;
        checks[static_cast<std::size_t>(rank)] =
            execute(executable,
                    {rank / one.partitions, rank % one.partitions, one.replicas, one.partitions},
                    fabric, infeed_turns);
      });
  for (const std::string& error : errors)
    if (!error.empty()) throw Error(ErrorKind::check, error);
  for (const Checks& check : checks) {
    if (!check.violation) continue;
    const program::Operation* const op =
        program::operations_in_order(*read.module).at(check.violation->op);
    throw program::error_at(op->location, ErrorKind::check, check.violation->text);
  }
}

// The verdict of `body`, which throws where a check fails or the program cannot run.
template <class Body>
Verdict verdict_of(const Body& body) {
  try {
    body();
    return {};
  } catch (const Error& error) {
    const bool refused = error.kind() == ErrorKind::unsupported;
    return {refused ? Verdict::Kind::unsupported : Verdict::Kind::failed, error.text()};
  }
}

}  // namespace

Verdict run_self_checking(const std::string& path) {
  return verdict_of([&] {
    for (const ReadProgram& one : read_programs(path)) run_program(one, {});
  });
}

std::vector<Verdict> run_without_each(const std::string& path,
                                      const std::vector<std::string>& passes) {
  const std::vector<ReadProgram> programs = read_programs(path);
  std::vector<Verdict> verdicts;
  for (const std::string& pass : passes)
    verdicts.push_back(verdict_of([&] {
      for (const ReadProgram& one : programs) run_program(one, {pass});
    }));
  return verdicts;
}

std::vector<std::string> programs_in(const std::string& folder) {
  std::vector<std::string> paths;
  if (!std::filesystem::is_directory(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace understudy::worker
