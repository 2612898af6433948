// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/launch/environment.h"
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

// "2xv5e-16" means two v5e-16 slices joined by DCN. Returns the count and leaves the slice name.
std::int64_t take_slices(std::string& slice) {
  std::int64_t count = 0;
  const char* const end = slice.data() + slice.size();
  const auto [stop, code] = std::from_chars(slice.data(), end, count);
  if (code != std::errc() || stop == end || *stop != 'x' || count < 1) return 1;
  slice.erase(0, static_cast<std::size_t>(stop + 1 - slice.data()));
  return count;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

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
    // LaunchInputs describes one slice; --host counts over all slices.
    const std::int64_t host = host_ % inputs.hosts();
    const HostEnvironment shown{inputs, profile, host_, process_,
                                configs::launch_environment(inputs, host, process_)};
    if (json_) format_ = "json";
    console.document(format_ == "json"         ? environment_json(shown)
                     : format_ == "kubernetes" ? environment_kubernetes(shown)
                                               : environment_shell(shown));
    return 0;
  }

 private:
  // The same inputs that a run would use, so `env` prints exactly the environment of a worker.
  LaunchInputs inputs_for(const configs::ResolvedProfile& profile, const Environment& environment) {
    const std::int64_t slices = take_slices(slice_.request.slice);
    const configs::Slice slice = configs::make_slice(request_of(slice_));
    const auto chips = static_cast<std::int64_t>(slice.chips.size());
    LaunchInputs inputs = configs::inputs_of(slice, profile.values, chips);
    inputs.slices = slices;
    const std::int64_t hosts = slices * slice.hosts;
    if (host_ >= hosts)
      throw Error(ErrorKind::usage,
                  fmt::format("--host {} is out of range: the pod has {} hosts, 0 to {}", host_,
                              hosts, hosts - 1));
    if (process_ >= inputs.processes_per_host())
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "--process {} is out of range: launch.processes of the profile gives each host {}",
              process_, inputs.processes_per_host()));
    inputs.slice_id = host_ / slice.hosts;
    name_hosts(inputs, hosts);
    const std::string base =
        cache_dir_.empty() ? environment.cache_home + "/understudy" : cache_dir_;
    const std::string& folder = profile.values.cache.folder;
    inputs.cache_dir = folder.empty() ? base : base + "/" + folder;
    return inputs;
  }

  // `all`: the number of hosts of all slices, slice by slice.
  void name_hosts(LaunchInputs& inputs, std::int64_t all) const {
    const std::int64_t each = inputs.hosts();
    std::vector<std::string> names =
        host_names_.empty() ? std::vector<std::string>() : split(host_names_);
    if (names.empty() && inputs.slices == 1) return;
    for (std::int64_t host = 0; host_names_.empty() && host < all; ++host)
      names.push_back(fmt::format("{}-s{}-{}", inputs.slice, host / each, host % each));
    if (static_cast<std::int64_t>(names.size()) != all)
      throw Error(ErrorKind::usage,
                  fmt::format("--hostnames has {} names for {} hosts", names.size(), all));
    // The coordinator of a multislice job is the first host of the first slice;
    // TPU_WORKER_HOSTNAMES lists only the hosts of one slice.
    inputs.coordinator = names.front();
    const auto first = names.begin() + inputs.slice_id * each;
    inputs.host_names.assign(first, first + each);
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
