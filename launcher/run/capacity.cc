// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/capacity.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/base/host_memory.h"
#include "configs/base/units.h"
#include "program/ir/sizes.h"
#include "program/passes/module/memory_kinds.h"

namespace understudy::launcher {
namespace {

using program::Parameter;
using program::Value;

// The sum of all sizes, and the largest item, which error messages name.
struct Demand {
  std::uint64_t bytes = 0;
  std::uint64_t largest = 0;
  std::string what;  // name of the largest
  program::Location location;

  void add(std::uint64_t more, std::string name, const program::Location& where) {
    // A saturating sum: sizes from a program may overflow 64 bits.
    bytes = program::sum_of_bytes(bytes, more);
    if (more <= largest) return;
    largest = more;
    what = std::move(name);
    location = where;
  }
};

std::uint64_t bytes_of(const program::TensorType& type) {
  return static_cast<std::uint64_t>(type.bytes());
}

std::string name_of(const char* kind, std::size_t index, const Parameter& parameter) {
  return fmt::format("{} {}, {}", kind, index, type_text(parameter.global));
}

// Source places of the tensor arguments; tokens are not part of the interface.
std::vector<program::Location> places_of_arguments(const LoadedProgram& program) {
  std::vector<program::Location> places;
  const program::Function& main = program::entry_of(*program.module, program.options);
  for (const auto& argument : main.block().arguments)
    if (argument->type.is_tensor()) places.push_back(argument->location);
  return places;
}

program::Location place_of_results(const LoadedProgram& program) {
  return program::entry_of(*program.module, program.options).block().terminator()->location;
}

}  // namespace

// A lower bound: temporaries come on top, and results of donated arguments may need memory of their
// own; the compiler checks both.
void require_hbm(const LoadedProgram& program, const configs::Slice& slice) {
  Demand demand;
  const std::vector<program::Location> places = places_of_arguments(program);
  const auto kinds =
      program::passes::memory_kinds_of(program::entry_of(*program.module, program.options));
  const auto& arguments = program.interface.arguments;
  for (std::uint32_t i = 0; i < arguments.size(); ++i)
    if (!std::ranges::binary_search(kinds.host_arguments, i))
      demand.add(bytes_of(arguments[i].local), name_of("argument", i, arguments[i]), places.at(i));
  const auto is_donated = [&](std::uint32_t result) {
    return std::ranges::any_of(kinds.donors, [&](const auto& one) { return one.result == result; });
  };
  const auto& results = program.interface.results;
  for (std::uint32_t i = 0; i < results.size(); ++i)
    if (!std::ranges::binary_search(kinds.host_results, i) && !is_donated(i))
      demand.add(bytes_of(results[i].local), name_of("result", i, results[i]),
                 place_of_results(program));
  if (demand.bytes <= slice.chip.hbm_bytes) return;
  Error error = program::error_at(
      demand.location, ErrorKind::capacity,
      fmt::format("{}: needs {} on every chip; all arguments and results need {}, but {} has {} "
                  "of HBM",
                  demand.what, bytes_text(demand.largest), bytes_text(demand.bytes),
                  slice.chip.name, bytes_text(slice.chip.hbm_bytes)));
  error.note(
      "shard it over more chips, or use a chip with more memory (understudy describe "
      "--list)");
  throw error.diagnosed(name_of(DiagnosisId::hbm_exceeded_at_compile));
}

// The launcher holds every argument as a whole array before it cuts tiles.
void require_host_memory_of_arguments(const LoadedProgram& program) {
  Demand demand;
  const std::vector<program::Location> places = places_of_arguments(program);
  const auto& arguments = program.interface.arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    demand.add(bytes_of(arguments[i].global), name_of("argument", i, arguments[i]), places.at(i));
  if (demand.bytes <= host_memory_bytes()) return;
  Error error = program::error_at(
      demand.location, ErrorKind::capacity,
      fmt::format("{}: all arguments as global arrays need {} of host memory, but this machine "
                  "has {}",
                  demand.what, bytes_text(demand.bytes), bytes_text(host_memory_bytes())));
  throw error.diagnosed(name_of(DiagnosisId::host_memory_exceeded));
}

}  // namespace understudy::launcher
