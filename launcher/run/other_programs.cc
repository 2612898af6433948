// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/other_programs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <string_view>

#include "configs/base/error.h"
#include "configs/launch/fault.h"
#include "program/compile.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

using program::Parameter;

// Operations that may be collectives; a custom call may be one, too. Their places are in the plan
// for mismatch reports.
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

bool is_true(const program::Attribute& attribute) {
  if (attribute.get<program::UnitAttribute>() != nullptr) return true;
  if (const auto* number = attribute.get<program::IntegerAttribute>()) return number->value != 0;
  const auto* const text = attribute.get<program::StringAttribute>();
  return text != nullptr && (text->value == "true" || text->value == "1");
}

// Searches frontend attributes as well, where torch_xla keeps pin_layout.
bool constrains_layout(const std::vector<program::NamedAttribute>& attributes) {
  return std::ranges::any_of(attributes, [](const program::NamedAttribute& named) {
    const auto& [name, attribute] = named;
    if (std::ranges::find(kConstraints, name) != kConstraints.end()) return is_true(attribute);
    const program::DictionaryAttribute* const entries = attribute.dictionary();
    return name == kFrontend && entries != nullptr && constrains_layout(entries->entries);
  });
}

[[noreturn]] void refuse(const char* option, const std::string& what, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("{} {}: {}", option, what, why));
}

void compare(const std::vector<Parameter>& ours, const std::vector<Parameter>& theirs,
             const char* what, const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, fmt::format("--program {}: {}", path, why))
        .note("programs that run at the same time must have the same arguments and results");
  };
  if (ours.size() != theirs.size())
    refuse(fmt::format("it has {} {}s, but the program has {}", theirs.size(), what, ours.size()));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].global != theirs[i].global || ours[i].local != theirs[i].local)
      refuse(fmt::format("{} {} is {}, but {} in the program", what, i, type_text(theirs[i].global),
                         type_text(ours[i].global)));
    if (ours[i].sharding.tile_of != theirs[i].sharding.tile_of)
      refuse(fmt::format("{} {} has a different sharding", what, i));
  }
}

// Ranks exchange data by collectives, and the launcher distributes one set of arguments, so both
// programs need equal interfaces.
void check_fits(const LoadedProgram& program, const OtherProgram& other) {
  const program::Interface& ours = program.interface;
  const program::Interface& theirs = other.program.interface;
  if (ours.replicas != theirs.replicas || ours.partitions != theirs.partitions)
    throw Error(
        ErrorKind::usage,
        fmt::format("--program {}: it is for {} replicas x {} partitions, but the program is "
                    "for {} x {}",
                    other.program.path, theirs.replicas, theirs.partitions, ours.replicas,
                    ours.partitions));
  compare(ours.arguments, theirs.arguments, "argument", other.program.path);
  compare(ours.results, theirs.results, "result", other.program.path);
}

void check_fault(const std::string& text, const configs::RunPlan& plan) {
  const configs::Fault fault = configs::parse_fault(text);
  const bool of_host = fault.of_host;
  if (fault.anywhere) return;
  const bool there = of_host ? std::ranges::count(plan.host_of, HostId(fault.target)) > 0
                             : fault.target < plan.chips;
  if (there) return;
  throw Error(ErrorKind::usage, fmt::format("--fault {}: the run has no {} {}", text,
                                            of_host ? "host" : "rank", fault.target));
}

constexpr const char* kStepOption = "--step-program";

// Describes the first dimension in which two arrays differ.
std::string shape_difference(const char* what, std::size_t index, const Parameter& ours,
                             const Parameter& theirs) {
  std::string text = fmt::format("{} {} is {}, expected {}", what, index, type_text(theirs.global),
                                 type_text(ours.global));
  const auto& a = ours.global.shape;
  const auto& b = theirs.global.shape;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i]) return text + fmt::format(": dimension {} is {}, expected {}", i, b[i], a[i]);
  return text;
}

bool same_place(const Parameter& ours, const Parameter& theirs) {
  return ours.global == theirs.global && ours.local == theirs.local &&
         ours.sharding.tile_of == theirs.sharding.tile_of;
}

// The first argument in which they differ, else the first operation.
std::string difference_of(const LoadedProgram& program, const LoadedProgram& other) {
  for (std::size_t i = 0; i < program.interface.arguments.size(); ++i) {
    const Parameter& ours = program.interface.arguments[i];
    const Parameter& theirs = other.interface.arguments[i];
    if (ours.global != theirs.global) return shape_difference("argument", i, ours, theirs);
  }
  return program::first_difference(*other.module, *program.module);
}

// All ranks change the program together, so only results and carried arguments must keep their type
// and sharding.
void check_fits_steps(const RunOptions& options, const LoadedProgram& program,
                      const LoadedProgram& other) {
  const program::Interface& ours = program.interface;
  const program::Interface& theirs = other.interface;
  if (ours.replicas != theirs.replicas || ours.partitions != theirs.partitions ||
      ours.arguments.size() != theirs.arguments.size() ||
      ours.results.size() != theirs.results.size())
    refuse(kStepOption, other.path,
           "it has a different number of replicas, partitions, arguments or results");
  for (std::size_t i = 0; i < ours.results.size(); ++i)
    if (!same_place(ours.results[i], theirs.results[i]))
      refuse(kStepOption, other.path,
             shape_difference("result", i, ours.results[i], theirs.results[i]));
  // A carried argument is the result of the previous step, so it must fit both programs.
  for (const auto& [result, index] : carry_of(options, program)) {
    const auto i = static_cast<std::size_t>(index);
    if (i < ours.arguments.size() && !same_place(ours.arguments[i], theirs.arguments[i]))
      refuse(kStepOption, other.path,
             "carried " + shape_difference("argument", i, ours.arguments[i], theirs.arguments[i]));
  }
}

// Steps and their program files: from the command line, else from the manifest. In the manifest a
// program stays in use until the next listed step.
std::vector<std::pair<std::vector<std::int64_t>, std::string>> files_of_steps(
    const RunOptions& options, const LoadedProgram& program) {
  std::vector<std::pair<std::vector<std::int64_t>, std::string>> files;
  for (const std::string& word : options.step_words)
    files.push_back(parse_program(word, kStepOption));
  if (!files.empty() || !program.manifest) return files;
  const auto& listed = program.manifest->step_programs;
  const std::int64_t all = steps_of(options, program);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::int64_t next = i + 1 < listed.size() ? listed[i + 1].first : all;
    std::vector<std::int64_t> steps;
    for (std::int64_t step = listed[i].first; step < std::min(next, all); ++step)
      steps.push_back(step);
    if (!steps.empty()) files.emplace_back(std::move(steps), listed[i].second);
  }
  return files;
}

void load_steps(const RunOptions& options, const LoadedProgram& program,
                std::vector<OtherProgram>& others) {
  std::vector<std::int64_t> all;
  for (std::int64_t rank = 0; rank < program.interface.processes(); ++rank) all.push_back(rank);
  std::set<std::int64_t> named;
  for (auto& [steps, file] : files_of_steps(options, program)) {
    for (const std::int64_t step : steps) {
      if (step == 0 || step >= steps_of(options, program))
        refuse(kStepOption, file,
               fmt::format("step {} is out of range: step 0 runs PROGRAM, and the run has {} steps",
                           step, steps_of(options, program)));
      if (!named.insert(step).second)
        refuse(kStepOption, file, fmt::format("duplicate program for step {}", step));
    }
    RunOptions own = options;
    own.program = file;
    own.replicas = program.options.replicas;
    LoadedProgram other = load_program(own);
    check_fits_steps(options, program, other);
    // The canonical digest ignores names and locations, so a retraced but equal program costs
    // nothing.
    if (other.digest == program.digest) continue;
    std::string difference = difference_of(program, other);
    others.push_back({all, std::move(steps), std::move(other), std::move(difference)});
  }
}

}  // namespace

std::vector<configs::PlannedArray> arguments_of_steps(const LoadedProgram& program,
                                                      const OtherProgram& other,
                                                      std::size_t index) {
  std::vector<configs::PlannedArray> arrays;
  const program::Interface& theirs = other.program.interface;
  const std::string folder = fmt::format("steps/{}", index);
  for (std::size_t i = 0; i < theirs.arguments.size(); ++i)
    arrays.push_back(planned(theirs.arguments[i], theirs, folder, i,
                             !same_place(program.interface.arguments[i], theirs.arguments[i])));
  return arrays;
}

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
                    fmt::format("--program {}: duplicate program for rank {}", word, rank));
    }
    RunOptions own = options;
    own.program = file;
    own.replicas = program.options.replicas;
    others.push_back({std::move(ranks), {}, load_program(own), ""});
    check_fits(program, others.back());
  }
  load_steps(options, program, others);
  return others;
}

void add_differences(configs::RunPlan& plan, const RunOptions& options,
                     const LoadedProgram& program, const std::vector<OtherProgram>& others) {
  plan.sites = sites_of(*program.module);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const LoadedProgram& other = others[i].program;
    const std::string extension = std::filesystem::path(other.path).extension().string();
    configs::PlannedProgram one{others[i].ranks,      others[i].steps,
                                other.path,           fmt::format("program{}{}", i + 1, extension),
                                other.digest,         sites_of(*other.module),
                                others[i].difference, {}};
    if (!one.steps.empty()) one.arguments = arguments_of_steps(program, others[i], i);
    plan.other_programs.push_back(std::move(one));
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
