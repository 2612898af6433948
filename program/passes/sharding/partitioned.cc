// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/partitioned.h"

#include <fmt/format.h>

#include "program/passes/sharding/annotations.h"

namespace understudy::program::passes {

namespace {

// Written by the partitioner of this project; XLA's own modules have the shardings instead.
constexpr std::string_view kMark = "understudy.partitioned";
constexpr std::string_view kGlobalType = "understudy.global_type";
constexpr std::string_view kSharding = "mhlo.sharding";
constexpr std::string_view kOfParameters = "mhlo.spmd_parameters_shardings";
constexpr std::string_view kOfOutput = "mhlo.spmd_output_sharding";

std::string_view text_in(const Attribute* attribute) {
  const auto* text = attribute == nullptr ? nullptr : attribute->get<StringAttribute>();
  return text == nullptr ? std::string_view() : text->value;
}

const Attribute* attribute_in(const std::vector<std::vector<NamedAttribute>>& lists,
                              std::size_t index, std::string_view name) {
  return index < lists.size() ? find_in(lists[index], name) : nullptr;
}

PartitionedValue value_of(const std::vector<std::vector<NamedAttribute>>& lists, std::size_t index,
                          std::string_view of_module, const TensorType& local,
                          std::int64_t partitions, const Location& where) {
  // A value's own sharding goes before the one that the module has for it.
  const Attribute* own = attribute_in(lists, index, kSharding);
  const std::string_view text = own == nullptr ? of_module : text_in(own);
  PartitionedValue value{local, sharding_of(text, local, partitions, where)};
  // The sizes of a padded array cannot be derived from those of its shards.
  if (const Attribute* global = attribute_in(lists, index, kGlobalType)) {
    const auto* type = global->get<TypeAttribute>();
    if (type == nullptr || !type->type.is_tensor() || type->type.tensor.ndims() != local.ndims())
      throw error_at(where, ErrorKind::input,
                     fmt::format("{}: expected the type of the whole array of {}", kGlobalType,
                                 text_of(local)));
    value.global = type->type.tensor;
  } else {
    for (std::size_t d = 0; d < local.shape.size(); ++d)
      value.global.shape[d] = checked_multiply(local.shape[d], value.sharding.tiles[d]);
  }
  // The last shard may be padded, so it is as large as the others.
  const TensorType wanted = padded_local_type(value.global, value.sharding);
  if (wanted != local)
    throw error_at(where, ErrorKind::input,
                   fmt::format("the shard of {} under '{}' is {}, but the program of a chip has {}",
                               text_of(value.global), text, text_of(wanted), text_of(local)));
  return value;
}

}  // namespace

bool is_partitioned(const Module& module) {
  return module.find(kMark) != nullptr || module.find(kOfParameters) != nullptr;
}

PartitionedValue partitioned_argument(const Module& module, const Function& main, std::size_t index,
                                      const TensorType& local, std::int64_t partitions) {
  const Attribute* all = module.find(kOfParameters);
  const ArrayAttribute* list = all == nullptr ? nullptr : all->array();
  // Fewer shardings than arguments: the others are whole.
  const bool listed = list != nullptr && index < list->elements.size();
  return value_of(main.argument_attributes, index,
                  listed ? text_in(&list->elements[index]) : std::string_view(), local, partitions,
                  main.block().arguments.at(index)->location);
}

PartitionedValue partitioned_result(const Module& module, const Function& main, std::size_t index,
                                    const TensorType& local, std::int64_t partitions) {
  return value_of(main.result_attributes, index, element_of(text_in(module.find(kOfOutput)), index),
                  local, partitions, main.block().terminator()->location);
}

}  // namespace understudy::program::passes
