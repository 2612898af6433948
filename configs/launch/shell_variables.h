// SPDX-License-Identifier: Apache-2.0
// What becomes of the variables that a shell has when a launch begins. A worker starts with its
// host's environment (launch/environment.h), Open MPI's own variables, a short list of the system's
// and understudy's own; nothing else gets through. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/environment.h"

namespace understudy::configs {

enum class VariableOwner : std::uint8_t {
  mpi,        // Open MPI, PMIx and the batch system: needed to come up
  system,     // paths, languages, limits of tools
  own,        // UNDERSTUDY_*
  framework,  // JAX, PyTorch/XLA, libtpu and what they listen to
  other,
};
VariableOwner owner_of(std::string_view name);

// "NAME=value" taken apart; entries without a name are left out, of doubles the last counts.
Variables variables_of(const std::vector<std::string>& environment);

// What a worker starts with: of `found` what it keeps, and `launch` over that.
Variables worker_environment(const Variables& found, const Variables& launch);

// One variable of the shell that is the frameworks'.
enum class Leak : std::uint8_t { kept, overridden, dropped };
std::string_view name_of(Leak leak);
struct ShellVariable {
  std::string name, given;
  std::optional<std::string> used;  // nullopt: workers do not have it
  std::string source;               // what `used` comes from
  Leak leak = Leak::dropped;
};

// The frameworks' variables among `shell`, by name, beside what the launch sets.
std::vector<ShellVariable> leaks_of(const Variables& shell,
                                    const std::vector<EnvironmentEntry>& launch);

// One line for people, "" where no variable was overridden or dropped.
std::string leak_text(const std::vector<ShellVariable>& variables);

}  // namespace understudy::configs
