// SPDX-License-Identifier: Apache-2.0
// The interface of a program: its replicas and partitions, and the place of each argument and
// result.
#include <algorithm>
#include <fmt/format.h>

#include "program/compile.h"
#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"
#include "program/passes/module/grid.h"
#include "program/passes/sharding/partitioned.h"
#include "program/passes/sharding/placement.h"

namespace understudy::program {

namespace {

using passes::find_in;
using passes::local_type;
using passes::Place;
using passes::whole;

// Absent means the fallback. The upper limit is a sanity bound; kMostProcesses bounds the product.
std::int64_t count_in(const Module& module, std::string_view name, std::int64_t fallback) {
  const Attribute* found = module.find(name);
  const std::int64_t count = found == nullptr ? fallback : passes::number_of(*found, fallback);
  if (count < 1 || count > 1'000'000)
    throw Error(ErrorKind::input,
                fmt::format("{} is {}, but must be from 1 to 1000000", name, count));
  return count;
}

// Without a module attribute the largest mesh decides.
std::int64_t partitions_of(const Module& module) {
  // Modules without meshes and attributes are for one device.
  std::int64_t devices = 1;
  for (const Mesh& mesh : module.meshes) devices = std::max(devices, passes::size_of(mesh));
  return count_in(module, "mhlo.num_partitions", devices);
}

// The option may set the number of replicas only if the program does not: PyTorch/XLA programs do
// not say.
std::int64_t replicas_of(const Module& module, const CompileOptions& options) {
  const std::int64_t said = count_in(module, "mhlo.num_replicas", 1);
  // 0: the option is not given.
  if (options.replicas == 0 || options.replicas == said) return said;
  if (said == 1) return options.replicas;
  throw Error(ErrorKind::usage,
              fmt::format("the program declares {} replicas, not {}", said, options.replicas));
}

void require_static(const Value& value, const TensorType& type) {
  if (!type.is_static())
    throw error_at(
        value.location, ErrorKind::unsupported,
        fmt::format("@main takes {}: its shape is only known at run time", text_of(value.type)));
}

// One parameter from its global type and the sharding of one replica. With several replicas each
// has its own copy of the array, so its tiles are numbered on.
Parameter parameter_of(TensorType global, TensorType local, const Sharding& one,
                       const Interface& interface) {
  Parameter parameter;
  parameter.global = std::move(global);
  parameter.local = std::move(local);
  parameter.sharding = {one.tiles, {}, interface.replicas > 1};
  std::int64_t tiles = 1;
  for (const std::int64_t count : one.tiles) tiles *= count;
  for (std::int64_t replica = 0; replica < interface.replicas; ++replica)
    for (const std::int64_t tile : one.tile_of)
      parameter.sharding.tile_of.push_back(replica * tiles + tile);
  const auto of_replicas = static_cast<std::size_t>(interface.replicas);
  // Summands are numbered within a replica: arrays of different replicas are never added.
  for (std::size_t replica = 0; replica < of_replicas; ++replica)
    parameter.sharding.summand_of.insert(parameter.sharding.summand_of.end(),
                                         one.summand_of.begin(), one.summand_of.end());
  // Summands of a tile differ.
  parameter.declared_replicated = tiles < interface.partitions && one.summand_of.empty();
  return parameter;
}

Parameter parameter_of(const Value& value, TensorType type, const Place& place,
                       const Interface& interface) {
  require_static(value, type);
  const Sharding one = place.local ? whole(type.ndims(), interface.partitions) : place.sharding;
  TensorType local = local_type(type, one, value.location);
  return parameter_of(std::move(type), std::move(local), one, interface);
}

Parameter parameter_of(passes::PartitionedValue value, TensorType local,
                       const Interface& interface) {
  return parameter_of(std::move(value.global), std::move(local), value.sharding, interface);
}

// The types of what @main gives; where it leaves sizes open, they are found by lowering it.
std::vector<TensorType> returned_types(const Module& module, const Function& main,
                                       const Interface& interface) {
  std::vector<TensorType> types;
  for (const Value* value : main.block().terminator()->operands) {
    // Tokens have no array, so they take no place among the results.
    if (value->type.kind == Type::Kind::token) continue;
    if (!value->type.is_tensor())
      throw error_at(
          main.location, ErrorKind::unsupported,
          fmt::format("@main returns {}, but only tensors are supported", text_of(value->type)));
    types.push_back(value->type.tensor);
  }
  if (std::ranges::all_of(types, &TensorType::is_static)) return types;
  // This lowering is thrown away; only the types are wanted.
  passes::Draft draft;
  return passes::Lowering(module, interface, draft).result_types_of(main);
}

// `places` is nullptr for partitioned programs.
void add_results(const Module& module, const Function& main, const passes::Places* places,
                 Interface& interface) {
  const auto& returned = main.block().terminator()->operands;
  const std::vector<TensorType> types = returned_types(module, main, interface);
  for (std::size_t i = 0; i < returned.size(); ++i) {
    if (returned[i]->type.kind == Type::Kind::token) continue;
    // The index among tensors, which tokens do not count in.
    const TensorType& type = types.at(interface.results.size());
    Parameter result =
        places == nullptr
            ? parameter_of(passes::partitioned_result(module, main, i, type, interface.partitions),
                           type, interface)
            : parameter_of(*returned[i], type, places->results[i], interface);
    // A name that JAX gave the result, such as "result[0]['loss']"; it is for people only.
    if (i < main.result_attributes.size())
      if (const Attribute* info = find_in(main.result_attributes[i], "jax.result_info"))
        if (const auto* text = info->get<StringAttribute>()) result.name = text->value;
    interface.results.push_back(std::move(result));
  }
}

}  // namespace

std::int64_t Sharding::tile_count(std::int64_t replicas) const {
  std::int64_t count = per_replica ? replicas : 1;
  for (const std::int64_t dimension : tiles) count *= dimension;
  return count;
}

// The named function, else @main, else the only one.
const Function& entry_of(const Module& module, const CompileOptions& options) {
  const std::string& name = options.entry;
  const Function* entry = module.find_function(name.empty() ? "main" : name);
  if (entry == nullptr && name.empty() && module.functions.size() == 1)
    entry = module.functions[0].get();
  if (entry == nullptr || entry->body.blocks.empty())
    throw Error(ErrorKind::input,
                fmt::format("the module has no function @{}", name.empty() ? "main" : name));
  return *entry;
}

// A program's own grid (run_parallel) decides the numbers of processes; otherwise the module
// attributes and options do.
ProcessCounts process_counts(const Module& module, const CompileOptions& options) {
  if (const auto grid = passes::grid_of(module, entry_of(module, options)))
    return {grid->replicas, grid->partitions};
  const ProcessCounts counts{replicas_of(module, options), partitions_of(module)};
  // A division, as the product could overflow.
  if (counts.replicas > passes::kMostProcesses / counts.partitions)
    throw Error(options.replicas > 0 ? ErrorKind::usage : ErrorKind::input,
                fmt::format("{} replicas x {} partitions exceed the limit of {} chips",
                            counts.replicas, counts.partitions, passes::kMostProcesses));
  return counts;
}

// Tokens order effects and carry no data, so they are no arguments or
// results of the executable.
Interface interface_of(const Module& module, const CompileOptions& options) {
  const Function* main = &entry_of(module, options);
  Interface interface;
  const ProcessCounts counts = process_counts(module, options);
  interface.replicas = counts.replicas;
  interface.partitions = counts.partitions;
  const bool partitioned = passes::is_partitioned(module);
  passes::Places places;
  // Partitioned programs state the place of each chip's part themselves.
  if (!partitioned) places = passes::places_of(module, *main, interface.partitions);
  // Before the arguments are read, so that the user sees the cause and not a shape that does not
  // fit.
  passes::refuse_objections(places);
  for (std::size_t i = 0; i < main->block().arguments.size(); ++i) {
    const Value& argument = *main->block().arguments[i];
    if (argument.type.kind == Type::Kind::token) continue;
    if (!argument.type.is_tensor())
      throw error_at(
          argument.location, ErrorKind::unsupported,
          fmt::format("@main takes {}, but only tensors are supported", text_of(argument.type)));
    const TensorType& type = argument.type.tensor;
    if (partitioned) require_static(argument, type);
    interface.arguments.push_back(
        partitioned ? parameter_of(passes::partitioned_argument(module, *main, i, type,
                                                                interface.partitions),
                                   type, interface)
                    : parameter_of(argument, type, places.arguments[i], interface));
  }
  add_results(module, *main, partitioned ? nullptr : &places, interface);
  return interface;
}

}  // namespace understudy::program
