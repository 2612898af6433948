// SPDX-License-Identifier: Apache-2.0
// The provenance of a run as the launcher knows it, for its receipt: packages, the state
// of the code, the hardware that is emulated, the cache's mount, the host's memory.
#pragma once

#include <optional>
#include <string>

#include "configs/launch/inputs.h"
#include "configs/receipt/provenance.h"
#include "launcher/options/run_options.h"

namespace understudy::launcher {

struct Environment;

// `program`: path of what is run, empty where there is none; `lock`: what a self-test of the
// cache's mount found to exclude, nullopt where nobody made one. Starts `git` where it is there.
// *Throws* Error{input} where the setup script cannot be read.
configs::Provenance provenance_of(const RunOptions& options, const configs::LaunchInputs& inputs,
                                  const std::string& program,
                                  const std::optional<std::string>& lock,
                                  const Environment& environment);

// "node-local" or "shared": of the mount that holds a folder, or the nearest one above that is
// there. nullopt where it cannot be read.
std::optional<std::string> path_class(const std::string& folder);

// The state of the repository that holds a file: nothing where there is none, or no git.
configs::CodeState code_state_of(const std::string& file, const std::string& search_path);

}  // namespace understudy::launcher
