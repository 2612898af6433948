// SPDX-License-Identifier: Apache-2.0
#include "program/partitioner.h"

#include <fmt/format.h>

#include "program/passes/sharding/partitioned.h"
#include "program/passes/sharding/placement.h"
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

// The first operation that only a partitioner can make runnable: one on distributed values, or one
// of Shardy's own that moves data, such as sdy.reshard of explicit meshes. "" if there is none.
std::string reason_to_partition(const Module& module, const Function& main, std::int64_t partitions,
                                bool arguments_are_placed) {
  const auto places = passes::places_of(module, main, partitions, arguments_are_placed);
  for (const passes::UnsupportedAnnotation& one : places.objections)
    return fmt::format("{}: {}: {}", text_of(place_of(one.location)), one.name, one.why);
  for (const Unsupported& one : unsupported_operations(module))
    if (one.what.starts_with("sdy."))
      return fmt::format("{}: {}", text_of(place_of(one.location)), one.what);
  return "";
}

}  // namespace

std::optional<PartitionRequest> partition_request(const Module& module,
                                                  const CompileOptions& options) {
  // Its program is already that of one chip.
  if (passes::is_partitioned(module)) return std::nullopt;
  const Function& main = entry_of(module, options);
  // Partition 1 of 1 holds whole arrays; replicas need no partitioner.
  const ProcessCounts counts = process_counts(module, options);
  if (counts.partitions == 1) return std::nullopt;
  PartitionRequest request;
  request.reason =
      reason_to_partition(module, main, counts.partitions, options.arguments_are_placed);
  if (request.reason.empty()) return std::nullopt;
  request.entry = options.entry;
  request.replicas = counts.replicas;
  request.partitions = counts.partitions;
  request.shardy = uses_shardy(module);
  // XLA may choose the sharding of what the program leaves open, and must keep what it says.
  for (std::size_t i = 0; i < main.block().arguments.size(); ++i)
    request.propagate_to_parameters.push_back(!is_sharded(main.argument_attributes, i));
  for (std::size_t i = 0; i < main.result_types.size(); ++i)
    request.propagate_to_output.push_back(!is_sharded(main.result_attributes, i));
  return request;
}

}  // namespace understudy::program
