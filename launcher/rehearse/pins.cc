// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/pins.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string_view>

namespace understudy::launcher {
namespace {

using configs::Receipt;

struct PinRow {
  std::string_view name;
  bool must;
};
// In the order in which they are shown.
constexpr std::array<PinRow, 14> kRows = {{{"understudy", true},
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
                                           {"MPI", false},
                                           {"processor", false}}};

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string value_of(const Pins& pins, std::string_view name) {
  const auto found = pins.find(std::string(name));
  return found == pins.end() ? "unknown" : found->second;
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Pins pins_of(const Receipt& receipt) {
  std::set<std::string> processors;
  for (const configs::ChipSeen& chip : receipt.chips)
    if (chip.started)
      processors.insert(
          fmt::format("{}, {}, {}", chip.started->cpu, chip.started->isa, chip.started->mxu));
  const auto& compile = receipt.compile;
  return {{"understudy", receipt.versions.understudy},
          {"revision", receipt.versions.revision},
          {"slice", receipt.slice},
          {"chips", fmt::format("{}", receipt.chip_count)},
          {"hosts", fmt::format("{}", receipt.host_count)},
          {"program", or_none(receipt.program.digest)},
          {"numerics", receipt.program.numerics},
          {"collectives", receipt.program.collectives},
          {"steps", fmt::format("{}", receipt.steps.size())},
          {"cache policy", compile ? compile->policy : "none"},
          {"cache key", compile ? fmt::format("{}", fmt::join(compile->keys, ", ")) : "none"},
          {"faults", or_none(fmt::format("{}", fmt::join(receipt.faults, ", ")))},
          {"MPI", fmt::format("{}", fmt::join(receipt.versions.mpi, "; "))},
          {"processor", fmt::format("{}", fmt::join(processors, "; "))}};
}

std::vector<configs::PinSeen> compared(const Pins& then, const Pins& now) {
  std::vector<configs::PinSeen> all;
  for (const PinRow& row : kRows) {
    configs::PinSeen seen;
    seen.name = row.name;
    seen.then = value_of(then, row.name);
    seen.now = value_of(now, row.name);
    seen.same = seen.then == seen.now;
    seen.must = row.must;
    all.push_back(std::move(seen));
  }
  return all;
}

Origin origin_of(const Receipt& receipt) {
  Origin origin;
  origin.pins =
      receipt.restore && !receipt.restore->pins.empty() ? receipt.restore->pins : pins_of(receipt);
  if (receipt.ladder) {
    origin.ladder = receipt.ladder->name;
    if (!receipt.restore)
      origin.cannot.emplace_back("the rehearsal met its frontier before a canary was restored");
  } else {
    origin.program = receipt.program.path;
  }
  if (value_of(origin.pins, "program") == "none")
    origin.cannot.emplace_back("no program ran: there is nothing to compare with");
  if (value_of(origin.pins, "faults") != "none")
    origin.cannot.emplace_back("faults were injected: they are not injected again");
  return origin;
}

RunOptions restored_options(const Origin& origin, RunOptions options,
                            const std::vector<std::string>& given) {
  const auto is_given = [&](const char* name) { return std::ranges::count(given, name) > 0; };
  const auto take = [&](const char* name, const char* pin, std::string& value) {
    const std::string then = value_of(origin.pins, pin);
    if (!is_given(name) && then != "unknown" && then != "none" && !then.empty()) value = then;
  };
  take("numerics", "numerics", options.numerics);
  take("collectives", "collectives", options.collectives);
  take("cache-policy", "cache policy", options.cache_policy);
  if (!is_given("slice")) {
    options.slice.request.slice = value_of(origin.pins, "slice");
    options.slice.hosts = number(value_of(origin.pins, "hosts"));
  }
  if (!is_given("steps")) options.steps = number(value_of(origin.pins, "steps"));
  return options;
}

}  // namespace understudy::launcher
