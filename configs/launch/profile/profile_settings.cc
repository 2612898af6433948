// SPDX-License-Identifier: Apache-2.0
// Single values of a profile by their keys: as text, and from the command line.
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <type_traits>

#include "configs/base/suggest.h"
#include "configs/base/units.h"
#include "configs/base/words.h"
#include "configs/launch/profile/profile_fields.h"
#include "configs/launch/profile/profile_limits.h"

namespace understudy::configs {
namespace {

// Calls `act(key, value)` for every value.
template <class Act>
class EachValue {
 public:
  EachValue(Act& act, std::string prefix) : act_(act), prefix_(std::move(prefix)) {}
  template <class T>
  void operator()(std::string_view name, T& value) {
    const std::string key =
        prefix_.empty() ? std::string(name) : fmt::format("{}.{}", prefix_, name);
    if constexpr (SettingsGroup<T>) {
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

// The whole text must be a number.
template <class T>
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
    if (const std::string reason = invalid_reason(key, field); !reason.empty())
      refuse_setting(key, reason);
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

}  // namespace understudy::configs
