// SPDX-License-Identifier: Apache-2.0
#include "program/partitioner.h"

#include <algorithm>

#include "program/passes/partitioned.h"
#include "program/passes/placement.h"
#include "program/read.h"

namespace understudy::program {

namespace {

using passes::find_in;

constexpr std::string_view kFrontend = "mhlo.frontend_attributes";

const DictionaryAttribute* frontend_of(const std::vector<NamedAttribute>& attributes) {
  const Attribute* found = find_in(attributes, kFrontend);
  return found == nullptr ? nullptr : found->dictionary();
}

bool is_sharded(const std::vector<std::vector<NamedAttribute>>& lists, std::size_t index) {
  if (index >= lists.size()) return false;
  const DictionaryAttribute* entries = frontend_of(lists[index]);
  return find_in(lists[index], "sdy.sharding") != nullptr ||
         find_in(lists[index], "mhlo.sharding") != nullptr ||
         (entries != nullptr && entries->find("xla.sdy.sharding") != nullptr);
}

// Exported programs may carry Shardy's attributes as text, with the meshes on the module.
bool uses_shardy(const Module& module) {
  const DictionaryAttribute* entries = frontend_of(module.attributes);
  return !module.meshes.empty() ||
         (entries != nullptr && entries->find("xla.sdy.meshes") != nullptr);
}

// Operations of Shardy that move data or ask for it, such as sdy.reshard of explicit meshes.
bool has_reshards(const Module& module) {
  return std::ranges::any_of(unsupported_operations(module),
                             [](const Unsupported& one) { return one.what.starts_with("sdy."); });
}

}  // namespace

std::optional<PartitionRequest> partition_request(const Module& module,
                                                  const CompileOptions& options) {
  if (passes::is_partitioned(module)) return std::nullopt;
  const Function& main = entry_of(module, options);
  const ProcessCounts counts = process_counts(module, options);
  if (counts.partitions == 1) return std::nullopt;
  const bool shards = !passes::places_of(module, main, counts.partitions).objections.empty() ||
                      has_reshards(module);
  if (!shards) return std::nullopt;
  PartitionRequest request;
  request.entry = options.entry;
  request.replicas = counts.replicas;
  request.partitions = counts.partitions;
  request.shardy = uses_shardy(module);
  for (std::size_t i = 0; i < main.block().arguments.size(); ++i)
    request.propagate_to_parameters.push_back(!is_sharded(main.argument_attributes, i));
  for (std::size_t i = 0; i < main.result_types.size(); ++i)
    request.propagate_to_output.push_back(!is_sharded(main.result_attributes, i));
  return request;
}

}  // namespace understudy::program
