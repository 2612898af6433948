// SPDX-License-Identifier: Apache-2.0
// Programs of two chips with all_reduces, from text.
#pragma once

#include <string>

#include "compiled.h"

namespace understudy::program {

// "%name = all_reduce of %operand", over `groups` of two chips, with the reducer `reducer`.
inline std::string all_reduce(const std::string& name, const std::string& operand,
                              const std::string& type = "4xf32",
                              const std::string& groups = "[[0, 1]]",
                              const std::string& reducer = "add") {
  const std::string scalar = type.substr(type.rfind('x') + 1);
  return name + " = \"stablehlo.all_reduce\"(" + operand + ") <{replica_groups = dense<" + groups +
         "> : tensor<" + (groups == "[[0, 1]]" ? "1x2" : "2x1") +
         "xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
         "use_global_device_ids}> ({\n^bb0(%p: tensor<" +
         scalar + ">, %q: tensor<" + scalar + ">):\n  %r = stablehlo." + reducer +
         " %p, %q : tensor<" + scalar + ">\n  stablehlo.return %r : tensor<" + scalar +
         ">\n}) : (tensor<" + type + ">) -> tensor<" + type + ">\n";
}

// @main of two partitions.
inline Executable two_chips(const std::string& signature, const std::string& body) {
  return compiled(
      "module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {\n"
      "func.func public @main" +
      signature + " {\n" + body + "}\n}\n");
}

}  // namespace understudy::program
