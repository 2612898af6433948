// SPDX-License-Identifier: Apache-2.0
// The options that name a runtime profile and change it, shared by the verbs that take one. Values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/launch/profile.h"

namespace CLI {
class App;
}

namespace understudy::launcher {

struct Environment;

struct ProfileOptions {
  std::string profile = std::string(configs::kDefaultProfile);
  std::vector<std::string> set_words;   // "cache.policy=shared"
  std::vector<configs::Setting> asked;  // by options that stand for a value of the profile
  // What `profile` means, of a receipt: no document of that name is looked for.
  std::optional<configs::ResolvedProfile> of_receipt = std::nullopt;
};

// --profile and --set.
void declare_profile(CLI::App& app, ProfileOptions& options);

// ./understudy/profiles before $XDG_CONFIG_HOME/understudy/profiles before what is embedded.
configs::ProfileLibrary profile_library(const Environment& environment);

// *Throws* Error{usage} and Error{config}.
configs::ResolvedProfile resolve_profile(const ProfileOptions& options,
                                         const Environment& environment);

}  // namespace understudy::launcher
