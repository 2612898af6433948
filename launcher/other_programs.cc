// SPDX-License-Identifier: Apache-2.0
#include "launcher/other_programs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <string_view>

#include "configs/base/error.h"
#include "configs/fault.h"
#include "program/compile.h"

namespace understudy::launcher {
namespace {

using program::Parameter;

constexpr std::array<std::string_view, 11> kCollectives = {"stablehlo.all_reduce",
                                                           "stablehlo.all_gather",
                                                           "stablehlo.reduce_scatter",
                                                           "stablehlo.all_to_all",
                                                           "stablehlo.collective_permute",
                                                           "stablehlo.collective_broadcast",
                                                           "stablehlo.collective_reduce",
                                                           "stablehlo.cross-replica-sum",
                                                           "stablehlo.custom_call",
                                                           "stablehlo.send",
                                                           "stablehlo.recv"};

// HLO's constrain_layout, as an attribute of the operation or among its frontend attributes.
constexpr std::array<std::string_view, 3> kConstraints = {"constrain_layout",
                                                          "mhlo.constrain_layout", "pin_layout"};
constexpr std::string_view kFrontend = "mhlo.frontend_attributes";

bool says_yes(const program::Attribute& attribute) {
  if (attribute.get<program::UnitAttribute>() != nullptr) return true;
  if (const auto* number = attribute.get<program::IntegerAttribute>()) return number->value != 0;
  const auto* const text = attribute.get<program::StringAttribute>();
  return text != nullptr && (text->value == "true" || text->value == "1");
}

bool constrains_layout(const std::vector<program::NamedAttribute>& attributes) {
  return std::ranges::any_of(attributes, [](const program::NamedAttribute& named) {
    const auto& [name, attribute] = named;
    if (std::ranges::find(kConstraints, name) != kConstraints.end()) return says_yes(attribute);
    const program::DictionaryAttribute* const entries = attribute.dictionary();
    return name == kFrontend && entries != nullptr && constrains_layout(entries->entries);
  });
}

void compare(const std::vector<Parameter>& ours, const std::vector<Parameter>& theirs,
             const char* what, const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("--program {}: {}", path, why))
        .note("programs that run side by side take and give the same arrays");
  };
  if (ours.size() != theirs.size())
    refuse(fmt::format("it has {} {}s, the program {}", theirs.size(), what, ours.size()));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].global != theirs[i].global || ours[i].local != theirs[i].local)
      refuse(fmt::format("{} {} is {}, in the program {}", what, i, type_text(theirs[i].global),
                         type_text(ours[i].global)));
    if (ours[i].sharding.tile_of != theirs[i].sharding.tile_of)
      refuse(fmt::format("{} {} lies on the chips in another way", what, i));
  }
}

void check_fits(const LoadedProgram& program, const OtherProgram& other) {
  const program::Interface& ours = program.interface;
  const program::Interface& theirs = other.program.interface;
  if (ours.replicas != theirs.replicas || ours.partitions != theirs.partitions)
    throw Error(ErrorKind::usage,
                fmt::format("--program {}: it is for {} replicas x {} partitions, the program for "
                            "{} x {}",
                            other.program.path, theirs.replicas, theirs.partitions, ours.replicas,
                            ours.partitions));
  compare(ours.arguments, theirs.arguments, "argument", other.program.path);
  compare(ours.results, theirs.results, "result", other.program.path);
}

void check_fault(const std::string& text, const configs::RunPlan& plan) {
  const configs::Fault fault = configs::parse_fault(text);
  const bool of_host = fault.of_host;
  const bool there = of_host ? std::ranges::count(plan.host_of, HostId(fault.target)) > 0
                             : fault.target < plan.chips;
  if (there) return;
  throw Error(ErrorKind::usage, fmt::format("--fault {}: the run has no {} {}", text,
                                            of_host ? "host" : "rank", fault.target));
}

}  // namespace

std::vector<OtherProgram> load_others(const RunOptions& options, const LoadedProgram& program) {
  std::vector<OtherProgram> others;
  std::set<std::int64_t> named;
  for (const std::string& word : options.program_words) {
    auto [ranks, file] = parse_program(word);
    for (const std::int64_t rank : ranks) {
      if (rank >= program.interface.processes())
        throw Error(ErrorKind::usage,
                    fmt::format("--program {}: the run has no rank {}", word, rank));
      if (!named.insert(rank).second)
        throw Error(ErrorKind::usage,
                    fmt::format("--program {}: rank {} has a program already", word, rank));
    }
    RunOptions own = options;
    own.program = file;
    own.replicas = program.options.replicas;
    others.push_back({std::move(ranks), load_program(own)});
    check_fits(program, others.back());
  }
  return others;
}

void add_differences(configs::RunPlan& plan, const RunOptions& options,
                     const LoadedProgram& program, const std::vector<OtherProgram>& others) {
  plan.sites = sites_of(*program.module);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const LoadedProgram& other = others[i].program;
    const std::string extension = std::filesystem::path(other.path).extension().string();
    plan.other_programs.push_back({others[i].ranks, other.path,
                                   fmt::format("program{}{}", i + 1, extension), other.digest,
                                   sites_of(*other.module)});
  }
  for (const std::string& text : options.fault_words) check_fault(text, plan);
  plan.faults = options.fault_words;
}

std::vector<configs::PlannedSite> sites_of(const program::Module& module) {
  std::vector<configs::PlannedSite> sites;
  const std::vector<const program::Operation*> operations = program::operations_in_order(module);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const program::Operation& op = *operations[i];
    if (std::ranges::find(kCollectives, op.name) == kCollectives.end()) continue;
    const SourcePlace place = program::place_of(op.location);
    if (!place.path.empty())
      sites.push_back(
          {static_cast<std::int64_t>(i), text_of(place), constrains_layout(op.attributes)});
  }
  return sites;
}

}  // namespace understudy::launcher
