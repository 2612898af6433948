// SPDX-License-Identifier: Apache-2.0
// Reads a program, settles what an exported program leaves to its caller (the platform, open sizes
// and dimension variables), and has a global-view program partitioned. The workers then get the
// resulting program.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <system_error>

#include "configs/base/error.h"
#include "configs/base/words.h"
#include "configs/launch/mesh_layout.h"
#include "launcher/partition/partitioning.h"
#include "launcher/run/parameter_names.h"
#include "launcher/run/plan_run.h"
#include "program/executable/numerics.h"
#include "program/exported.h"
#include "program/hlo/hlo.h"
#include "program/ir/source.h"
#include "program/open_arguments.h"
#include "program/passes/pass_list.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlatform = "tpu";

// The platforms of the export in order, from the most specific source that names them.
std::vector<std::string> platforms_of(const RunOptions& options, const LoadedProgram& program) {
  if (!options.platforms.empty()) return split(options.platforms, ',');
  if (program.manifest && !program.manifest->platforms.empty()) return program.manifest->platforms;
  const program::Attribute* known = program.module->find(program::kPlatforms);
  const auto* list = known == nullptr ? nullptr : known->get<program::StringAttribute>();
  return list == nullptr ? std::vector<std::string>() : split(list->value, ',');
}

// The index of the tpu branch. Text and artifacts do not name the platforms of their branches; JAX
// users list them in alphabetical order, where tpu is the last. A remark says that it was assumed.
std::int64_t platform_index(const RunOptions& options, LoadedProgram& program,
                            std::int64_t branches) {
  const std::vector<std::string> platforms = platforms_of(options, program);
  if (platforms.empty()) {
    if (branches > 1)
      program.remarks.push_back(
          fmt::format("note: the program does not name its {0} platforms: branch {1} of {0} is "
                      "taken for tpu; --platforms LIST states their order",
                      branches, branches));
    return branches - 1;
  }
  const auto found = std::ranges::find(platforms, kPlatform);
  if (found == platforms.end() ||
      (branches > 1 && branches != static_cast<std::int64_t>(platforms.size())))
    throw Error(ErrorKind::usage,
                fmt::format("the program was exported for {} platforms, but {} are named: {}",
                            branches, platforms.size(), fmt::join(platforms, ", ")))
        .note("export it with platforms=[\"tpu\"] or [\"cpu\", \"tpu\"], or correct --platforms");
  return found - platforms.begin();
}

// The real shape in a file: without the axes of replicas and steps.
program::TensorType type_in(const ArgumentSource& source, const program::TensorType& written) {
  const program::ElementType wanted = source.element.value_or(written.element);
  program::TensorType type =
      source.shape ? program::TensorType{wanted, *source.shape} : array_type(source, wanted);
  const auto extra = type.ndims() - written.ndims();
  const auto leading = std::int64_t{source.per_replica} + std::int64_t{source.per_step()};
  if (extra > 0 && extra <= leading)
    type.shape.erase(type.shape.begin(), type.shape.begin() + extra);
  return type;
}

// The value of a dimension variable that is an argument of its own.
std::int64_t value_in(const ArgumentSource& source, const program::TensorType& written) {
  const program::Array array = read_array(source, written.element);
  if (array.type != written)
    throw Error(ErrorKind::input, fmt::format("{}: expected {}, but the file has {}", source.text(),
                                              type_text(written), type_text(array.type)));
  std::int64_t value = 0;
  for (std::size_t i = array.bytes.size(); i-- > 0;)
    value = value << 8 | std::to_integer<std::int64_t>(array.bytes[i]);
  // A signed type narrower than 64 bits: a negative size must be refused as such.
  const std::size_t bits = 8 * array.bytes.size();
  if (program::is_signed_integer(written.element) && bits < 64 && (value >> (bits - 1) & 1) != 0)
    value -= std::int64_t{1} << bits;
  return value;
}

program::GivenArgument given_by(const RunOptions& options, const program::Function& entry,
                                const ArgumentSource& source, std::size_t index) {
  const program::Type& written = entry.block().arguments[index]->type;
  if (!written.is_tensor()) return {};
  const bool is_variable = !program::dimension_variable(entry, index).empty();
  program::GivenArgument given;
  for (const std::string& word : options.shape_words) {
    const auto [argument, sizes] = parse_shape(word);
    if (argument == static_cast<std::int64_t>(index))
      given.type = program::TensorType{written.tensor.element, sizes};
  }
  if (is_variable && !source.file.empty())
    given.value = value_in(source, written.tensor);
  else if (!given.type && !source.file.empty() && !written.tensor.is_static())
    given.type = type_in(source, written.tensor);
  return given;
}

void check_shapes(const RunOptions& options, std::size_t count) {
  for (const std::string& word : options.shape_words)
    if (parse_shape(word).first >= static_cast<std::int64_t>(count))
      throw Error(ErrorKind::usage, fmt::format("--shape {}: the program has {} argument{}", word,
                                                count, count == 1 ? "" : "s"));
}

// Rewrites the module where the program leaves something to its caller.
void settle(const RunOptions& options, LoadedProgram& program) {
  program::Module& module = *program.module;
  bool changed = false;
  if (const std::int64_t branches = program::platform_count(module, program.options)) {
    program::fill_platform_index(module, program.options,
                                 platform_index(options, program, branches));
    changed = true;
  }
  const program::Function& entry = program::entry_of(module, program.options);
  check_shapes(options, entry.block().arguments.size());
  if (program::has_open_arguments(module, program.options)) {
    // Only now: operations of the other platforms do not count.
    program::refuse_unsupported(module);
    const std::vector<ArgumentSource> sources =
        argument_sources(options, program, entry.block().arguments.size());
    std::vector<program::GivenArgument> given;
    for (std::size_t i = 0; i < sources.size(); ++i)
      given.push_back(given_by(options, entry, sources[i], i));
    program::refine_arguments(module, program.options, given);
    changed = true;
  }
  // Workers parse this text, so that all of them get the settled program.
  if (changed) program.text = program::print(module);
}

// Replaces a global-view program by the program of a chip. Other programs stay as they are.
void partition(const RunOptions& options, LoadedProgram& program) {
  if (options.partitioning == nullptr) return;
  std::optional<program::PartitionRequest> request =
      program::partition_request(*program.module, program.options);
  if (!request) return;
  // The partitioner reads StableHLO only.
  const bool converted = program::exported_file(program.text) ||
                         program::hlo::is_proto(program.text) ||
                         program::hlo::is_text(program.text);
  request->program = converted ? program::print(*program.module) : program.text;
  request->device_order = configs::parse_device_order(options.device_order, "--device-order");
  if (!request->device_order.empty() &&
      !configs::is_device_order(request->device_order, request->replicas * request->partitions))
    request->device_order.clear();  // refused with the plan
  request->file = fs::path(program.path).filename().string();
  const std::string folder = cache_folder(options, options.partitioning->cache_home());
  Partitioned made = options.partitioning->partition(
      *request, {folder, options.cache_policy, options.cache_trust});
  program.partition = {request->shardy,
                       made.cached,
                       made.version,
                       made.seconds,
                       std::move(made.program.warnings),
                       std::move(request->program)};
  program.text = std::move(made.program.program);
  program.module = program::read_verified(
      std::make_shared<const program::Source>(program.path + " (partitioned)", program.text));
}

// A folder without a manifest: names the programs in it, or what makes a program folder.
[[noreturn]] void refuse_folder(const std::string& folder) {
  Error error(ErrorKind::input, fmt::format("the folder {} has no manifest.json", folder));
  std::error_code code;
  std::vector<std::string> programs;
  for (const auto& entry : fs::directory_iterator(folder, code))
    for (const char* end : {".mlir", ".mlirbc", ".hlo", ".pb", ".txt"})
      if (entry.path().extension() == end && entry.is_regular_file(code))
        programs.push_back(entry.path().string());
  std::ranges::sort(programs);
  if (!programs.empty())
    error.note(fmt::format("to run a program in it, pass its file, such as {}", programs.front()));
  throw error.note(
      "understudy.export(function, *arguments, out=DIR) in Python writes a folder with its "
      "manifest;\n"
      "so does: understudy export MODULE:FACTORY --out DIR (docs/first-program.md)");
}

}  // namespace

// The text comes first: it is the one that a person may have edited.
std::string program_path(const std::string& given) {
  std::error_code code;
  if (!fs::is_directory(given, code)) return given;
  std::string folder = given;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  std::string path = folder + "/program.mlir";
  for (const std::string_view end : {"mlirbc", "hlo.pb", "hlo.txt"})
    if (!fs::exists(path, code) && fs::exists(fmt::format("{}/program.{}", folder, end), code))
      path = fmt::format("{}/program.{}", folder, end);
  return path;
}

LoadedProgram load_program(const RunOptions& options) {
  if (options.program.empty())
    throw Error(
        ErrorKind::usage,
        "no program given: expected a StableHLO or HLO file, or a folder with manifest.json")
        .note("understudy run --help shows an example");
  LoadedProgram program;
  program.path = program_path(options.program);
  std::error_code code;
  if (fs::is_directory(options.program, code)) {
    const std::string folder = fs::path(program.path).parent_path().string();
    if (!fs::exists(folder + "/manifest.json", code)) refuse_folder(folder);
    program.manifest = configs::read_manifest(folder);
  }
  // Read once: the workers get exactly the text that was checked here.
  const auto source = program::Source::read(program.path);
  program.text = source->text();
  program.module = program::read_verified(source);
  program.options.numerics = program::numerics_named(options.numerics);
  program.options.disabled_passes = options.compiler.disabled_passes;
  program::passes::check_pass_names(program.options.disabled_passes);
  program.options.replicas = options.replicas;
  if (options.replicas == 0 && program.manifest)
    program.options.replicas = program.manifest->replicas.value_or(0);
  // Open sizes are settled before the partitioner runs: XLA partitions known sizes only.
  settle(options, program);
  partition(options, program);
  program::refuse_unsupported(*program.module);
  program.interface = program::interface_of(*program.module, program.options);
  name_parameters(program, fs::path(program.path).parent_path().string());
  program.digest = program::canonical_digest(*program.module);
  return program;
}

}  // namespace understudy::launcher
