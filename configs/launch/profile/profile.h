// SPDX-License-Identifier: Apache-2.0
// Runtime profiles: everything about a launch that a user may choose, in six groups, under one name
// (configs/profiles/*.json, embedded). understudy itself uses
// these values; launch/environment.h maps them to the variables of the frameworks. Identity and
// topology are not part of a profile: they follow from the slice. Plain values; reading
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
  std::string lock;                 // of policy shared; empty: one that works on the mount
  std::string folder;               // below the cache directory; empty: the directory itself
  std::string start = "as-is";      // or "empty": no entry may be there when the run begins
  std::uint64_t max_bytes = 0;      // 0: no bound
  // More users, by name or number, whose entries are trusted. The reader itself, root and the owner
  // of the cache folder always are.
  std::vector<std::string> trust;
  double min_compile_seconds = 0;  // frameworks do not store what compiles faster
  std::uint64_t graphs_in_memory = 2048;
  bool errors_are_fatal = false;
  bool unsafe_on_purpose = false;  // allow writers without mutual exclusion, to show its effects
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
  double timeout_seconds = 60;  // without progress
  std::vector<std::string> libtpu_init_args, xla_flags;
  std::int64_t process_port = 8476, coordinator_port = 8482;
  std::int64_t heartbeat_seconds = 100;
  std::int64_t inflight = 32;  // computations queued at the same time
  std::int64_t log_level = 1;  // of the runtime; 0 is the most verbose
  bool skip_metadata = true;
  bool multiple_libtpu = false;
  std::map<std::string, std::string> variables;  // without a key of their own
  bool operator==(const LaunchSettings&) const = default;
};

struct MemorySettings {
  std::uint64_t premapped_bytes = 0, premapped_threshold_bytes = 0;  // of each process
  std::uint64_t loader_bytes = 0;    // used by data loading, per host
  std::uint64_t headroom_bytes = 0;  // for the operating system
  std::uint64_t host_bytes = 0;      // of one host; 0: as in the chip's specification
  bool operator==(const MemorySettings&) const = default;
};

struct DiagnosticSettings {
  bool diagnostic = false;  // a diagnostic profile; the settings below belong to one
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
// "" for an unknown key.
std::string value_of(const Profile& profile, const std::string& key);

// A value that --set, or an equivalent option, changed.
struct ProfileOverride {
  std::string name;         // "cache.policy"
  std::string given, used;  // in the profile; in the run
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

// A value that the user gave in addition to the profile.
struct Setting {
  std::string key, value;
  std::string source = "--set";
};
// Parses "cache.policy=shared". *Throws* Error{usage}.
Setting parse_setting(const std::string& word);

// Applies settings to the values and records each as an override. *Throws* Error{usage} for an
// unknown key, or conflicting values for one key.
void apply_settings(const std::vector<Setting>& settings, ResolvedProfile& resolved);

// One available profile.
struct ProfileListing {
  std::string name, summary, from;  // "embedded", or a path
};

// The search order for profiles: NAME.json in these folders, in their order, then the embedded
// ones. A file may extend a profile of its own name: the next one in the search order.
class ProfileLibrary {
 public:
  explicit ProfileLibrary(std::vector<std::string> folders = {}) : folders_(std::move(folders)) {}

  // `name` is a path if it has a slash or ends in .json. *Throws* Error{usage} for an unknown name
  // or setting, or conflicting settings; Error{config}.
  ResolvedProfile resolve(const std::string& name, const std::vector<Setting>& settings) const;
  std::vector<ProfileListing> list() const;

 private:
  std::vector<std::string> folders_;
};

inline constexpr std::string_view kDefaultProfile = "steady";

// The values of a profile that are part of the key of a compiled program, as in JAX and torch_xla:
// compiler flags except those that only dump, and the switches that keep locations.
std::map<std::string, std::string> code_values(const Profile& profile);

}  // namespace understudy::configs
