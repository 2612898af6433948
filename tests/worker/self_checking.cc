// SPDX-License-Identifier: Apache-2.0
#include "tests/worker/self_checking.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/compile.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "program/self_checking.h"
#include "worker/executor.h"

namespace understudy::worker {
namespace {

using Bytes = std::vector<std::byte>;

// One chip's worth of everything; programs here have no arguments. Returns what was checked.
Checks execute(const program::Executable& executable) {
  constexpr std::size_t kSlack = 64;
  const auto& kernels = program::kernels::select("");
  Vmem vmem(128 << 20);
  Mxu mxu(kernels);
  Execution execution;
  std::vector<Bytes> results;
  for (const program::TensorType& type : executable.results) {
    results.emplace_back(static_cast<std::size_t>(type.bytes()) + kSlack);
  }
  for (Bytes& result : results) execution.results.push_back(result.data());
  Bytes temporaries(executable.temporary_bytes + kSlack);
  execution.temporaries = temporaries.data();
  execution.constants = executable.constants.data();
  execution.numerics = executable.numerics;
  execution.kernels = &kernels;
  execution.vmem = &vmem;
  execution.mxu = &mxu;
  run(executable.code, execution);
  return std::move(execution.checks);
}

void run_program(const std::string& path, const program::SelfCheckingProgram& one) {
  if (one.processes() != 1)
    throw Error(ErrorKind::unsupported, fmt::format("{} chips", one.processes()));
  const auto module = program::parse(std::make_shared<const program::Source>(path, one.text));
  program::CompileOptions options;
  options.numerics = program::Numerics::ieee;
  options.entry = one.entry;
  const program::Executable executable = program::compile(*module, options);
  program::check_bounds(executable);
  const Checks checks = execute(executable);
  if (!checks.violation) return;
  const program::Operation* const op =
      program::operations_in_order(*module).at(checks.violation->op);
  throw program::error_at(op->location, ErrorKind::check, checks.violation->text);
}

}  // namespace

Verdict run_self_checking(const std::string& path) {
  try {
    for (const auto& one : program::self_checking_programs(*program::Source::read(path)))
      run_program(path, one);
    return {};
  } catch (const Error& error) {
    const bool refused = error.kind() == ErrorKind::unsupported;
    return {refused ? Verdict::Kind::unsupported : Verdict::Kind::failed, error.text()};
  }
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
