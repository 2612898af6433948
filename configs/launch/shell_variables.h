// SPDX-License-Identifier: Apache-2.0
// The treatment of the shell's variables at a launch. A worker gets the environment of its host
// (launch/environment.h), Open MPI's own variables, a short list of the system's and understudy's
// own; nothing else is passed on. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/environment.h"

namespace understudy::configs {

enum class VariableOwner : std::uint8_t {
  mpi,        // Open MPI, PMIx and the batch system: needed to start
  system,     // paths, languages, limits of tools
  own,        // UNDERSTUDY_*
  framework,  // JAX, PyTorch/XLA, libtpu and variables that they read
  other,
};
// By the first matching pattern; `other` if none matches.
VariableOwner owner_of(std::string_view name);

// Parses "NAME=value" entries; entries without a name are skipped, the last duplicate wins.
Variables variables_of(const std::vector<std::string>& environment);

// The environment of a worker: the variables of `found` that are kept, overridden by `launch`.
Variables worker_environment(const Variables& found, const Variables& launch);

// A framework variable that was set in the shell.
enum class Leak : std::uint8_t { kept, overridden, dropped };
std::string_view name_of(Leak leak);
struct ShellVariable {
  std::string name, given;
  std::optional<std::string> used;  // nullopt: workers do not have it
  std::string source;               // of `used`
  Leak leak = Leak::dropped;
};

// The framework variables in `shell`, by name, compared with those of the launch.
std::vector<ShellVariable> leaks_of(const Variables& shell,
                                    const std::vector<EnvironmentEntry>& launch);

// One line for the user, "" if no variable was overridden or dropped.
std::string leak_text(const std::vector<ShellVariable>& variables);

}  // namespace understudy::configs
