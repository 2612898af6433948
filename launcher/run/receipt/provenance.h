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

// `program`: path of the program, or empty. `lock`: the lock that the self-test of the cache's
// mount chose, nullopt if no self-test ran. Runs `git` if it is installed. *Throws* Error{input} if
// the setup script cannot be read.
configs::Provenance provenance_of(const RunOptions& options, const configs::LaunchInputs& inputs,
                                  const std::string& program,
                                  const std::optional<std::string>& lock,
                                  const Environment& environment);

// "node-local" or "shared": the kind of the mount that holds the folder or its nearest existing
// ancestor. nullopt if it cannot be determined.
std::optional<std::string> path_class(const std::string& folder);

// The state of the git repository that holds a file; empty without a repository or git.
configs::CodeState code_state_of(const std::string& file, const std::string& search_path);

}  // namespace understudy::launcher
