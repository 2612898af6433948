// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/cache_policy.h"
#include "configs/base/collective_algorithms.h"
#include "configs/base/suggest.h"
#include "configs/base/units.h"
#include "configs/base/words.h"
#include "configs/launch/profile_fields.h"

namespace understudy::configs {
namespace {

// ---- valid values -------------------------------------------------------------------------------

struct Choices {
  std::string_view key, what;
  std::vector<std::string> names;
};

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const CachePolicyRow& policy : cache_policies()) names.emplace_back(policy.name);
  return names;
}

// "": the policy's own lock.
std::vector<std::string> locks_or_none() {
  std::vector<std::string> names = {""};
  names.insert(names.end(), lock_names().begin(), lock_names().end());
  return names;
}

const std::vector<Choices>& choices() {
  static const std::vector<Choices> kChoices = {
      {"cache.policy", "a cache policy", policy_names()},
      {"cache.lock", "a lock", locks_or_none()},
      {"cache.start", "a cache start mode", {"as-is", "empty"}},
      {"shape.guard", "a shape guard", {"strict", "lenient"}},
      {"launch.processes", "a process layout", {"per-host", "per-chip"}},
      {"launch.numerics", "a numerics mode", {"tpu", "ieee"}},
      {"launch.collectives",
       "a collectives algorithm",
       {kCollectiveAlgorithms.begin(), kCollectiveAlgorithms.end()}},
  };
  return kChoices;
}

struct Range {
  std::string_view key;
  double least, most;
};
// Allowed ranges of numbers; all other numbers are limited by their type only.
// 1e9 seconds are 31 years: beyond that, time points of std::chrono overflow.
constexpr std::array<Range, 8> kRanges = {{
    {"cache.min_compile_seconds", -1, 1e9},
    {"launch.timeout_seconds", 1e-3, 1e9},
    {"launch.process_port", 1, 65535},
    {"launch.coordinator_port", 1, 65535},
    {"launch.heartbeat_seconds", 1, 1e9},
    {"launch.inflight", 1, 1e6},
    {"launch.log_level", 0, 4},
    {"diag.debug_level", 0, 2},
}};

// The error of a value, "" if it is valid.
std::string fault_of(std::string_view key, const std::string& value) {
  for (const Choices& one : choices()) {
    if (one.key != key || std::ranges::find(one.names, value) != one.names.end()) continue;
    std::vector<std::string> names = one.names;
    std::erase(names, "");
    return fmt::format("\"{}\" is not {}{} (choices: {})", value, one.what,
                       did_you_mean(value, names), join_words(names));
  }
  return "";
}
std::string fault_of(std::string_view key, double value) {
  for (const Range& one : kRanges)
    if (one.key == key && (value < one.least || value > one.most))
      return fmt::format("expected a number from {} to {}, got {}", one.least, one.most, value);
  return "";
}
std::string fault_of(std::string_view key, std::int64_t value) {
  return fault_of(key, static_cast<double>(value));
}
template <class T>
std::string fault_of(std::string_view, const T&) {
  return "";
}

// ---- visitors of fields -------------------------------------------------------------------------

template <class T>
concept Group = requires(FieldNames& names, T& group) {
  fields(names, group);
};

// Calls `act(key, value)` for every value.
template <class Act>
class EachValue {
 public:
  EachValue(Act& act, std::string prefix) : act_(act), prefix_(std::move(prefix)) {}
  template <class T>
  void operator()(std::string_view name, T& value) {
    const std::string key =
        prefix_.empty() ? std::string(name) : fmt::format("{}.{}", prefix_, name);
    if constexpr (Group<T>) {
      EachValue inner(act_, key);
      fields(inner, value);
    } else {
      act_(key, value);
    }
  }

 private:
  Act& act_;
  std::string prefix_;
};

template <class P, class Act>
void each_value(P& profile, Act&& act) {
  EachValue<std::remove_reference_t<Act>> visitor(act, "");
  fields(visitor, profile);
}

// Applies the values in a document; with `all`, every key is required.
// One visitor for the complete base profile and for partial ones: `all` makes a forgotten key of
// the base an error.
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
    if constexpr (Group<T>) {
      FieldNames known;
      fields(known, value);
      found->only_keys(known.names());
      Overlay inner(*found, all_, given_, key);
      fields(inner, value);
    } else {
      read_value(*found, value);
      if (const std::string fault = fault_of(key, value); !fault.empty()) found->fail(fault);
      given_(key);
    }
  }

 private:
  const JsonReader& in_;
  bool all_;
  const Given& given_;
  std::string prefix_;
};

// ---- values as text -----------------------------------------------------------------------------

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }
std::string text_of(const std::vector<std::string>& value) {
  return fmt::format("{}", fmt::join(value, " "));
}
std::string text_of(const std::map<std::string, std::string>& value) {
  std::string text;
  for (const auto& [name, one] : value)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, one);
  return text;
}
template <class T>
requires std::is_arithmetic_v<T> std::string text_of(T value) { return fmt::format("{}", value); }

// NAME of "launch.variables.NAME", else "".
std::string variable_of(const std::string& key) {
  constexpr std::string_view kVariables = "launch.variables.";
  return key.starts_with(kVariables) ? key.substr(kVariables.size()) : "";
}

[[noreturn]] void refuse_setting(const std::string& key, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", key, why));
}

template <class T>
// The whole text must be a number.
T number_from(const std::string& key, std::string_view digits, std::string_view what) {
  T number{};
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (code != std::errc() || end != digits.data() + digits.size())
    refuse_setting(key, fmt::format("expected {}, got \"{}\"", what, digits));
  return number;
}

void parse(const std::string& key, const std::string& text, bool& value) {
  if (text != "true" && text != "false")
    refuse_setting(key, fmt::format("expected true or false, got \"{}\"", text));
  value = text == "true";
}
void parse(const std::string&, const std::string& text, std::string& value) { value = text; }
void parse(const std::string& key, const std::string& text, double& value) {
  value = number_from<double>(key, text, "a number");
}
void parse(const std::string& key, const std::string& text, std::int64_t& value) {
  value = number_from<std::int64_t>(key, text, "a whole number");
}
// Also accepts a unit of memory: "16GiB".
void parse(const std::string& key, const std::string& text, std::uint64_t& value) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 3> kUnits = {
      {{"GiB", kGiB}, {"MiB", kMiB}, {"KiB", kKiB}}};
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto count = number_from<std::uint64_t>(
        key, std::string_view(text).substr(0, text.size() - unit.size()), "a whole number");
    if (count > UINT64_MAX / bytes) refuse_setting(key, fmt::format("{} is too large", text));
    value = count * bytes;
    return;
  }
  value = number_from<std::uint64_t>(key, text, "a whole number, or one with KiB, MiB or GiB");
}
void parse(const std::string&, const std::string& text, std::vector<std::string>& value) {
  value = nonempty_words(text, ' ');
}
void parse(const std::string& key, const std::string&, std::map<std::string, std::string>&) {
  refuse_setting(key, "add the name of the variable: launch.variables.NAME=VALUE");
}

}  // namespace

void lay_over(const JsonReader& in, bool all, Profile& profile, const Given& given) {
  Overlay overlay(in, all, given);
  fields(overlay, profile);
}

std::string to_json(const Profile& profile) {
  JsonWriter out(JsonWriter::Layout::compact);
  write_value(out, profile);
  return out.take();
}

std::vector<SettingText> settings_of(const Profile& profile) {
  std::vector<SettingText> all;
  each_value(profile, [&](const std::string& key, const auto& value) {
    all.emplace_back(key, text_of(value));
  });
  return all;
}

// The same checks as for documents, but errors of kind `usage`: the value comes from the command
// line.
void set_value(Profile& profile, const std::string& key, const std::string& value) {
  if (const std::string variable = variable_of(key); !variable.empty()) {
    profile.launch.variables[variable] = value;
    return;
  }
  // All keys are visited, because an unknown key needs the list of all for a suggestion.
  bool done = false;
  std::vector<std::string> keys;
  each_value(profile, [&](const std::string& one, auto& field) {
    keys.push_back(one);
    if (one != key) return;
    parse(key, value, field);
    if (const std::string fault = fault_of(key, field); !fault.empty()) refuse_setting(key, fault);
    done = true;
  });
  if (done) return;
  const std::string near = did_you_mean(key, keys);
  Error error(ErrorKind::usage, fmt::format("unknown profile key \"{}\"{}", key, near));
  if (near.empty()) error.note("understudy env --list lists all keys");
  throw error;
}

std::string value_of(const Profile& profile, const std::string& key) {
  if (const std::string variable = variable_of(key); !variable.empty()) {
    const auto found = profile.launch.variables.find(variable);
    return found == profile.launch.variables.end() ? "" : found->second;
  }
  for (const auto& [one, value] : settings_of(profile))
    if (one == key) return value;
  return "";
}

Setting parse_setting(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || word.find('.') > equals)
    throw Error(
        ErrorKind::usage,
        fmt::format("--set takes GROUP.KEY=VALUE, such as cache.policy=shared, not '{}'", word));
  return {word.substr(0, equals), word.substr(equals + 1), "--set"};
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
