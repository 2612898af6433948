// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/compiled.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

#include "cache/archive.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "pjrt/core/compile/cost.h"
#include "pjrt/core/compile/op_sharding.h"
#include "program/compile.h"
#include "program/executable/host_messages.h"
#include "program/executable/memory_plan.h"
#include "program/ir/source.h"
#include "program/read.h"

namespace understudy::pjrt {
namespace {

using Attributes = std::vector<program::NamedAttribute>;

const program::Attribute* find_in(const std::vector<Attributes>& lists, std::size_t index,
                                  std::string_view name) {
  if (index >= lists.size()) return nullptr;
  for (const auto& [key, value] : lists[index])
    if (key == name) return &value;
  return nullptr;
}

// The names are those of JAX's memory kinds.
MemoryKind memory_of(const std::vector<Attributes>& lists, std::size_t index) {
  const program::Attribute* const kind = find_in(lists, index, "mhlo.memory_kind");
  const auto* const text = kind == nullptr ? nullptr : kind->get<program::StringAttribute>();
  if (text == nullptr) return MemoryKind::device;
  for (int number = 0; number < kMemoryKinds; ++number)
    if (name_of(static_cast<MemoryKind>(number)) == text->value)
      return static_cast<MemoryKind>(number);
  throw Error(ErrorKind::unsupported, fmt::format("unknown memory kind \"{}\"", text->value));
}

LayoutRef layout_of(const std::vector<Attributes>& lists, std::size_t index, std::size_t ndims) {
  const program::Attribute* const mode = find_in(lists, index, "mhlo.layout_mode");
  const auto* const text = mode == nullptr ? nullptr : mode->get<program::StringAttribute>();
  return text == nullptr ? nullptr : ArrayLayout::of_mode(text->value, ndims);
}

bool is_token(const program::Value& value) { return value.type.kind == program::Type::Kind::token; }

// Tokens are no parameters of the executable, but they are of the program.
CompiledParameter token_parameter(std::int64_t partitions) {
  CompiledParameter token;
  token.type = {program::ElementType::pred, {0}};
  token.token = true;
  token.sharding = op_sharding(program::Sharding{{1}, {}, false}, partitions);
  return token;
}

// `placed`: of the arrays among `values`; tokens have no place.
template <class Values>
std::vector<CompiledParameter> parameters_of(const Values& values,
                                             const std::vector<program::Parameter>& placed,
                                             const std::vector<Attributes>& attributes,
                                             std::int64_t partitions) {
  std::vector<CompiledParameter> parameters;
  std::size_t arrays = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_token(*values[i])) {
      parameters.push_back(token_parameter(partitions));
      continue;
    }
    const program::Parameter& from = placed.at(arrays++);
    CompiledParameter& parameter = parameters.emplace_back();
    parameter.type = from.local;
    parameter.memory = memory_of(attributes, i);
    parameter.layout = layout_of(attributes, i, from.local.shape.size());
    parameter.sharding = op_sharding(from.sharding, partitions);
  }
  return parameters;
}

std::vector<CompiledParameter> arguments_of(const program::Function& main,
                                            const program::Interface& interface) {
  const auto& attributes = main.argument_attributes;
  auto arguments =
      parameters_of(main.block().arguments, interface.arguments, attributes, interface.partitions);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i].donated =
        !arguments[i].token && (find_in(attributes, i, "tf.aliasing_output") != nullptr ||
                                find_in(attributes, i, "jax.buffer_donor") != nullptr);
  return arguments;
}

std::vector<CompiledParameter> results_of(const program::Function& main,
                                          const program::Interface& interface) {
  return parameters_of(main.block().terminator()->operands, interface.results,
                       main.result_attributes, interface.partitions);
}

// The place of the n-th array among parameters and tokens.
std::uint32_t index_of(const std::vector<CompiledParameter>& parameters, std::uint32_t array) {
  std::uint32_t index = 0;
  for (;; ++index)
    if (!parameters.at(index).token && array-- == 0) return index;
}

// A partitioner drops what the framework says about donated arguments.
void keep_donations(const program::Function& given, program::Function& made) {
  const std::size_t arguments = made.block().arguments.size();
  if (given.block().arguments.size() != arguments) return;
  made.argument_attributes.resize(arguments);
  for (std::size_t i = 0; i < arguments; ++i)
    for (const char* const name : {"tf.aliasing_output", "jax.buffer_donor"}) {
      const program::Attribute* const said = find_in(given.argument_attributes, i, name);
      if (said != nullptr && find_in(made.argument_attributes, i, name) == nullptr)
        made.argument_attributes[i].emplace_back(name, *said);
    }
}

// The module and the options both say it. Executing one with the other's number would address chips
// that do not exist.
void check_grid(const program::Interface& interface, const CompileOptions& options) {
  if (interface.replicas == options.replicas && interface.partitions == options.partitions) return;
  throw Error(
      ErrorKind::input,
      fmt::format("the program has {} replicas of {} partitions, its compile options have "
                  "{} of {}",
                  interface.replicas, interface.partitions, options.replicas, options.partitions));
}

// Messages to a host program are messages to this process: callbacks of the framework. JAX
// shardings of such operations name the chip that runs them; here every chip runs its own.
void connect_host_messages(const program::Module& module) {
  for (const program::Operation* op : program::operations_in_order(module))
    if ((op->name == "stablehlo.send" || op->name == "stablehlo.recv") &&
        program::flag_of(*op, "is_host_transfer", false))
      const_cast<program::Operation*>(op)->set(program::kHostMessage,
                                               program::Attribute{program::UnitAttribute{}});
}

// allow_spmd_sharding_propagation_to_...: one flag may stand for all.
void apply(const std::vector<bool>& given, std::vector<bool>& flags) {
  if (given.size() == flags.size())
    flags = given;
  else if (given.size() == 1)
    flags.assign(flags.size(), given.front());
}

// The program of one chip that the partitioner makes of a global-view program; "": the program
// needs no partitioner. The shards are numbered by their place in the device assignment, so the
// answer does not depend on the devices.
std::string per_chip(const program::Module& given, std::string_view code,
                     const CompileOptions& options, const program::CompileOptions& how,
                     program::Partitioner& partitioner) {
  std::optional<program::PartitionRequest> request = program::partition_request(given, how);
  if (!request) return "";
  request->program = code;
  request->file = "<program>";
  apply(options.propagate_to_parameters, request->propagate_to_parameters);
  apply(options.propagate_to_output, request->propagate_to_output);
  return partitioner.partition(*request).program;
}

// Arguments and results in host memory have a place in HBM during a launch (docs/pjrt.md).
std::uint64_t hbm_bytes_of(const program::Executable& executable) {
  std::uint64_t bytes = executable.hbm_bytes();
  for (const std::uint32_t i : executable.host_arguments)
    bytes += static_cast<std::uint64_t>(executable.arguments[i].bytes());
  for (const std::uint32_t i : executable.host_results)
    bytes += static_cast<std::uint64_t>(executable.results[i].bytes());
  return bytes;
}

// What the workers load, and its sizes. Takes the constants out of the executable: the image has
// them.
void add_code(program::Executable executable, Compiled& out) {
  out.cost = cost_of(executable);
  out.temporary_bytes = executable.temporary_bytes;
  out.host_temporary_bytes = executable.host_temporary_bytes;
  out.hbm_bytes = hbm_bytes_of(executable);
  for (const program::Donation& one : executable.donations)
    out.donations.push_back(
        {index_of(out.arguments, one.argument), index_of(out.results, one.result)});
  out.image = program::image_of(executable);
  out.constants_bytes = std::exchange(executable.constants, {}).size();
  out.op_names = std::make_shared<const std::vector<std::string>>(executable.op_names);
  out.archive = cache::archive_executable(executable);
  Digester digester;
  // Both parts: programs that differ in constants only have the same archive.
  digester.add(std::string_view(out.archive));
  digester.add(std::span<const std::byte>(out.image));
  out.fingerprint = digester.hex();
}

}  // namespace

CompiledRef compile_program(std::string_view code, std::string_view format, CompileOptions options,
                            program::Numerics numerics, program::Partitioner& partitioner) {
  if (format != "mlir")
    throw Error(ErrorKind::unsupported, fmt::format("programs in the format \"{}\"", format))
        .note("understudy reads \"mlir\": StableHLO as text or as a portable artifact");
  program::CompileOptions how{numerics, options.replicas == 1 ? 0 : options.replicas, {}};
  // Arrays are already on the chips with the sharding that the program declares for them.
  how.arguments_are_placed = true;
  const auto given = program::read_verified(std::make_shared<program::Source>("<program>", code));
  std::string partitioned = per_chip(*given, code, options, how, partitioner);
  std::unique_ptr<program::Module> made;
  if (!partitioned.empty())
    made = program::read_verified(
        std::make_shared<program::Source>("<partitioned program>", partitioned));
  const program::Function& main = program::entry_of(*given, how);
  if (made != nullptr)
    keep_donations(main, *made->find_function(program::entry_of(*made, how).name));
  const program::Module& module = made == nullptr ? *given : *made;
  connect_host_messages(module);
  program::refuse_unsupported(module);
  const program::Interface interface = program::interface_of(module, how);
  check_grid(interface, options);

  // From the framework's program: a partitioner drops what it does not read, such as memory kinds.
  Compiled compiled;
  compiled.name = given->name.empty() ? "program" : given->name;
  compiled.arguments = arguments_of(main, interface);
  compiled.results = results_of(main, interface);
  compiled.replicas = interface.replicas;
  compiled.partitions = interface.partitions;
  add_code(program::compile(module, how), compiled);
  compiled.options = std::move(options);
  compiled.code = code;
  compiled.format = format;
  compiled.partitioned = std::move(partitioned);
  return std::make_shared<const Compiled>(std::move(compiled));
}

}  // namespace understudy::pjrt
