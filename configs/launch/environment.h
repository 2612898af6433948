// SPDX-License-Identifier: Apache-2.0
// The full environment of each host of a launch: its identity and the
// profile's values as the frameworks read them. One table; no other code computes these variables.
// Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/inputs.h"

namespace understudy::configs {

// The group of a variable. Those of `identity` follow from the slice alone.
enum class VariableGroup : std::uint8_t { identity, spmd, cache, shape, launch, mem, diag };
std::string_view name_of(VariableGroup group);  // "id", "spmd", ...

struct EnvironmentEntry {
  std::string name, value;
  VariableGroup group = VariableGroup::identity;
  std::string source;    // the profile's key ("cache.policy"), or "slice"
  bool of_host = false;  // differs between hosts, or between the processes of a host
  bool operator==(const EnvironmentEntry&) const = default;
};

// For a process of a host, sorted by name. `host` counts over all slices, `process` is its number
// on the host; it matters if the profile has one process per chip.
std::vector<EnvironmentEntry> launch_environment(const LaunchInputs& inputs, std::int64_t host,
                                                 std::int64_t process);

// For the worker of a chip: that of its host, or of its own process if the profile has one per
// chip.
std::vector<EnvironmentEntry> chip_environment(const LaunchInputs& inputs, Rank rank);

using Variables = std::map<std::string, std::string>;
// Names and values without their sources.
Variables variables_of(const std::vector<EnvironmentEntry>& entries);

// For the variables that are equal on all hosts: SHA-256 of their lines "NAME=value", sorted by
// name.
std::string common_digest(const std::vector<EnvironmentEntry>& entries);

// The table's entry for a variable; nullopt if there is none.
struct VariableKind {
  VariableGroup group;
  bool of_host;
  bool of_slice;  // differs between joined slices
  bool differs(std::int64_t slices) const { return of_host || (of_slice && slices > 1); }
};
// nullopt for a variable that no launch sets.
std::optional<VariableKind> kind_of(std::string_view variable);
// The names of all variables of the table.
std::vector<std::string> launch_variables();

}  // namespace understudy::configs
