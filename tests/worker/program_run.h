// SPDX-License-Identifier: Apache-2.0
// Compiles a StableHLO text and runs it on one chip in this thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "program/compile.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"

namespace understudy::worker {

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

inline program::Executable compiled(const std::string& text,
                                    program::Numerics numerics = program::Numerics::ieee) {
  program::CompileOptions options;
  options.numerics = numerics;
  const auto module = program::read_program(std::make_shared<const program::Source>("test", text));
  program::Executable executable = program::compile(*module, options);
  program::check_bounds(executable);
  return executable;
}

// The results of one run.
inline std::vector<Bytes> run_program(const std::string& text, std::vector<Bytes> arguments,
                                      program::Numerics numerics = program::Numerics::ieee) {
  const program::Executable executable = compiled(text, numerics);
  for (Bytes& argument : arguments) argument.resize(argument.size() + kSlack);
  constexpr std::uint64_t kVmemBytes = 32 << 20;
  OneChip chip(executable, program::kernels::select(""), Mxu::Make::automatic, kVmemBytes);
  std::vector<Bytes> results = chip.run(arguments);
  for (Bytes& result : results) result.resize(result.size() - kSlack);
  return results;
}

}  // namespace understudy::worker
