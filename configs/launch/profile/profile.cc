// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/profile/profile.h"

#include <fmt/format.h>
#include <optional>

#include "configs/launch/profile/profile_fields.h"
#include "configs/launch/profile/profile_limits.h"

namespace understudy::configs {
namespace {

// Applies the values in a document: one visitor for the complete base profile and for partial ones.
// `all` makes a forgotten key of the base an error.
class Overlay {
 public:
  Overlay(const JsonReader& in, bool all, const Given& given, std::string prefix = "")
      : in_(in), all_(all), given_(given), prefix_(std::move(prefix)) {}

  template <class T>
  void operator()(std::string_view name, T& value) {
    const auto found = all_ ? std::optional(in_.at(name)) : in_.find(name);
    if (!found) return;
    const std::string key =
        prefix_.empty() ? std::string(name) : fmt::format("{}.{}", prefix_, name);
    if constexpr (SettingsGroup<T>) {
      FieldNames known;
      fields(known, value);
      found->only_keys(known.names());
      Overlay inner(*found, all_, given_, key);
      fields(inner, value);
    } else {
      read_value(*found, value);
      if (const std::string reason = invalid_reason(key, value); !reason.empty())
        found->fail(reason);
      given_(key);
    }
  }

 private:
  const JsonReader& in_;
  bool all_;
  const Given& given_;
  std::string prefix_;
};

}  // namespace

void overlay(const JsonReader& in, bool all, Profile& profile, const Given& given) {
  Overlay overlay(in, all, given);
  fields(overlay, profile);
}

std::string to_json(const Profile& profile) {
  JsonWriter out(JsonWriter::Layout::compact);
  write_value(out, profile);
  return out.take();
}

// Values that are off or empty are left out, so that adding a new setting does not change the keys
// of existing entries.
// Only what changes compiled code belongs to a cache key; timeouts or ports would only cause
// misses.
std::map<std::string, std::string> code_values(const Profile& profile) {
  std::map<std::string, std::string> values;
  const auto add_flags = [&](const char* name, const std::vector<std::string>& flags) {
    for (const std::string& flag : flags) {
      // Dump flags do not change the compiled code.
      if (flag.starts_with("--xla_dump")) continue;
      std::string& text = values[name];
      text += (text.empty() ? "" : " ") + flag;
    }
  };
  add_flags("libtpu_init_args", profile.launch.libtpu_init_args);
  add_flags("xla_flags", profile.launch.xla_flags);
  if (profile.diag.ir_debug) values["ir_debug"] = "1";
  if (profile.diag.hlo_debug) values["hlo_debug"] = "1";
  return values;
}

}  // namespace understudy::configs
