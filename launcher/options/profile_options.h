// SPDX-License-Identifier: Apache-2.0
// The options that select a runtime profile and override its values, shared by several verbs.
// Values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/launch/profile/profile.h"

namespace CLI {
class App;
}

namespace understudy::launcher {

struct Environment;

struct ProfileOptions {
  std::string profile = std::string(configs::kDefaultProfile);
  std::vector<std::string> set_words;   // "cache.policy=shared"
  std::vector<configs::Setting> asked;  // from shorthand options such as --cache-policy
  // Set when a run is restored from a receipt: the resolved profile of that receipt. No profile
  // document is read then.
  std::optional<configs::ResolvedProfile> of_receipt = std::nullopt;
};

// --profile and --set.
void declare_profile(CLI::App& app, ProfileOptions& options);

// Search order: ./understudy/profiles, $XDG_CONFIG_HOME/understudy/profiles, embedded profiles.
configs::ProfileLibrary profile_library(const Environment& environment);

// *Throws* Error{usage} and Error{config}.
configs::ResolvedProfile resolve_profile(const ProfileOptions& options,
                                         const Environment& environment);

}  // namespace understudy::launcher
