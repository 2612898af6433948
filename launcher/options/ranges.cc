// SPDX-License-Identifier: Apache-2.0
#include "launcher/options/ranges.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace understudy::launcher {
namespace {

template <class Number>
// from_chars() instead of CLI11's conversion: it does not depend on the locale and refuses trailing
// characters.
std::optional<Number> number_of(std::string_view word) {
  // from_chars() takes no plus sign, which people write.
  if (word.size() > 1 && word.starts_with('+') && word[1] != '-') word.remove_prefix(1);
  Number value{};
  const char* const end = word.data() + word.size();
  const auto [stop, code] = std::from_chars(word.data(), end, value);
  if (code != std::errc() || stop != end) return std::nullopt;
  return value;
}

// The empty description keeps the check out of the help, where type names say enough.
CLI::Validator reals(const char* expected, bool (*fits)(double)) {
  return {[=](const std::string& word) -> std::string {
            const std::optional<double> value = number_of<double>(word);
            if (value && std::isfinite(*value) && fits(*value)) return "";
            return fmt::format("expected {}, got {}", expected, word.empty() ? "nothing" : word);
          },
          ""};
}

CLI::Validator whole_numbers(std::int64_t least, std::int64_t most, const std::string& range) {
  return {[=](const std::string& word) -> std::string {
            const std::optional<std::int64_t> value = number_of<std::int64_t>(word);
            if (value && *value >= least && *value <= most) return "";
            return fmt::format("expected a whole number, {}, got {}", range,
                               word.empty() ? "nothing" : word);
          },
          ""};
}

}  // namespace

CLI::Validator at_least(std::int64_t least) {
  return whole_numbers(least, std::numeric_limits<std::int64_t>::max(),
                       fmt::format("at least {}", least));
}

CLI::Validator between(std::int64_t least, std::int64_t most) {
  return whole_numbers(least, most, fmt::format("from {} to {}", least, most));
}

CLI::Validator more_than_zero() {
  return reals("a number greater than 0", [](double value) { return value > 0; });
}

CLI::Validator not_negative() {
  return reals("a number, at least 0", [](double value) { return value >= 0; });
}

}  // namespace understudy::launcher
