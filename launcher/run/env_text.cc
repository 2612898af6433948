// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/env_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/launch/joined_slices.h"
#include "configs/report/command_documents.h"
#include "launcher/pod/mpirun_command.h"

namespace understudy::launcher {
namespace {

using configs::EnvironmentEntry;
using configs::VariableGroup;

constexpr VariableGroup kGroups[] = {
    VariableGroup::identity, VariableGroup::launch, VariableGroup::spmd, VariableGroup::cache,
    VariableGroup::shape,    VariableGroup::mem,    VariableGroup::diag};

std::string headline(const HostEnvironment& shown) {
  std::string process;
  if (shown.inputs.processes_per_host() > 1)
    process = fmt::format(", process {} of {}", shown.process, shown.inputs.processes_per_host());
  return fmt::format("{}, profile {}: host {} of {}{}",
                     configs::joined_name(shown.inputs.slices, shown.inputs.slice),
                     shown.profile.name, shown.host, shown.inputs.hosts(), process);
}

// The origin of a value, for example "cache.policy of steady" or "the slice".
std::string origin(const configs::ResolvedProfile& profile, const std::string& source) {
  if (source == "slice") return "the slice";
  const auto found = profile.sources.find(source);
  return found == profile.sources.end() ? source : fmt::format("{} of {}", source, found->second);
}

// A double-quoted YAML scalar.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "\"";
}

}  // namespace

// For `eval`: every line is an assignment, an `unset` or a comment.
std::string environment_shell(const HostEnvironment& shown) {
  std::string text = "# " + headline(shown);
  for (const VariableGroup group : kGroups) {
    const auto is_in = [&](const EnvironmentEntry& one) { return one.group == group; };
    if (std::ranges::none_of(shown.entries, is_in)) continue;
    text += fmt::format("\n# {}", name_of(group));
    for (const EnvironmentEntry& one : shown.entries)
      if (is_in(one)) text += fmt::format("\nexport {}={}", one.name, shell_text({one.value}));
  }
  std::string unset;
  // A variable left over from another profile would change the launch silently.
  for (const std::string& name : configs::launch_variables()) {
    const bool is_set =
        std::ranges::find(shown.entries, name, &EnvironmentEntry::name) != shown.entries.end();
    if (!is_set) unset += " " + name;
  }
  return unset.empty() ? text : text + "\n# not set under this profile\nunset" + unset;
}

std::string environment_json(const HostEnvironment& shown) {
  configs::EnvironmentDocument document{shown.inputs.slice,
                                        shown.inputs.slices,
                                        shown.profile.name,
                                        shown.host,
                                        shown.process,
                                        configs::common_digest(shown.entries),
                                        {}};
  for (const EnvironmentEntry& one : shown.entries)
    document.variables.push_back({one.name, one.value, std::string(name_of(one.group)),
                                  std::string(origin(shown.profile, one.source))});
  return to_json(document);
}

std::string environment_kubernetes(const HostEnvironment& shown) {
  std::string text = fmt::format("# {}\nenv:", headline(shown));
  for (const EnvironmentEntry& one : shown.entries)
    text += fmt::format("\n  - name: {}\n    value: {}", one.name, quoted(one.value));
  return text;
}

// A value that another source has changed is followed by that source in parentheses.
std::string profiles_text(const std::vector<configs::ProfileListing>& profiles,
                          const configs::ResolvedProfile& shown) {
  std::string text = "Profiles:\n";
  for (const configs::ProfileListing& one : profiles)
    text += fmt::format("  {:<15} {}{}\n", one.name, one.summary,
                        one.from == "embedded" ? "" : fmt::format(" ({})", one.from));
  text += fmt::format("\nValues of {}:", shown.name);
  for (const auto& [key, value] : settings_of(shown.values)) {
    const auto source = shown.sources.find(key);
    const std::string from = source == shown.sources.end() || source->second == shown.name
                                 ? ""
                                 : fmt::format("  ({})", source->second);
    text += fmt::format("\n  {:<31} {}{}", key, value.empty() ? "-" : value, from);
  }
  return text;
}

std::string profiles_json(const std::vector<configs::ProfileListing>& profiles,
                          const configs::ResolvedProfile& shown) {
  configs::ProfileList list;
  for (const configs::ProfileListing& one : profiles)
    list.profiles.push_back({one.name, one.summary, one.from});
  list.shown = shown.name;
  for (const auto& [key, value] : settings_of(shown.values)) {
    const auto source = shown.sources.find(key);
    list.values.push_back(
        {key, value, source == shown.sources.end() ? shown.name : source->second});
  }
  return to_json(list);
}

}  // namespace understudy::launcher
