// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "program/passes/sharding/mesh_groups.h"
#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

std::int64_t module_count(const Check& check, std::string_view attribute) {
  const Attribute* found = check.module().find(attribute);
  const auto* number = found == nullptr ? nullptr : found->get<IntegerAttribute>();
  // Both counts may be missing: JAX writes them, hand-written programs often do not.
  return number == nullptr ? 0 : number->value;  // 0: the program does not say
}

std::int64_t channel(const Check& check) {
  const Attribute* found = check.op().find("channel_handle");
  if (found == nullptr) return 0;
  return check.number(check.structure("channel_handle"), "handle");
}

// A table of ids, `columns` per row (0: any number).
const DenseAttribute& table(const Check& check, std::string_view attribute) {
  const auto* dense = check.needed(attribute).get<DenseAttribute>();
  check.require(dense != nullptr && is_integer(dense->type.element) && dense->type.ndims() == 2,
                fmt::format("'{}' must be dense<...> : tensor<RxCxi64>", attribute));
  return *dense;
}

// The groups together name every process. Those of a broadcast may leave some out, which then get
// zeros.
void require_all(const Check& check, const std::set<std::int64_t>& named) {
  const bool partial = check.op().name == "stablehlo.collective_broadcast";
  // Ids are distinct, so the largest one tells whether the set has gaps.
  if (!partial && !named.empty() && *named.rbegin() + 1 != static_cast<std::int64_t>(named.size()))
    check.fail(
        fmt::format("'replica_groups' names process {}, but omits a lower one", *named.rbegin()));
}

// Checks the replica groups: distinct ids, in range where the number of processes is known, no
// process left out. Returns the number of members of each group; 0 if it varies, or if one group of
// all processes is implied.
std::int64_t group_size(const Check& check) {
  const Attribute& written = check.needed("replica_groups");
  // Groups along a mesh are resolved to rows; their sizes are equal by construction.
  if (const auto rows = passes::mesh_groups(check.module(), written, check.op().location))
    return static_cast<std::int64_t>(rows->at(0).size());
  const DenseAttribute& groups = table(check, "replica_groups");
  const bool global = flag_of(check.op(), "use_global_device_ids", false);
  const std::int64_t handle = channel(check);
  check.require(!global || handle > 0, "use_global_device_ids needs a channel");
  const std::int64_t replicas = std::max<std::int64_t>(module_count(check, "mhlo.num_replicas"), 1);
  const std::int64_t partitions =
      std::max<std::int64_t>(module_count(check, "mhlo.num_partitions"), 1);
  // Reductions may have groups of unequal size, padded with -1: only their result types do not
  // depend on the size.
  const bool pads =
      check.op().name == "stablehlo.all_reduce" || check.op().name == "stablehlo.collective_reduce";
  std::set<std::int64_t> seen;
  bool padded = false;
  for (const std::int64_t id : integers_of(Attribute{groups})) {
    if (id == -1 && pads) {
      padded = true;
      continue;
    }
    const bool known = module_count(check, "mhlo.num_partitions") > 0;
    // Without a known number of partitions an id cannot be too large.
    const bool fits = id >= 0 && (!global || !known || id < replicas * partitions);
    check.require(fits, fmt::format("'replica_groups' names process {}, but there are {}", id,
                                    replicas * partitions));
    check.require(seen.insert(id).second,
                  fmt::format("'replica_groups' names process {} twice", id));
  }
  require_all(check, seen);
  // 0 tells the caller that no result size follows from the groups.
  if (padded || groups.type.shape[0] == 0) return 0;
  // With a channel but no global ids the mode is cross_replica_and_partition: a group spans its
  // replicas times all partitions. all_to_all has no such mode.
  const bool both = handle > 0 && !global && check.op().name != "stablehlo.all_to_all";
  return product(groups.type.shape[1], both ? check.partitions() : 1);
}

}  // namespace

void all_reduce(const Check& check) {
  check.expect_results(check.operands());
  group_size(check);
  const std::vector<ElementType> elements = check.expect_reducer(0, 1);
  for (std::size_t i = 0; i < check.operands(); ++i) {
    check.expect_promotable(i, elements[0]);
    check.expect_result(i, TensorType{elements[0], check.operand(i).shape});
  }
}

// The scattered dimension is divided among the members, after a reduction as in all_reduce.
void reduce_scatter(const Check& check) {
  const std::vector<ElementType> elements = check.expect_reducer(0, 1);
  const TensorType& from = check.operand(0);
  check.expect_promotable(0, elements[0]);
  const auto d = static_cast<std::size_t>(check.dimension("scatter_dimension", from.ndims()));
  const std::int64_t members = group_size(check);
  // The size of the result cannot be checked where the number of members is unknown.
  if (members == 0) return;
  check.require(
      divides(members, from.shape[d]),
      fmt::format("{} members do not divide dimension {} of {}", members, d, text_of(from)));
  TensorType wanted{elements[0], from.shape};
  wanted.shape[d] = quotient(wanted.shape[d], members);
  check.expect_result(0, wanted);
}

// The gathered dimension grows by the number of members; all other dimensions stay.
void all_gather(const Check& check) {
  check.expect_results(check.operands());
  const std::int64_t members = group_size(check);
  for (std::size_t i = 0; i < check.operands() && members != 0; ++i) {
    TensorType wanted = check.operand(i);
    const auto d = static_cast<std::size_t>(check.dimension("all_gather_dim", wanted.ndims()));
    check.require(wanted.shape[d] != 0,
                  fmt::format("dimension {} of {} is empty", d, text_of(wanted)));
    wanted.shape[d] = product(wanted.shape[d], members);
    check.expect_result(i, wanted);
  }
}

// split_count must be the group size: each member sends one part to each member.
void all_to_all(const Check& check) {
  check.expect_results(check.operands());
  const std::int64_t members = group_size(check);
  const std::int64_t parts = check.integer("split_count");
  check.require(parts > 0 && (members == 0 || members == parts),
                fmt::format("'split_count' is {}, but the groups have {} members", parts, members));
  for (std::size_t i = 0; i < check.operands(); ++i) {
    TensorType wanted = check.operand(i);
    const auto split = static_cast<std::size_t>(check.dimension("split_dimension", wanted.ndims()));
    const auto joined =
        static_cast<std::size_t>(check.dimension("concat_dimension", wanted.ndims()));
    // divides() accepts a dynamic size.
    check.require(
        divides(parts, wanted.shape[split]),
        fmt::format("{} parts do not divide dimension {} of {}", parts, split, text_of(wanted)));
    // Split first, then joined: both may be the same dimension.
    wanted.shape[split] = quotient(wanted.shape[split], parts);
    wanted.shape[joined] = product(wanted.shape[joined], parts);
    check.expect_result(i, wanted);
  }
}

// Constraints of the specification: pairs (C1), unique sources (C2), unique targets (C3), the
// result has the operand's type (C5). A process may be neither, or both.
void collective_permute(const Check& check) {
  const DenseAttribute& pairs = table(check, "source_target_pairs");
  check.require(pairs.type.shape[1] == 2, "'source_target_pairs' must hold pairs");
  const Shape ids = integers_of(Attribute{pairs});
  std::set<std::int64_t> sources;
  std::set<std::int64_t> targets;
  for (std::size_t i = 0; i + 1 < ids.size(); i += 2) {
    check.require(ids[i] >= 0 && ids[i + 1] >= 0, "'source_target_pairs' names a negative process");
    check.require(sources.insert(ids[i]).second,
                  fmt::format("process {} is a source twice", ids[i]));
    check.require(targets.insert(ids[i + 1]).second,
                  fmt::format("process {} is a target twice", ids[i + 1]));
  }
  check.expect_result(0, check.operand(0));
}

void collective_broadcast(const Check& check) {
  group_size(check);
  const bool dynamic = flag_of(check.op(), "has_dynamic_root", false);
  // A dynamic root is the last operand and no value that is broadcast.
  check.expect_results(check.operands() - (dynamic && check.operands() > 0 ? 1 : 0));
  for (std::size_t i = 0; i < check.results(); ++i) check.expect_result(i, check.operand(i));
}

}  // namespace understudy::program::rules
