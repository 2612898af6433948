// SPDX-License-Identifier: Apache-2.0
// Programs whose loops are fused, for the tests of fusion.
#pragma once

#include <string>
#include <vector>

#include "tests/program/passes/compiled.h"

namespace understudy::program {

inline Executable fused(const std::string& signature, const std::string& body) {
  return compiled("func.func public @main" + signature + " {\n" + body + "\n}\n", CompileOptions{});
}

inline std::vector<std::string> kinds(const Code& code) {
  std::vector<std::string> names;
  for (const Instruction& instruction : code) names.emplace_back(name_of(instruction.work));
  return names;
}
using Names = std::vector<std::string>;

inline const Fused& loop_at(const Executable& executable, std::size_t i) {
  return std::get<Fused>(executable.code.at(i).work);
}

}  // namespace understudy::program
