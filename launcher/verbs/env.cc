// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/base/words.h"
#include "configs/launch/environment.h"
#include "configs/launch/joined_slices.h"
#include "launcher/options/profile_options.h"
#include "launcher/options/ranges.h"
#include "launcher/options/slice_options.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/env_text.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

using configs::LaunchInputs;

// Prints what a user needs to start the same program on real TPUs, or to compare with a host.
class Env final : public Command {
 public:
  void declare(CLI::App& app) override {
    declare_slice(app, slice_);
    declare_profile(app, profile_);
    app.add_option("--host", host_, "host index, counted over all slices (0)")
        ->type_name("H")
        ->check(at_least(0));
    app.add_option("--process", process_,
                   "process index on the host, if each chip has its own process (0)")
        ->type_name("P")
        ->check(at_least(0));
    app.add_option("--hostnames", host_names_, "comma-separated names of all hosts, by worker id")
        ->type_name("NAMES");
    app.add_option("--cache-dir", cache_dir_, "folder of the compile cache on that host")
        ->type_name("DIR");
    app.add_option("--format", format_, "output format: shell (default), json or kubernetes")
        ->type_name("FORM")
        ->check(CLI::IsMember({"shell", "json", "kubernetes"}));
    app.add_flag("--json", json_,
                 "print JSON (understudy/environment/1, of --list understudy/profiles/1)");
    app.add_flag("--list", list_, "list the profiles, and the values of the selected profile");
  }

  int run(const Console& console, const Environment& environment) override {
    const configs::ResolvedProfile profile = resolve_profile(profile_, environment);
    if (list_) {
      const std::vector<configs::ProfileListing> all = profile_library(environment).list();
      json_ ? console.document(profiles_json(all, profile))
            : console.result(profiles_text(all, profile));
      return 0;
    }
    if (slice_.request.slice.empty() && slice_.request.chip.empty()) {
      Error error(ErrorKind::usage, "env requires a slice, such as --slice v6e-16");
      throw error.note("understudy env --list lists the profiles");
    }
    const LaunchInputs inputs = inputs_for(profile, environment);
    const HostEnvironment shown{inputs, profile, host_, process_,
                                configs::launch_environment(inputs, host_, process_)};
    // --json is the common option of all verbs; --format json means the same.
    if (json_) format_ = "json";
    console.document(format_ == "json"         ? environment_json(shown)
                     : format_ == "kubernetes" ? environment_kubernetes(shown)
                                               : environment_shell(shown));
    return 0;
  }

 private:
  // The same inputs that a run would use, so `env` prints exactly the environment of a worker.
  LaunchInputs inputs_for(const configs::ResolvedProfile& profile, const Environment& environment) {
    const configs::Slice slice = configs::make_joined(request_of(slice_));
    const auto chips = static_cast<std::int64_t>(slice.chips.size());
    LaunchInputs inputs = configs::inputs_of(slice, profile.values, chips);
    if (host_ >= slice.hosts)
      throw Error(ErrorKind::usage,
                  fmt::format("--host {} is out of range: the pod has {} hosts, 0 to {}", host_,
                              slice.hosts, slice.hosts - 1));
    if (process_ >= inputs.processes_per_host())
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "--process {} is out of range: launch.processes of the profile gives each host {}",
              process_, inputs.processes_per_host()));
    name_hosts(inputs);
    const std::string base =
        cache_dir_.empty() ? environment.cache_home + "/understudy" : cache_dir_;
    const std::string& folder = profile.values.cache.folder;
    inputs.cache_dir = folder.empty() ? base : base + "/" + folder;
    return inputs;
  }

  // The coordinator of a multislice job is the first host of the first slice.
  void name_hosts(LaunchInputs& inputs) const {
    if (host_names_.empty()) return;
    std::vector<std::string> names = split(host_names_, ',');
    if (static_cast<std::int64_t>(names.size()) != inputs.hosts())
      throw Error(ErrorKind::usage, fmt::format("--hostnames has {} names for {} hosts",
                                                names.size(), inputs.hosts()));
    inputs.coordinator = names.front();
    inputs.host_names = std::move(names);
  }

  SliceOptions slice_;
  ProfileOptions profile_;
  std::int64_t host_ = 0, process_ = 0;
  std::string host_names_, cache_dir_, format_ = "shell";
  bool json_ = false, list_ = false;
};

}  // namespace

std::unique_ptr<Command> make_env() { return std::make_unique<Env>(); }

}  // namespace understudy::launcher
