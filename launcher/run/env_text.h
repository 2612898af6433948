// SPDX-License-Identifier: Apache-2.0
// The output of `understudy env`. Pure functions; texts end without a newline, JSON with one.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/environment.h"
#include "configs/launch/profile/profile.h"

namespace understudy::launcher {

struct HostEnvironment {
  const configs::LaunchInputs& inputs;
  const configs::ResolvedProfile& profile;
  std::int64_t host = 0, process = 0;
  std::vector<configs::EnvironmentEntry> entries;
};

// A shell script to source: exports, grouped under comments. Launch variables that the profile does
// not set are unset, so that no old value remains.
std::string environment_shell(const HostEnvironment& shown);
// understudy/environment/1.
std::string environment_json(const HostEnvironment& shown);
// `env:` of a container.
std::string environment_kubernetes(const HostEnvironment& shown);

// All profiles, then every value of one profile with its origin.
std::string profiles_text(const std::vector<configs::ProfileListing>& profiles,
                          const configs::ResolvedProfile& shown);

// The same as JSON: understudy/profiles/1.
std::string profiles_json(const std::vector<configs::ProfileListing>& profiles,
                          const configs::ResolvedProfile& shown);

}  // namespace understudy::launcher
