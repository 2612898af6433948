// SPDX-License-Identifier: Apache-2.0
#include "launcher/options/profile_options.h"

#include <CLI/CLI.hpp>

#include "launcher/process/environment.h"

namespace understudy::launcher {

void declare_profile(CLI::App& app, ProfileOptions& options) {
  app.add_option("--profile", options.profile,
                 "runtime profile, name or file (steady); see understudy env --list")
      ->type_name("NAME|FILE");
  app.add_option("--set", options.set_words,
                 "override a value of the profile (cache.policy=shared); repeatable")
      ->type_name("GROUP.KEY=VALUE")
      ->allow_extra_args(false);
}

configs::ProfileLibrary profile_library(const Environment& environment) {
  std::vector<std::string> folders = {"understudy/profiles"};
  if (!environment.config_home.empty())
    folders.push_back(environment.config_home + "/understudy/profiles");
  return configs::ProfileLibrary(std::move(folders));
}

configs::ResolvedProfile resolve_profile(const ProfileOptions& options,
                                         const Environment& environment) {
  // Options of their own (--numerics) and --set are equal: two different values for one key are an
  // error of apply_settings().
  std::vector<configs::Setting> settings = options.asked;
  for (const std::string& word : options.set_words)
    settings.push_back(configs::parse_setting(word));
  // Settings of the command line are applied on top of the values of the receipt.
  if (options.of_receipt) {
    configs::ResolvedProfile resolved = *options.of_receipt;
    configs::apply_settings(settings, resolved);
    return resolved;
  }
  return profile_library(environment).resolve(options.profile, settings);
}

}  // namespace understudy::launcher
