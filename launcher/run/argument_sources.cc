// SPDX-License-Identifier: Apache-2.0
// Where the data of each argument come from: the manifest, --args, --arg.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <system_error>

#include "configs/base/error.h"
#include "launcher/run/plan_run.h"
#include "program/npz.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

std::string arguments_text(std::size_t count) {
  return fmt::format("{} argument{}", count, count == 1 ? "" : "s");
}

// The N of a name "argN"; nullopt for other names.
std::optional<std::size_t> index_in(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::size_t index = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data() + prefix.size(), end, index);
  if (code != std::errc() || stop != end) return std::nullopt;
  return index;
}

[[noreturn]] void refuse_extra(const std::string& file, std::size_t count, const char* form) {
  throw Error(ErrorKind::usage,
              fmt::format("--args: {} does not name an argument; the program has {}", file,
                          arguments_text(count)))
      .note(form)
      .note("JAX leaves out arguments that a function does not use: later ones move up");
}

// A file that nothing reads would hide a wrong order of arguments. Results (outN.npy) may be in the
// same folder.
void check_folder(const std::string& folder, std::size_t count) {
  std::error_code code;
  std::set<std::string> extra;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() != ".npy") continue;
    const std::string name = entry.path().stem().string();
    const auto index = index_in(name, "arg");
    const bool known = (index && *index < count && name == fmt::format("arg{}", *index)) ||
                       index_in(name, "out").has_value();
    if (!known) extra.insert(entry.path().string());
  }
  if (code)
    throw Error(ErrorKind::usage,
                fmt::format("--args: cannot read the folder {}: {}", folder, code.message()));
  if (!extra.empty())
    refuse_extra(*extra.begin(), count, "expected files named arg0.npy, arg1.npy, ...");
}

// An array of an .npz file is an argument by its number (arg0, or arr_0 as numpy.savez names arrays
// without a name) or by the name that the program folder gives it ("params.w").
std::optional<std::size_t> argument_of(const std::string& member, const LoadedProgram& program) {
  for (const char* prefix : {"arg", "arr_"})
    if (const auto index = index_in(member, prefix)) return index;
  if (!program.manifest) return std::nullopt;
  const std::vector<std::string>& names = program.manifest->argument_names;
  const auto found = std::ranges::find(names, member);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

void add_npz(const RunOptions& options, const LoadedProgram& program,
             std::vector<ArgumentSource>& sources) {
  // "arg1" and "arr_1" in one file would be two arrays for one argument.
  std::set<std::size_t> seen;
  for (const std::string& member : program::NpzFile(options.args).names()) {
    const auto index = argument_of(member, program);
    const std::string text = fmt::format("{}: {}", options.args, member);
    if (!index || *index >= sources.size())
      refuse_extra(text, sources.size(),
                   "expected arrays named arg0, arg1, ..., or as names.json of the program folder");
    if (!seen.insert(*index).second)
      throw Error(ErrorKind::usage,
                  fmt::format("--args: {} is a second array for argument {}", text, *index));
    sources[*index] = {options.args, std::nullopt, options.per_replica, member};
  }
}

void add_folder(const RunOptions& options, std::vector<ArgumentSource>& sources) {
  check_folder(options.args, sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string file = fmt::format("{}/arg{}.npy", options.args, i);
    std::error_code code;
    if (fs::exists(file, code)) sources[i] = {file, std::nullopt, options.per_replica};
  }
}

// Arguments with data for each step: those of the manifest, and --per-step.
std::set<std::int64_t> per_step_arguments(const RunOptions& options, const LoadedProgram& program) {
  std::set<std::int64_t> all(options.per_step.begin(), options.per_step.end());
  for (std::size_t i = 0; program.manifest && i < program.manifest->args.size(); ++i)
    if (program.manifest->args[i].per_step) all.insert(static_cast<std::int64_t>(i));
  return all;
}

void mark_per_step(const RunOptions& options, const LoadedProgram& program,
                   std::vector<ArgumentSource>& sources) {
  const std::int64_t steps = steps_of(options, program);
  for (const std::int64_t index : per_step_arguments(options, program)) {
    if (index >= static_cast<std::int64_t>(sources.size()))
      throw Error(ErrorKind::usage, fmt::format("--per-step {}: the program has {}", index,
                                                arguments_text(sources.size())));
    sources[static_cast<std::size_t>(index)].steps = steps;
  }
}

}  // namespace

// Later sources override earlier ones: manifest, --args, --arg.
std::vector<ArgumentSource> argument_sources(const RunOptions& options,
                                             const LoadedProgram& program, std::size_t count) {
  std::vector<ArgumentSource> sources(count);
  for (std::size_t i = 0; program.manifest && i < std::min(count, program.manifest->args.size());
       ++i) {
    const configs::ManifestArray& array = program.manifest->args[i];
    sources[i] = {array.path, program::element_type_of_numpy(array.dtype), array.per_replica, "",
                  array.shape};
  }
  if (!options.args.empty())
    program::is_npz(options.args) ? add_npz(options, program, sources)
                                  : add_folder(options, sources);
  for (const std::string& word : options.arg_words) {
    const auto [index, file] = parse_arg(word);
    if (index >= static_cast<std::int64_t>(count))
      throw Error(ErrorKind::usage,
                  fmt::format("--arg {}: the program has {}", word, arguments_text(count)));
    if (program::is_npz(file))
      throw Error(
          ErrorKind::usage,
          fmt::format("--arg {}: expected an .npy file; pass an .npz file with --args", word));
    sources[static_cast<std::size_t>(index)] = {file, std::nullopt, options.per_replica};
  }
  mark_per_step(options, program, sources);
  return sources;
}

// Checked while planning, so that --dry-run reports it, too.
std::vector<std::int64_t> steps_of_arguments(
    const RunOptions& options, const LoadedProgram& program,
    const std::vector<std::pair<std::int64_t, std::int64_t>>& carry) {
  const program::Interface& interface = program.interface;
  std::vector<std::int64_t> steps(interface.arguments.size(), 1);
  const std::set<std::int64_t> per_step = per_step_arguments(options, program);
  if (per_step.empty()) return steps;
  const std::vector<ArgumentSource> sources =
      argument_sources(options, program, interface.arguments.size());
  for (const std::int64_t index : per_step) {
    const auto i = static_cast<std::size_t>(index);
    const auto carried =
        std::ranges::find(carry, index, [](const auto& one) { return one.second; });
    if (carried != carry.end())
      throw Error(ErrorKind::usage,
                  fmt::format("--per-step {}: argument {} is also carried from result {}", index,
                              index, carried->first));
    check_steps_of_file(index, interface.arguments[i], sources[i]);
    steps[i] = steps_of(options, program);
  }
  return steps;
}

}  // namespace understudy::launcher
