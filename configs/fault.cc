// SPDX-License-Identifier: Apache-2.0
#include "configs/fault.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/flight.h"

namespace understudy::configs {
namespace {

constexpr std::array<FaultForm, 6> kForms = {{
    {FaultKind::kill, "kill", "rank", false, "kill:rank=3,at=all_reduce#5",
     "the process of a rank is killed (SIGKILL)"},
    {FaultKind::stop, "stop", "rank", false, "stop:rank=3,at=all_reduce#5",
     "the process of a rank is stopped (SIGSTOP)"},
    {FaultKind::delay, "delay", "rank", true, "delay:rank=2,ms=50",
     "a rank enters its collectives late"},
    {FaultKind::drop_host, "drop-host", "host", false, "drop-host:1",
     "all ranks of an emulated host are killed"},
    {FaultKind::mismatch, "mismatch", "rank", false, "mismatch:rank=1,at=all_reduce#5",
     "a rank enters another collective than its peers"},
    {FaultKind::cache_key, "cache-key", "rank", false, "cache-key:rank=2",
     "a rank's cache key has a part that others do not have, as of another build"},
}};

using Pairs = std::map<std::string, std::string>;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("--fault {}: {}", text, why));
}

const FaultForm& form_of(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const auto found = std::ranges::find(kForms, name, &FaultForm::name);
  if (found != kForms.end()) return *found;
  std::vector<std::string> names;
  for (const FaultForm& form : kForms) names.emplace_back(form.name);
  refuse(text, fmt::format("there is no fault \"{}\"{}; faults are {}", name,
                           did_you_mean(name, names), join_words(names)));
}

[[noreturn]] void refuse_form(const std::string& text, const FaultForm& form,
                              const std::string& why) {
  refuse(text, fmt::format("{}; an example is --fault {}", why, form.example));
}

// "rank=3,at=all_reduce#5"; a word without a key is the target.
Pairs pairs_of(const std::string& text, const FaultForm& form) {
  Pairs pairs;
  const std::size_t colon = text.find(':');
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string part = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const std::size_t equals = part.find('=');
    const std::string key =
        equals == std::string::npos ? std::string(form.target) : part.substr(0, equals);
    const bool known =
        key == form.target || key == "at" || (key == "ms" && form.takes_milliseconds);
    if (!known) refuse_form(text, form, fmt::format("{} takes no \"{}\"", form.name, key));
    const std::string value = equals == std::string::npos ? part : part.substr(equals + 1);
    if (!pairs.emplace(key, value).second)
      refuse_form(text, form, fmt::format("\"{}\" is given twice", key));
  }
  return pairs;
}

template <class T>
std::optional<T> number_of(std::string_view digits) {
  T number{};
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = code == std::errc() && end == digits.data() + digits.size();
  return whole && number >= T{} ? std::optional(number) : std::nullopt;
}

std::optional<FaultMoment> moment_of(const std::string& word) {
  const std::size_t sign = word.find('#');
  if (sign == std::string::npos) return std::nullopt;
  const auto kind = collective_kind_of(word.substr(0, sign));
  const auto number = number_of<std::uint64_t>(std::string_view(word).substr(sign + 1));
  if (!kind || !number || *number == 0) return std::nullopt;
  return FaultMoment{*kind, *number};
}

}  // namespace

std::span<const FaultForm> fault_forms() { return kForms; }

Fault parse_fault(const std::string& text) {
  const FaultForm& form = form_of(text);
  const Pairs pairs = pairs_of(text, form);
  Fault fault;
  fault.kind = form.kind;
  const auto target = pairs.find(std::string(form.target));
  if (target == pairs.end()) refuse_form(text, form, fmt::format("it needs a {}", form.target));
  const auto number = number_of<std::int64_t>(target->second);
  if (!number) refuse_form(text, form, fmt::format("\"{}\" is no {}", target->second, form.target));
  fault.target = *number;
  if (const auto at = pairs.find("at"); at != pairs.end()) {
    fault.at = moment_of(at->second);
    if (!fault.at)
      refuse_form(text, form,
                  fmt::format("\"{}\" is not the n-th of a kind of collectives", at->second));
  }
  if (!form.takes_milliseconds) return fault;
  const auto late = pairs.find("ms");
  const auto milliseconds = late == pairs.end() ? std::nullopt : number_of<double>(late->second);
  if (!milliseconds || !std::isfinite(*milliseconds))
    refuse_form(text, form, "it needs a number of milliseconds");
  fault.milliseconds = *milliseconds;
  return fault;
}

}  // namespace understudy::configs
