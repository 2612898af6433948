// SPDX-License-Identifier: Apache-2.0
// Runtime profiles: everything about a launch that a person may choose, in six groups, under one
// name (configs/profiles/*.json, embedded; bring-up facts, sections 2.3 to 2.8). The values are
// what the program itself goes by; launch/environment.h says which variables of frameworks each
// stands for. Identity and topology are no part: nobody edits those by hand. Plain values; reading
// validates.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::configs {

struct SpmdSettings {
  bool enabled = true;  // off: replicas only, one program per chip
  bool operator==(const SpmdSettings&) const = default;
};

struct CacheSettings {
  std::string policy = "per-host";  // cache/policy.h
  std::string lock;                 // of policy shared; empty: what really excludes there
  std::string folder;               // below the cache directory; empty: the directory itself
  std::string start = "as-is";      // or "empty": no entry may be there when the run begins
  std::uint64_t max_bytes = 0;      // 0: no bound
  // Users, by name or number, whose entries are used too. The reader's own, root's and those of the
  // owner of the cache folder always are.
  std::vector<std::string> trust;
  double min_compile_seconds = 0;  // frameworks do not store what compiles faster
  std::uint64_t graphs_in_memory = 2048;
  bool errors_are_fatal = false;
  bool unsafe_on_purpose = false;  // writers that nothing keeps apart are what is to be seen
  bool operator==(const CacheSettings&) const = default;
};

struct ShapeSettings {
  std::string guard = "strict";    // or "lenient": a new shape is counted, not refused
  bool scalars_are_inputs = true;  // 0 and 1 do not become constants of the graph
  std::vector<std::string> experimental;
  bool operator==(const ShapeSettings&) const = default;
};

struct LaunchSettings {
  std::string device = "TPU";          // the kind that PJRT is to start
  std::string processes = "per-host";  // or "per-chip"
  std::string numerics = "tpu", collectives = "auto";
  double timeout_seconds = 60;  // of lack of progress
  std::vector<std::string> libtpu_init_args, xla_flags;
  std::int64_t process_port = 8476, coordinator_port = 8482;
  std::int64_t heartbeat_seconds = 100;
  std::int64_t inflight = 32;  // computations that are queued at once
  std::int64_t log_level = 1;  // of the runtime: 0 says most
  bool skip_metadata = true;
  bool multiple_libtpu = false;
  std::map<std::string, std::string> variables;  // what no other key stands for
  bool operator==(const LaunchSettings&) const = default;
};

struct MemorySettings {
  std::uint64_t premapped_bytes = 0, premapped_threshold_bytes = 0;  // of each process
  std::uint64_t loader_bytes = 0;    // that data loading keeps, of each host
  std::uint64_t headroom_bytes = 0;  // that the operating system needs
  std::uint64_t host_bytes = 0;      // of one host; 0: as the chip's machines have
  bool operator==(const MemorySettings&) const = default;
};

struct DiagnosticSettings {
  bool diagnostic = false;  // a profile for looking; all that follows belongs to such
  bool ir_debug = false, hlo_debug = false;
  std::int64_t debug_level = 0;  // 0, 1 or 2
  bool explain_cache_misses = false, log_compiles = false;
  bool log_allocations_on_oom = false, abort_on_hangs = false;
  std::string dump_to;  // folder; empty: nothing is dumped
  bool operator==(const DiagnosticSettings&) const = default;
};

struct Profile {
  SpmdSettings spmd;
  CacheSettings cache;
  ShapeSettings shape;
  LaunchSettings launch;
  MemorySettings mem;
  DiagnosticSettings diag;
  bool operator==(const Profile&) const = default;
};

// "cache.policy", "per-host".
using SettingText = std::pair<std::string, std::string>;

// One line, the same bytes for the same values.
std::string to_json(const Profile& profile);
// Every value as text, in the order of the document.
std::vector<SettingText> settings_of(const Profile& profile);
// Sets one value. *Throws* Error{usage}: unknown keys with the nearest known ones, values of the
// wrong kind.
void set_value(Profile& profile, const std::string& key, const std::string& value);
// "" for a key that there is not.
std::string value_of(const Profile& profile, const std::string& key);

// What --set, or an option that stands for it, made of a value.
struct ProfileOverride {
  std::string name;         // "cache.policy"
  std::string given, used;  // what the profile says; what the run goes by
  std::string source;       // "--set", "--cache-policy"
  bool operator==(const ProfileOverride&) const = default;
};

struct ResolvedProfile {
  std::string name, summary;
  std::vector<std::string> lineage;  // the profiles it extends, nearest first
  Profile values;
  std::map<std::string, std::string> sources;  // of each key: name of a profile, or "--set"
  std::vector<ProfileOverride> overrides;
};

// A value that somebody asked for beside the profile.
struct Setting {
  std::string key, value;
  std::string source = "--set";
};
// "cache.policy=shared" taken apart. *Throws* Error{usage}.
Setting parse_setting(const std::string& word);

// Lays settings over values that are there; notes each as an override. *Throws* Error{usage} for an
// unknown one, or two of one key that differ.
void apply_settings(const std::vector<Setting>& settings, ResolvedProfile& resolved);

// One that can be named.
struct ProfileListing {
  std::string name, summary, from;  // "embedded", or a path
};

// Where profiles are found: NAME.json in these folders, in their order, then the embedded ones. A
// file may extend one of its own name, which is then the next to be found.
class ProfileLibrary {
 public:
  explicit ProfileLibrary(std::vector<std::string> folders = {}) : folders_(std::move(folders)) {}

  // `name` is a name, or a path where it has a slash or ends in .json. *Throws* Error{usage} for
  // an unknown name or setting, or two settings of one key that differ; Error{config}.
  ResolvedProfile resolve(const std::string& name, const std::vector<Setting>& settings) const;
  std::vector<ProfileListing> list() const;

 private:
  std::vector<std::string> folders_;
};

inline constexpr std::string_view kDefaultProfile = "steady";

// What of a profile is part of the key of a compiled program, as JAX and torch_xla hash it: flags
// of the compiler but those that only dump, and the switches that keep locations.
std::map<std::string, std::string> code_values(const Profile& profile);

}  // namespace understudy::configs
