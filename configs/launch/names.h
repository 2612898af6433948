// SPDX-License-Identifier: Apache-2.0
// The names.json of a program folder: names of arguments and results by their path in the pytrees
// of the function that the program was made from, "params.layers[0].w". Plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace understudy::configs {

struct Names {
  std::string path;                        // of the file itself
  std::vector<std::string> args, results;  // in the order of the program
};

// <folder>/names.json; nullopt if there is none. Throws Error{config} with file, line, column and
// pointer.
std::optional<Names> read_names(const std::string& folder);

}  // namespace understudy::configs
