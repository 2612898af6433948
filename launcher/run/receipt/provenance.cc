// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/provenance.h"

#include <algorithm>
#include <array>
#include <boost/version.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gnu/libc-version.h>
#include <oneapi/dnnl/dnnl.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#include "configs/base/cache_policy.h"
#include "configs/base/file.h"
#include "configs/base/sha256.h"
#include "configs/base/version.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// Everything that may change the bits of a result or the behaviour of a start.
std::vector<configs::PackagePin> packages() {
  std::vector<configs::PackagePin> all = {
      {"understudy", fmt::format("{} ({})", version(), revision())},
      {"compiler", __VERSION__},
      {"C library", ::gnu_get_libc_version()},
      {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                            BOOST_VERSION % 100)},
      {"fmt", fmt::format("{}", FMT_VERSION)}};
  const dnnl_version_t* const dnnl = ::dnnl_version();
  all.push_back({"oneDNN", fmt::format("{}.{}.{}", dnnl->major, dnnl->minor, dnnl->patch)});
  utsname system{};
  if (::uname(&system) == 0)
    all.push_back({"kernel", fmt::format("{} {}", system.sysname, system.release)});
  return all;
}

configs::Pins pins_of_machine(const std::string& setup_script) {
  configs::Pins pins;
  pins.packages = packages();
  if (setup_script.empty()) return pins;
  pins.setup_script = fs::absolute(setup_script).lexically_normal().string();
  pins.script_sha256 = sha256_of(read_text_file(setup_script));
  return pins;
}

configs::Hardware hardware_of(const configs::LaunchInputs& inputs) {
  configs::Hardware hardware;
  hardware.chip = inputs.chip;
  hardware.topology =
      fmt::format("{}", fmt::join(inputs.shape.begin(), inputs.shape.begin() + inputs.ndims, "x"));
  for (std::int64_t axis = 0; axis < inputs.ndims; ++axis)
    hardware.wrap.push_back(inputs.wraps.at(static_cast<std::size_t>(axis)) != 0);
  hardware.hosts = inputs.hosts();
  hardware.processes = inputs.hosts() * inputs.processes_per_host();
  hardware.chips_per_process = inputs.chips_per_host() / inputs.processes_per_host();
  hardware.table = "seed";  // the built-in values of configs/chips
  return hardware;
}

}  // namespace

// "shared" if other machines may see the same files. Unknown file systems count as local: most of
// them are.
std::optional<std::string> path_class(const std::string& folder) {
  // NFS, SMB and CIFS, AFS, Ceph, Lustre, GPFS, FUSE (sshfs, gcsfuse), 9p: statfs(2).
  constexpr std::array<std::uint32_t, 9> kShared = {0x6969,     0x517b,     0xff534d42,
                                                    0x5346414f, 0x00c36400, 0x0bd00bd0,
                                                    0x47504653, 0x65735546, 0x01021997};
  std::error_code ignored;
  fs::path there = fs::absolute(folder, ignored);
  // The cache folder may not exist yet; its nearest ancestor is on the same mount.
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  struct statfs about {};
  if (::statfs(there.c_str(), &about) != 0) return std::nullopt;
  const auto kind = static_cast<std::uint32_t>(about.f_type);
  return std::ranges::find(kShared, kind) == kShared.end() ? "node-local" : "shared";
}

configs::CodeState code_state_of(const std::string& file, const std::string& search_path) {
  constexpr Seconds kPatience{2};  // git is optional information; do not delay the run
  configs::CodeState state;
  const std::string git = find_program(search_path, "git");
  if (git.empty() || file.empty()) return state;
  const std::string folder = fs::absolute(file).parent_path().string();
  const auto say = [&](std::vector<std::string> words) {
    // Without optional locks git does not refresh the index: a run must not change the user's
    // repository.
    words.insert(words.begin(), {git, "--no-optional-locks", "-C", folder});
    return run_to_end(words, kPatience);
  };
  Finished head = say({"rev-parse", "HEAD"});
  if (head.status != 0) return state;
  while (head.output.ends_with('\n')) head.output.pop_back();
  state.commit = head.output;
  const Finished changes = say({"status", "--porcelain", "--untracked-files=normal", "--", "."});
  if (changes.status == 0) state.dirty = !changes.output.empty();
  return state;
}

configs::Provenance provenance_of(const RunOptions& options, const configs::LaunchInputs& inputs,
                                  const std::string& program,
                                  const std::optional<std::string>& lock,
                                  const Environment& environment) {
  const configs::Profile& profile = inputs.profile;
  configs::Provenance provenance;
  provenance.pins = pins_of_machine(options.setup_script);
  provenance.code_state = code_state_of(program, environment.search_path);
  provenance.runtime_note.source = options.settings_from;
  provenance.hardware = hardware_of(inputs);
  provenance.cache.policy = profile.cache.policy;
  provenance.cache.lock_selftest = lock;
  if (cache_policy_named(profile.cache.policy).keeps_entries() && !inputs.cache_dir.empty())
    provenance.cache.path_class = path_class(inputs.cache_dir);
  provenance.mem = {profile.mem.premapped_bytes, profile.mem.loader_bytes,
                    profile.mem.headroom_bytes};
  return provenance;
}

}  // namespace understudy::launcher
