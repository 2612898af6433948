// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/profile/profile_limits.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

#include "configs/base/cache_policy.h"
#include "configs/base/collective_algorithms.h"
#include "configs/base/suggest.h"
#include "configs/base/words.h"

namespace understudy::configs {
namespace {

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

}  // namespace

std::string invalid_reason(std::string_view key, const std::string& value) {
  for (const Choices& one : choices()) {
    if (one.key != key || std::ranges::find(one.names, value) != one.names.end()) continue;
    std::vector<std::string> names = one.names;
    std::erase(names, "");
    return fmt::format("\"{}\" is not {}{} (choices: {})", value, one.what,
                       did_you_mean(value, names), join_words(names));
  }
  return "";
}

std::string invalid_reason(std::string_view key, double value) {
  for (const Range& one : kRanges)
    if (one.key == key && (value < one.least || value > one.most))
      return fmt::format("expected a number from {} to {}, got {}", one.least, one.most, value);
  return "";
}

std::string invalid_reason(std::string_view key, std::int64_t value) {
  return invalid_reason(key, static_cast<double>(value));
}

}  // namespace understudy::configs
