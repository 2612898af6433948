// SPDX-License-Identifier: Apache-2.0
// Names of arguments and results as their users know them: by the path in the pytrees of the Python
// function, "params.layers[0].w". Pure but for reading names.json.
#pragma once

#include <string>

#include "program/compile.h"

namespace understudy::launcher {

struct LoadedProgram;

// Sets the names in the program's interface: from names.json in `folder` if the program was loaded
// as a folder, else from what the program itself says. *Throws* Error{config} for a names.json that
// does not fit the program.
void name_parameters(LoadedProgram& program, const std::string& folder);

// JAX's key path in dots: "params['layers'][0]['w']" is "params.layers[0].w", ".loss" is "loss".
std::string path_name(const std::string& key_path);

// "argument 3 (params.w)", or "argument 3" where it has no name.
std::string label_of(const char* what, std::int64_t index, const std::string& name);

}  // namespace understudy::launcher
