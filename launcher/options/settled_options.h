// SPDX-License-Identifier: Apache-2.0
// The run options whose values come from the profile. A rung of a ladder, a candidate setting or a
// restored receipt may override them after the profile was resolved. One table; pure functions
// apart from reading profile files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "launcher/options/run_options.h"

namespace understudy::launcher {

struct SettledOption {
  std::string_view name;  // option name without dashes, also used in --candidate: "cache-policy"
  const char* key;        // profile key: "cache.policy"
  std::string RunOptions::*value;
};
// The options that are values of the profile as well.
std::span<const SettledOption> settled_options();

// Makes the partitioner of the command, unless it has one; no process starts until it is needed.
void use_partitioner(RunOptions& options, const Environment& environment);

// Also calls use_partitioner(). Resolves the profile once and copies its values into the options:
// those of the table, the folder and size limit of the cache, the timeout. If the options were
// resolved before (`resolved`), values changed since then override the profile and are recorded as
// overrides in the receipt. *Throws* Error{usage} and Error{config}.
const configs::ResolvedProfile& settle_profile(RunOptions& options, const Environment& environment);

}  // namespace understudy::launcher
