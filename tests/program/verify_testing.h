// SPDX-License-Identifier: Apache-2.0
// One operation in generic form, for the tests of the type rules' error texts.
#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "tests/program/reader_testing.h"

namespace understudy::program {

using Types = std::vector<std::string>;

// One operation in generic form on arguments of these types.
inline ErrorCase on(const char* name, const std::string& op, const Types& operands,
                    const std::string& attributes, const Types& results,
                    const std::string& regions = "") {
  std::string arguments, used;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    arguments += fmt::format("{}%{}: {}", i == 0 ? "" : ", ", i, operands[i]);
    used += fmt::format("{}%{}", i == 0 ? "" : ", ", i);
  }
  return {name, fmt::format(
                    "sdy.mesh @m = <[\"x\"=4]>\nfunc.func @main({}) {{\n  {}\"{}\"({}){} {{{}}} : "
                    "({}) -> ({})\n  return\n}}\n",
                    arguments, results.empty() ? "" : fmt::format("%r:{} = ", results.size()), op,
                    used, regions.empty() ? "" : " (" + regions + ")", attributes,
                    fmt::join(operands, ", "), fmt::join(results, ", "))};
}

// A region that adds scalars of this type.
inline std::string adder(const std::string& type) {
  return fmt::format(
      "{{^bb0(%a: {0}, %b: {0}): %c = stablehlo.add %a, %b : {0} stablehlo.return %c : {0}}}",
      type);
}

inline const std::string kF = "tensor<4x6xf32>";
inline const std::string kS = "tensor<f32>";
inline const std::string kI = "tensor<i32>";

}  // namespace understudy::program
