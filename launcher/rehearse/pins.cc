// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/pins.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string_view>

#include "configs/base/digest.h"
#include "configs/launch/joined_slices.h"

namespace understudy::launcher {
namespace {

using configs::Receipt;

struct PinRow {
  std::string_view name;
  bool must;
};
// In display order. `must`: a difference fails the restore.
constexpr std::array<PinRow, 18> kPins = {{{"understudy", true},
                                           {"revision", true},
                                           {"slice", true},
                                           {"chips", true},
                                           {"hosts", true},
                                           {"program", true},
                                           {"numerics", true},
                                           {"collectives", true},
                                           {"steps", true},
                                           {"cache policy", true},
                                           {"cache key", true},
                                           {"faults", true},
                                           {"reproducible", true},
                                           {"environment", true},
                                           {"profile", false},
                                           {"results", false},
                                           {"MPI", false},
                                           {"processor", false}}};

constexpr const char* kUnknown = "unknown";  // not recorded in the old receipt

std::string truth(const std::optional<bool>& value) {
  return value ? (*value ? "true" : "false") : kUnknown;
}
std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string value_of(const Pins& pins, std::string_view name) {
  const auto found = pins.find(std::string(name));
  return found == pins.end() ? kUnknown : found->second;
}

// 0 for a text that is no number; callers take 0 as "not given".
std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

// "none" means that the run had no such value; kUnknown means that the receipt does not say.
Pins pins_of(const Receipt& receipt) {
  std::set<std::string> processors;
  for (const configs::RankSeen& chip : receipt.ranks)
    if (chip.started)
      processors.insert(
          fmt::format("{}, {}, {}", chip.started->cpu, chip.started->isa, chip.started->mxu));
  const auto& compile = receipt.compile;
  const auto& launch = receipt.launch;
  // One digest for all results: a difference is only worth a recheck, and the runs' receipts name
  // the result.
  Digester results;
  for (const configs::ResultReceipt& result : receipt.results)
    results.add(result.digest.value_or("none"));
  const std::string tool = receipt.tool_version.value_or(kUnknown);
  return {{"understudy", tool.substr(0, tool.find(" ("))},
          {"revision", receipt.versions.revision},
          {"slice", receipt.slice},
          {"chips", fmt::format("{}", receipt.chip_count.value_or(0))},
          {"hosts", fmt::format("{}", receipt.host_count.value_or(0))},
          {"program", or_none(receipt.program.digest)},
          {"numerics", receipt.program.numerics},
          {"collectives", receipt.program.collectives},
          {"steps", fmt::format("{}", receipt.steps.size())},
          {"cache policy", receipt.cache ? receipt.cache->policy : "none"},
          {"cache key", compile ? fmt::format("{}", fmt::join(compile->keys, ", ")) : "none"},
          {"faults", or_none(fmt::format("{}", fmt::join(receipt.faults, ", ")))},
          {"reproducible", truth(receipt.program.reproducible)},
          {"environment", launch ? launch->env_sha256 : kUnknown},
          {"profile", launch ? launch->profile : kUnknown},
          {"results", receipt.results.empty() ? "none" : results.hex()},
          {"MPI", fmt::format("{}", fmt::join(receipt.versions.mpi, "; "))},
          {"processor", fmt::format("{}", fmt::join(processors, "; "))}};
}

std::vector<configs::PinSeen> compared(const Pins& then, const Pins& now) {
  std::vector<configs::PinSeen> all;
  for (const PinRow& row : kPins) {
    configs::PinSeen seen;
    seen.name = row.name;
    seen.then = value_of(then, row.name);
    seen.now = value_of(now, row.name);
    seen.same = seen.then == seen.now;
    // An old receipt may lack a pin; that cannot fail a restore.
    seen.must = row.must && seen.then != kUnknown;
    all.push_back(std::move(seen));
  }
  return all;
}

std::vector<configs::PinSeen> changed_values(const configs::Profile& then,
                                             const configs::Profile& now) {
  // These settings have pins of their own; report each difference once.
  static const std::set<std::string> kHavePins = {"launch.numerics", "launch.collectives",
                                                  "cache.policy"};
  std::vector<configs::PinSeen> all;
  for (const auto& [key, value] : settings_of(then)) {
    const std::string other = value_of(now, key);
    if (value != other && !kHavePins.contains(key)) all.push_back({key, value, other, false, true});
  }
  return all;
}

// Collects what a restore can repeat, and in `cannot` what it cannot.
Origin origin_of(const Receipt& receipt) {
  Origin origin;
  origin.launch = receipt.launch;
  const bool has_canary = receipt.restore && !receipt.restore->pins.empty();
  origin.pins = has_canary ? receipt.restore->pins : pins_of(receipt);
  if (receipt.ladder) {
    origin.ladder = receipt.ladder->name;
    if (!has_canary) {
      // These pins describe the last rung that ran, not the canary.
      for (const char* of_program : {"program", "steps", "cache key", "results"})
        origin.pins.erase(of_program);
      origin.cannot.emplace_back("the rehearsal failed before its canary was restored");
    }
  } else {
    origin.program = receipt.program.path;
    origin.cannot.emplace_back(
        "arguments, which receipts do not store; those of the program's "
        "folder or random values are used");
  }
  if (value_of(origin.pins, "program") == "none")
    origin.cannot.emplace_back("no program ran, so there is nothing to compare with");
  if (value_of(origin.pins, "faults") != "none")
    origin.cannot.emplace_back("the injected faults are not injected again");
  std::set<std::string> machines;
  for (const configs::HostSeen& host : receipt.hosts)
    machines.insert(host.machines.begin(), host.machines.end());
  if (machines.size() > 1)
    origin.cannot.push_back(
        fmt::format("the run used {} machines ({}); select machines with --hostfile",
                    machines.size(), fmt::join(machines, ", ")));
  return origin;
}

// The profile is restored by value, not by name: the profile of that name may have changed since,
// or not exist here.
RunOptions restored_options(const Origin& origin, RunOptions options,
                            const std::vector<std::string>& given) {
  const auto is_given = [&](const char* name) { return std::ranges::count(given, name) > 0; };
  // The receipt of the new run names where its settings came from.
  options.settings_from = "run_receipt";
  if (origin.launch && !is_given("profile")) {
    options.profile.profile = origin.launch->profile;
    configs::ResolvedProfile then;
    then.name = origin.launch->profile;
    then.lineage = origin.launch->lineage;
    then.values = origin.launch->groups;
    for (const auto& [key, value] : settings_of(then.values)) then.sources[key] = "the receipt";
    for (const configs::LaunchOverride& one : origin.launch->overrides)
      if (one.how == "set")
        then.overrides.push_back(
            {one.name, one.given.value_or(""), one.used.value_or(""), one.source});
    options.profile.of_receipt = std::move(then);
  }
  // Hosts belong to a slice: a slice given on the command line has its own number of them.
  if (!is_given("slice") && !is_given("chip") && !is_given("topology")) {
    options.slice.request.slice = value_of(origin.pins, "slice");
    std::string one = options.slice.request.slice;
    const std::int64_t slices = configs::take_joined(one);
    if (!is_given("hosts") && !is_given("chips-per-host"))
      // The receipt counts the hosts of all joined slices, --hosts those of each.
      options.slice.hosts = number(value_of(origin.pins, "hosts")) / slices;
  }
  if (!is_given("steps")) options.steps = number(value_of(origin.pins, "steps"));
  if (value_of(origin.pins, "reproducible") == "true") options.reproducible = true;
  return options;
}

}  // namespace understudy::launcher
