// SPDX-License-Identifier: Apache-2.0
// The options that a profile decides, and what may change them after it did: a rung of a ladder, a
// candidate setting, a receipt that is started from again. One table; pure functions but for the
// profile's files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "launcher/options/run_options.h"

namespace understudy::launcher {

struct SettledOption {
  std::string_view name;  // of the option without its dashes, and in --candidate: "cache-policy"
  const char* key;        // of the profile: "cache.policy"
  std::string RunOptions::*value;
};
std::span<const SettledOption> settled_options();

// Resolves the profile, once, and sets what of the options it decides: those of the table, the
// cache's folder and bound, the timeout. Of options that have it already (`resolved`), what was
// changed since then overrides it, and the run's record tells so. *Throws* Error{usage} and
// Error{config}.
const configs::ResolvedProfile& settle_profile(RunOptions& options, const Environment& environment);

}  // namespace understudy::launcher
