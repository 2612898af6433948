// SPDX-License-Identifier: Apache-2.0
// What `understudy env` prints. Pure functions; texts end without a newline.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/environment.h"
#include "configs/launch/profile.h"

namespace understudy::launcher {

struct HostEnvironment {
  const configs::LaunchInputs& inputs;
  const configs::ResolvedProfile& profile;
  std::int64_t host = 0, process = 0;
  std::vector<configs::EnvironmentEntry> entries;
};

// To be sourced by a shell: exports, each group under a comment; what the launch does not set is
// unset, so that nothing stays from before.
std::string environment_shell(const HostEnvironment& shown);
// understudy/environment/1.
std::string environment_json(const HostEnvironment& shown);
// `env:` of a container.
std::string environment_kubernetes(const HostEnvironment& shown);

// All profiles, and every value of one of them with where it comes from.
std::string profiles_text(const std::vector<configs::ProfileListing>& profiles,
                          const configs::ResolvedProfile& shown);

}  // namespace understudy::launcher
