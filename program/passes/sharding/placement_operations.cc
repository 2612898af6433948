// SPDX-License-Identifier: Apache-2.0
// Operations of @main: the places of their operands and of their results.
#include <algorithm>
#include <fmt/format.h>

#include "program/passes/module/attributes.h"
#include "program/passes/sharding/placer.h"

namespace understudy::program::passes {

void Placer::place(const Block& block) {
  for (const auto& op : block.operations) {
    if (op.get() == block.terminator()) continue;
    place_operation(*op);
    compare_annotations(*op);
  }
}

// The signature of the function may only confirm the places of its arguments and results.
void Placer::place_call(const Operation& op, const Function& callee) {
  calls_.enter(op, callee);
  const Block& block = callee.block();
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Value& argument = *block.arguments[i];
    places_[&argument] = place_of_value(*op.operands[i]);
    confirm(callee.argument_attributes, i, argument, op);
  }
  place(block);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const Value& returned = *block.terminator()->operands.at(i);
    places_[op.results[i].get()] = place_of_value(returned);
    confirm(callee.result_attributes, i, returned, op);
  }
}

void Placer::confirm(const std::vector<std::vector<NamedAttribute>>& attributes, std::size_t i,
                     const Value& value, const Operation& call) {
  if (i >= attributes.size() || !value.type.is_tensor()) return;
  std::string why =
      annotations_.objection(attributes[i], 0, value.type, place_of_value(value), call.location);
  if (!why.empty()) refuse(call, std::move(why));
}

void Placer::compare_annotations(const Operation& op) {
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const Value& result = *op.results[i];
    std::string why =
        annotations_.objection(op.attributes, i, result.type, place_of_value(result), op.location);
    if (!why.empty()) return refuse(op, std::move(why));
  }
}

void Placer::place_operation(const Operation& op) {
  const auto target = custom_call_target(op);
  if (const Function* callee = calls_.callee(op)) return place_call(op, *callee);
  if (op.name == "sdy.manual_computation") return place_manual(op);
  if (is_annotation(op)) return place_annotation(op);
  if (target == "SPMDFullToShardShape") return place_full_to_shard(op);
  if (target == "SPMDShardToFullShape") return place_shard_to_full(op);
  bool local = false;
  see_operands(op, op, local);
  for (const auto& result : op.results)
    // An operation on whole arrays computes the same value on every chip.
    places_[result.get()] = {local, whole(result->type.tensor.ndims(), partitions_)};
}

// Includes the operands that the regions of `top` capture from outside. Values defined inside
// are not in places_ and are skipped. The result is local if any operand is.
void Placer::see_operands(const Operation& top, const Operation& op, bool& local) {
  for (const Value* operand : op.operands) {
    const auto found = places_.find(operand);
    if (found == places_.end()) continue;
    if (!found->second.local && !is_whole(found->second.sharding))
      refuse(top, "it operates on a global array that is sharded over the chips");
    local = local || found->second.local;
  }
  for (const auto& region : op.regions)
    for (const auto& block : region->blocks)
      for (const auto& nested : block->operations) see_operands(top, *nested, local);
}

// Operands must already be distributed as in_shardings say. The body's argument and result
// types must be those of one tile, as the partitioner would have left them.
void Placer::place_manual(const Operation& op) {
  refuse_partial(op);
  const auto& in = list(op, "in_shardings", op.operands.size());
  const Block& block = op.block();
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Value& operand = *op.operands[i];
    const Sharding wanted = shardy(in[i], operand, op.location);
    if (!same(place_of_value(operand).sharding, wanted))
      refuse(op, fmt::format("operand {} has a different sharding than its in_sharding", i));
    check_local(op, fmt::format("argument {} of the computation", i),
                block.arguments.at(i)->type.tensor,
                local_type(operand.type.tensor, wanted, op.location));
  }
  const auto& out = list(op, "out_shardings", op.results.size());
  const auto& returned = block.terminator()->operands;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const Value& result = *op.results[i];
    Sharding sharding = shardy(out[i], result, op.location);
    check_local(op, fmt::format("result {} of the computation", i), returned.at(i)->type.tensor,
                local_type(result.type.tensor, sharding, op.location));
    places_[&result] = {false, std::move(sharding)};
  }
}

// Refuses computations that leave some mesh axes to the partitioner inside the body. An axis of
// size 1 has nothing to partition.
void Placer::refuse_partial(const Operation& op) {
  std::vector<std::string> manual;
  if (const Attribute* axes = op.find("manual_axes"); axes != nullptr && axes->array() != nullptr)
    for (const Attribute& axis : axes->array()->elements)
      if (const auto* name = axis.get<StringAttribute>()) manual.push_back(name->value);
  for (const char* name : {"in_shardings", "out_shardings"}) {
    const Attribute* shardings = op.find(name);
    if (shardings == nullptr || shardings->array() == nullptr) continue;
    for (const Attribute& sharding : shardings->array()->elements) {
      if (sharding.dialect() == nullptr) continue;
      for (const auto& [axis, size] : mesh_of(module_, *sharding.dialect(), op.location).axes)
        if (size > 1 && std::ranges::find(manual, axis) == manual.end())
          refuse(op, fmt::format("mesh axis \"{}\" is not manual", axis));
    }
  }
}

// A type mismatch is an input error, unless an earlier objection may have caused it.
void Placer::check_local(const Operation& op, std::string_view what, const TensorType& got,
                         const TensorType& wanted) const {
  if (got == wanted || !objections_.empty()) return;
  throw error_at(op.location, ErrorKind::input,
                 fmt::format("{}: {} is {}, but its sharding requires {}", op.name, what,
                             text_of(got), text_of(wanted)));
}

void Placer::place_annotation(const Operation& op) {
  places_[op.results[0].get()] = place_of_value(*op.operands[0]);
}

void Placer::place_full_to_shard(const Operation& op) {
  const Value& operand = *op.operands[0];
  if (is_partly_manual(gspmd_of(op))) refuse(op, "not every mesh axis is manual");
  check_local(op, "the result", op.results[0]->type.tensor,
              local_type(operand.type.tensor, place_of_value(operand).sharding, op.location));
  places_[op.results[0].get()] = {true, {}};
}

void Placer::place_shard_to_full(const Operation& op) {
  const TensorType& type = op.results[0]->type.tensor;
  Sharding sharding = sharding_of(gspmd_of(op), type, partitions_, op.location);
  check_local(op, "the operand", op.operands[0]->type.tensor,
              local_type(type, sharding, op.location));
  places_[op.results[0].get()] = {false, std::move(sharding)};
}

}  // namespace understudy::program::passes
