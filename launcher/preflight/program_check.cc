// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/units.h"
#include "launcher/preflight/checks.h"
#include "launcher/preflight/compare_collectives.h"
#include "launcher/preflight/program_input.h"
#include "program/hlo/schedule.h"

namespace understudy::launcher {
namespace {

using configs::PreflightMemory;
using configs::PreflightProgram;
using configs::Slice;

// The slice that a program is compiled for: the whole one, or the slice of its own number of chips.
// A part of a slice is none that the compiler takes for every program.
Slice slice_for_program(const Slice& slice, std::int64_t slices, const ProgramInput& input,
                        PreflightProgram& out) {
  const auto chips = static_cast<std::int64_t>(slice.chips.size());
  if (slices > 1 || input.processes() == chips) return slice;
  if (input.processes() > chips)
    throw Error(ErrorKind::usage, fmt::format("the program needs {} chips, {} has {}",
                                              input.processes(), slice.name, chips));
  Slice own = configs::slice_for(slice.chip.name, input.processes());
  if (static_cast<std::int64_t>(own.chips.size()) != input.processes()) return slice;
  out.notes.push_back(fmt::format("compiled for {}: the program uses {} of {} chips", own.name,
                                  input.processes(), chips));
  return own;
}

configs::CompilerRequest request_of(const ProgramInput& input, const TopologySeen& topology,
                                    const CompilerSettings& settings) {
  configs::CompilerRequest request = topology.request;
  request.command = "compile";
  request.format = input.format;
  request.replicas = input.replicas;
  request.partitions = input.partitions;
  request.shardy = input.shardy;
  request.propagate_to_parameters = input.propagate_to_parameters;
  request.propagate_to_output = input.propagate_to_output;
  request.options = settings;
  for (std::int64_t process = 0; process < input.processes(); ++process) {
    const std::int64_t rank = input.device_order.empty()
                                  ? process
                                  : input.device_order.at(static_cast<std::size_t>(process));
    if (rank < 0 || rank >= std::ssize(topology.devices))
      throw Error(ErrorKind::input,
                  fmt::format("process {} is on chip {}, but {} has {} chips", process, rank,
                              topology.request.topology, topology.devices.size()));
    request.devices.push_back(topology.devices[static_cast<std::size_t>(rank)]);
  }
  return request;
}

// The C API has signed numbers; a negative one is no size.
std::uint64_t positive(std::int64_t bytes) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
}

PreflightMemory memory_of(const configs::CompilerMemory& memory, const TopologySeen& topology,
                          const ProgramInput& input) {
  PreflightMemory out{positive(memory.arguments),
                      positive(memory.outputs),
                      positive(memory.aliases),
                      positive(memory.temporaries),
                      positive(memory.code),
                      0,
                      std::nullopt,
                      std::nullopt,
                      std::nullopt,
                      std::nullopt};
  const std::uint64_t all = out.arguments + out.outputs + out.temporaries + out.code;
  // Aliased outputs are in the memory of arguments, so they count once.
  out.total = all - std::min(all, out.aliases);
  for (const configs::CompilerDevice& device : topology.answer.devices)
    // All chips of a topology have the same memory; the last one stands for all.
    if (device.memory_bytes && *device.memory_bytes > 0)
      out.hbm = static_cast<std::uint64_t>(*device.memory_bytes);
  if (!input.ours) return out;
  out.predicted = input.ours->memory.hbm();
  if (*out.predicted > 0)
    out.ratio = static_cast<double>(out.total) / static_cast<double>(*out.predicted);
  return out;
}

std::string signed_bytes(std::uint64_t theirs, std::uint64_t ours) {
  return theirs >= ours ? "+" + bytes_text(theirs - ours) : "-" + bytes_text(ours - theirs);
}

// Where the compiler's total and our plan differ, part by part. Its arrays are padded to tiles of
// 8 x 128 elements or more; its code is the program of a TensorCore, ours the constants and the
// image of the instructions.
std::string memory_note(const PreflightMemory& memory, const program::MemoryPlan& ours) {
  const std::uint64_t arrays = memory.arguments + memory.outputs,
                      ours_arrays = ours.arguments + ours.results;
  return fmt::format(
      "memory against our plan: code {}, arguments and outputs {} (less aliases), temporaries {}",
      signed_bytes(memory.code, ours.code()),
      signed_bytes(arrays - std::min(arrays, memory.aliases),
                   ours_arrays - std::min(ours_arrays, ours.donated)),
      signed_bytes(memory.temporaries, ours.temporaries));
}

// A number behind `mark` in the compiler's words, where it begins at `at`.
std::optional<std::uint32_t> number_behind(const std::string& words, std::string_view mark,
                                           std::size_t at) {
  at = words.find(mark, at);
  if (at == std::string::npos) return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = words.data() + words.size();
  const auto read = std::from_chars(words.data() + at + mark.size(), end, number);
  return read.ec == std::errc{} && number > 0 ? std::optional(number) : std::nullopt;
}

struct LineAndColumn {
  std::uint32_t line = 0, column = 0;
};

// MLIR names a text without a file "-": "-:2:25: error: ..." of its parser, and
// `source_file="-" source_line=2 ... source_column=25` of an HLO instruction.
std::optional<LineAndColumn> place_in(const std::string& words) {
  if (const auto line = number_behind(words, "-:", 0))
    if (const auto column = number_behind(words, fmt::format("-:{}:", *line), 0))
      return LineAndColumn{*line, *column};
  const std::size_t metadata = words.find("source_file=\"-\"");
  if (metadata == std::string::npos) return std::nullopt;
  const auto line = number_behind(words, "source_line=", metadata);
  if (!line) return std::nullopt;
  return LineAndColumn{*line, number_behind(words, "source_column=", metadata).value_or(1)};
}

// Only for programs given as text: in an artifact the numbers mean a text that the user never saw.
void find_source_line(const ProgramInput& input, PreflightProgram& out) {
  if (input.text.empty()) return;
  const std::optional<LineAndColumn> found = place_in(out.words);
  if (!found) return;
  const auto [line, column] = *found;
  out.place = fmt::format("{}:{}:{}", input.path, line, column);
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line && begin != std::string::npos; ++i) {
    begin = input.text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return;
  constexpr std::size_t kMost = 160;
  const std::size_t length = std::min(input.text.find('\n', begin), input.text.size()) - begin;
  out.source_line = input.text.substr(begin, std::min(length, kMost));
}

void take_schedule(const std::string& bytes, const ProgramInput& input,
                   std::int64_t chips_per_slice, PreflightProgram& out) {
  if (bytes.empty()) {
    out.notes.emplace_back("the library returns no scheduled program: collectives are not known");
    return;
  }
  program::hlo::HloModule module;
  try {
    // A scheduled program of a later libtpu may have fields that this reader does not know; the
    // compile itself succeeded, so this costs a note and not the result.
    module = program::hlo::read_proto(program::Source("scheduled program", bytes));
  } catch (const Error& error) {
    out.notes.push_back("the scheduled program cannot be read: " + error.message());
    return;
  }
  const program::hlo::Schedule schedule = program::hlo::schedule_of(module);
  out.instructions = std::ssize(schedule.rows);
  out.estimated_cycles = schedule.cycles;
  out.collectives = collectives_in(schedule);
  if (!input.ours) return;
  const auto& partitioner = input.ours->partitioner;
  out.comparison = compare_collectives(input.ours->collectives,
                                       side_of(schedule, {input.replicas, input.partitions}),
                                       {partitioner ? &*partitioner : nullptr, chips_per_slice});
}

void take_answer(const TpuCompiler::Reply& got, const TopologySeen& topology,
                 const ProgramInput& input, ProgramSeen& seen) {
  PreflightProgram& out = seen.program;
  const configs::CompilerAnswer& answer = got.reply.answer;
  out.cached = got.cached;
  out.seconds = answer.seconds;
  if (answer.error) {
    // Code 0 is an error of our client, any other one a refusal by the library.
    out.status = answer.error->code == 0 ? "failed" : "refused";
    out.words = answer.error->message;
    while (out.words.ends_with('\n')) out.words.pop_back();
    find_source_line(input, out);
    return;
  }
  out.status = "compiles";
  out.executable_bytes = answer.executable_bytes;
  if (answer.memory) {
    out.memory = memory_of(*answer.memory, topology, input);
    if (input.ours) out.notes.push_back(memory_note(*out.memory, input.ours->memory));
  }
  for (const char* name : {"flops", "transcendentals", "bytes accessed"})
    if (const auto found = answer.costs.find(name); found != answer.costs.end())
      out.costs.insert(*found);
  // Programs of one fingerprint compile once. Without the library's own, equal scheduled programs
  // are the best evidence.
  out.fingerprint = answer.fingerprint.empty() && !got.reply.body.empty()
                        ? digest_of(std::string_view(got.reply.body))
                        : answer.fingerprint;
  for (const std::string& name : answer.missing)
    out.notes.push_back("the library has no function PJRT_" + name);
  seen.scheduled = got.reply.body;
  const std::int64_t slices = topology.request.slices;
  take_schedule(seen.scheduled, input, slices > 1 ? std::ssize(topology.devices) / slices : 0, out);
}

}  // namespace

ProgramSeen check_program(TpuCompiler& compiler, const ProgramCase& one, const Slice& slice,
                          std::int64_t slices, const CompilerSettings& settings) {
  ProgramSeen seen;
  PreflightProgram& out = seen.program;
  out.name = one.name;
  out.path = one.options.program;
  out.status = "failed";
  try {
    const ProgramInput input = read_input(one.options);
    out.path = input.path;
    out.chips = input.processes();
    out.notes = input.notes;
    if (input.ours) out.digest = input.ours->digest;
    const Slice own = slice_for_program(slice, slices, input, out);
    const TopologySeen topology = topology_of(compiler, own, slices);
    out.topology = topology.request.topology;
    if (topology.answer.error) {
      out.status = "refused";
      out.words = topology.answer.error->message;
      return seen;
    }
    take_answer(compiler.ask(request_of(input, topology, settings), input.bytes), topology, input,
                seen);
  } catch (const Error& error) {
    out.words = error.message();
    for (const std::string& note : error.notes()) out.notes.push_back(note);
  }
  return seen;
}

}  // namespace understudy::launcher
