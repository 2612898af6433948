// SPDX-License-Identifier: Apache-2.0
// Compiles a StableHLO text and runs it on one chip in this thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "worker/chip/executor.h"

namespace understudy::worker {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <class T>
std::vector<T> values_of(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

inline program::Executable compiled(const std::string& text) {
  program::CompileOptions options;
  options.numerics = program::Numerics::ieee;
  const auto module = program::read_program(std::make_shared<const program::Source>("test", text));
  program::Executable executable = program::compile(*module, options);
  program::check_bounds(executable);
  return executable;
}

// The results of one run.
inline std::vector<Bytes> run_program(const std::string& text, std::vector<Bytes> arguments) {
  const program::Executable executable = compiled(text);
  const auto& kernels = program::kernels::select("");
  constexpr std::size_t kSlack = 64;
  Vmem vmem(std::uint64_t{32} << 20);
  Mxu mxu(kernels);
  Execution execution;
  std::vector<Bytes> results;
  for (const program::TensorType& type : executable.results)
    results.emplace_back(static_cast<std::size_t>(type.bytes()) + kSlack, std::byte{0xa5});
  for (Bytes& argument : arguments) {
    argument.resize(argument.size() + kSlack);
    execution.arguments.push_back(argument.data());
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
  for (Bytes& result : results) result.resize(result.size() - kSlack);
  return results;
}

}  // namespace understudy::worker
