// SPDX-License-Identifier: Apache-2.0
// Collectives: kind, processes, and the grouping mode by the rules of the StableHLO specification
// for channel_id and use_global_device_ids.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "program/lowering/collective_groups.h"
#include "program/passes/module/attributes.h"
#include "program/passes/sharding/mesh_groups.h"

namespace understudy::program::passes {

namespace {

// The mode of all_reduce, reduce_scatter and all_gather.
GroupMode reducing_mode(const Operation& op, std::int64_t channel) {
  const bool global = flag_of(op, "use_global_device_ids", false);
  if (global && channel <= 0)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: use_global_device_ids needs a channel", op.name));
  return program::reducing_mode(channel, global);
}

// Removes padding and empty groups. Every id may occur once: a process cannot wait in two groups.
void check_groups(const Operation& op, std::int64_t ids, std::vector<Shape>& groups) {
  std::vector<bool> seen(static_cast<std::size_t>(ids), false);
  for (Shape& group : groups) {
    // Tables are rectangular, so shorter groups are filled up with -1.
    std::erase(group, -1);
    for (const std::int64_t id : group) {
      if (id < 0 || id >= ids)
        throw error_at(op.location, ErrorKind::input,
                       fmt::format("{}: replica_groups: id {} is out of range: expected 0 to {}",
                                   op.name, id, ids - 1));
      if (seen[static_cast<std::size_t>(id)])
        throw error_at(op.location, ErrorKind::input,
                       fmt::format("{}: replica_groups: duplicate id {}", op.name, id));
      seen[static_cast<std::size_t>(id)] = true;
    }
  }
  std::erase_if(groups, [](const Shape& group) { return group.empty(); });
}

}  // namespace

std::vector<ProcessGroup> groups_of(const Lowering& lowering, const Operation& op,
                                    const Attribute* written, GroupMode mode) {
  const std::int64_t ids = lowering.interface().counts().ids(mode);
  std::vector<Shape> groups;
  if (written != nullptr) {
    auto axes = mesh_groups(lowering.module(), *written, op.location);
    groups = axes ? std::move(*axes) : rows_of(op, *written);
  }
  check_groups(op, ids, groups);
  // No groups written: one group of all ids.
  if (groups.empty()) {
    groups.emplace_back(static_cast<std::size_t>(ids));
    std::iota(groups[0].begin(), groups[0].end(), 0);
  }
  return lowering.interface().counts().groups(mode, groups);
}

Collective collective_of(const Lowering& lowering, const Operation& op, CollectiveKind kind) {
  if (lowering.in_body())
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: collectives inside a reducer are not supported", op.name));
  Collective work;
  work.kind = kind;
  work.channel = channel_of(op);
  return work;
}

Collective grouped_collective(const Lowering& lowering, const Operation& op, CollectiveKind kind,
                              bool reducing) {
  Collective work = collective_of(lowering, op, kind);
  const GroupMode mode = reducing ? reducing_mode(op, work.channel) : moving_mode(work.channel);
  work.groups = groups_of(lowering, op, op.find("replica_groups"), mode);
  return work;
}

Parts with_reducer(Lowering& lowering, const Operation& op, Collective& work, std::size_t count) {
  Parts inputs = lowering.parts(op, 0, count);
  // The reducer takes scalars; its first parameter has the type in which it computes.
  work.body = lowering.body(op.block());
  work.reduction = recognise(work.body);
  for (Operand& input : inputs)
    input = lowering.convert(input, work.body.parameters.at(0).type.element);
  return inputs;
}

Parts emit_collective(Lowering& lowering, const Operation& op, Collective work,
                      const Parts& inputs) {
  Parts outputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    // The type in which the reducer computes; bind_collective() converts it to the declared one.
    outputs.push_back(lowering.make({inputs[i].type.element, lowering.result_type(op, i).shape}));
  lowering.emit(std::move(work), inputs, outputs);
  return outputs;
}

void bind_collective(Lowering& lowering, const Operation& op, const Parts& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    lowering.bind(*op.results[i],
                  lowering.convert(outputs[i], lowering.result_type(op, i).element));
}

namespace {

void finish(Lowering& lowering, const Operation& op, Collective work, const Parts& inputs) {
  bind_collective(lowering, op, emit_collective(lowering, op, std::move(work), inputs));
}

// What one member holds times their number must be what all hold together: the verifier cannot know
// the number of partitions where a module has several grids.
void require_pieces(const Operation& op, const Collective& work, const TensorType& piece,
                    const TensorType& together) {
  const auto d = static_cast<std::size_t>(work.dimension);
  for (const ProcessGroup& group : work.groups) {
    // Groups may have different sizes; each must fit by itself.
    const auto members = static_cast<std::int64_t>(group.size());
    if (checked_multiply(piece.shape.at(d), members) == together.shape.at(d)) continue;
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} members with {} each do not match {}", op.name, members,
                               text_of(piece), text_of(together)));
  }
}

void lower_all_reduce(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::all_reduce, true);
  const Parts inputs = with_reducer(lowering, op, work, op.operands.size());
  finish(lowering, op, std::move(work), inputs);
}

// Deprecated: an all_reduce that adds, over replicas.
void lower_cross_replica_sum(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::all_reduce, true);
  const Parts inputs = lowering.parts(op);
  work.body = lowering.binary_body(BinaryOp::add, inputs[0].type.element);
  work.reduction = recognise(work.body);
  finish(lowering, op, std::move(work), inputs);
}

void lower_reduce_scatter(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::reduce_scatter, true);
  work.dimension = integer_of(op, "scatter_dimension", 0);
  require_pieces(op, work, lowering.result_type(op), lowering.operand_type(op, 0));
  const Parts inputs = with_reducer(lowering, op, work, op.operands.size());
  finish(lowering, op, std::move(work), inputs);
}

void lower_all_gather(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::all_gather, true);
  work.dimension = integer_of(op, "all_gather_dim", 0);
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    require_pieces(op, work, lowering.operand_type(op, i), lowering.result_type(op, i));
  finish(lowering, op, std::move(work), lowering.parts(op));
}

void lower_all_to_all(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::all_to_all, false);
  work.split_dimension = integer_of(op, "split_dimension", 0);
  work.concat_dimension = integer_of(op, "concat_dimension", 0);
  work.split_count = integer_of(op, "split_count", 1);
  finish(lowering, op, std::move(work), lowering.parts(op));
}

// Pairs are ids in the grouping mode of the channel; processes that are no target get zeros.
// Unlike groups, pairs may leave processes out.
void lower_collective_permute(Lowering& lowering, const Operation& op) {
  Collective work = collective_of(lowering, op, CollectiveKind::collective_permute);
  const GroupMode mode = moving_mode(work.channel);
  const std::int64_t ids = lowering.interface().counts().ids(mode);
  const Attribute* written = op.find("source_target_pairs");
  if (written == nullptr)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: source_target_pairs is missing", op.name));
  const std::vector<Shape> pairs = rows_of(op, *written);
  for (const Shape& pair : pairs)
    if (pair.size() != 2 || std::ranges::any_of(pair, [&](auto id) { return id < 0 || id >= ids; }))
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: source_target_pairs: an id is out of range: expected 0 to {}",
                                 op.name, ids - 1));
  for (const ProcessGroup& pair : lowering.interface().counts().groups(mode, pairs))
    work.source_target.push_back({pair[0], pair[1]});
  finish(lowering, op, std::move(work), lowering.parts(op));
}

}  // namespace

void add_collectives(LowerTable& table) {
  table.emplace("stablehlo.all_reduce", lower_all_reduce);
  table.emplace("stablehlo.cross-replica-sum", lower_cross_replica_sum);
  table.emplace("stablehlo.reduce_scatter", lower_reduce_scatter);
  table.emplace("stablehlo.all_gather", lower_all_gather);
  table.emplace("stablehlo.all_to_all", lower_all_to_all);
  table.emplace("stablehlo.collective_permute", lower_collective_permute);
}

}  // namespace understudy::program::passes
