// SPDX-License-Identifier: Apache-2.0
#include "launcher/options/settled_options.h"

#include <array>

#include "launcher/partition/partitioning.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

constexpr std::array<SettledOption, 5> kTable = {{
    {"collectives", "launch.collectives", &RunOptions::collectives},
    {"numerics", "launch.numerics", &RunOptions::numerics},
    {"cache-policy", "cache.policy", &RunOptions::cache_policy},
    {"cache-lock", "cache.lock", &RunOptions::cache_lock},
    {"shape-guard", "shape.guard", &RunOptions::shape_guard},
}};

// Records values that were changed after the profile was resolved as overrides by the rehearsal.
void take_over_changes(const RunOptions& options, configs::ResolvedProfile& profile) {
  constexpr const char* kSource = "the rehearsal";
  for (const SettledOption& one : kTable) {
    const std::string given = configs::value_of(profile.values, one.key);
    const std::string& used = options.*one.value;
    // The option was initialised from the profile, so a difference means that it was changed since.
    if (used == given) continue;
    configs::set_value(profile.values, one.key, used);
    profile.sources[one.key] = kSource;
    profile.overrides.push_back({one.key, given, used, kSource});
  }
}

}  // namespace

std::span<const SettledOption> settled_options() { return kTable; }

void use_partitioner(RunOptions& options, const Environment& environment) {
  if (options.partitioning) return;
  std::optional<Deadline> end;
  if (options.deadline) end = options.deadline->end;
  options.partitioning =
      std::make_shared<Partitioning>(partitioner_places(environment), environment.cache_home, end);
}

// May be called again: a rehearsal changes options between its rungs, and the receipt of each run
// must show the values that it used.
const configs::ResolvedProfile& settle_profile(RunOptions& options,
                                               const Environment& environment) {
  if (options.resolved) {
    take_over_changes(options, *options.resolved);
  } else {
    options.resolved = resolve_profile(options.profile, environment);
  }
  use_partitioner(options, environment);
  const configs::Profile& values = options.resolved->values;
  for (const SettledOption& one : kTable) options.*one.value = configs::value_of(values, one.key);
  options.timeout_seconds = values.launch.timeout_seconds;
  options.cache_folder = values.cache.folder;
  options.cache_max_bytes = values.cache.max_bytes;
  options.cache_trust = values.cache.trust;
  return *options.resolved;
}

}  // namespace understudy::launcher
