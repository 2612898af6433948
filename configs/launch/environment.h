// SPDX-License-Identifier: Apache-2.0
// The full environment of each host of a launch: who it is (bring-up facts, sections 2.2 and 2.3)
// and what the profile's values are to the frameworks (sections 2.3 to 2.6). One table; nothing
// else computes these variables. Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/inputs.h"

namespace understudy::configs {

// What a variable belongs to. Those of `identity` follow from the slice alone.
enum class VariableGroup : std::uint8_t { identity, spmd, cache, shape, launch, mem, diag };
std::string_view name_of(VariableGroup group);  // "id", "spmd", ...

struct EnvironmentEntry {
  std::string name, value;
  VariableGroup group = VariableGroup::identity;
  std::string source;    // the profile's key ("cache.policy"), or "slice"
  bool of_host = false;  // another value on another host, or another process of it
  bool operator==(const EnvironmentEntry&) const = default;
};

// Of a process of a host, sorted by name. `process` counts on the host and tells processes apart
// where the profile has one for each chip.
std::vector<EnvironmentEntry> launch_environment(const LaunchInputs& inputs, std::int64_t host,
                                                 std::int64_t process);

// Of the worker of a chip: its host's, and, where a chip has a process of its own, that one's.
std::vector<EnvironmentEntry> chip_environment(const LaunchInputs& inputs, Rank rank);

using Variables = std::map<std::string, std::string>;
Variables variables_of(const std::vector<EnvironmentEntry>& entries);

// Of those that all hosts have alike: SHA-256 of their lines "NAME=value", sorted by name.
std::string common_digest(const std::vector<EnvironmentEntry>& entries);

// What the table says of a variable; nullopt where it does not know it.
struct VariableKind {
  VariableGroup group;
  bool of_host;
};
std::optional<VariableKind> kind_of(std::string_view variable);
// The names of all that it knows.
std::vector<std::string> launch_variables();

}  // namespace understudy::configs
