// SPDX-License-Identifier: Apache-2.0
// Programs with a loop, and what is in them, for the tests of the passes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/program/passes/compiled.h"

namespace understudy::program {

inline std::vector<std::string> kinds_in(const Code& code) {
  std::vector<std::string> names;
  for (const Instruction& instruction : code) names.emplace_back(name_of(instruction.work));
  return names;
}

inline Executable loop_with(const std::string& body) {
  return compiled_main("(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32>",
                       loop_text(body) + "return %0#1 : tensor<4xf32>");
}

inline const While& loop_in(const Executable& executable) {
  return std::get<While>(std::ranges::find_if(executable.code, [](const Instruction& it) {
                           return std::holds_alternative<While>(it.work);
                         })->work);
}

}  // namespace understudy::program
