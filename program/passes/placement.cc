// SPDX-License-Identifier: Apache-2.0
#include "program/passes/placement.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "program/passes/attributes.h"

namespace understudy::program::passes {

namespace {

std::optional<std::string> custom_call_target(const Operation& op) {
  if (op.name != "stablehlo.custom_call") return std::nullopt;
  return string_of(op, "call_target_name", "");
}

bool is_annotation(const Operation& op) {
  return op.name == "sdy.sharding_constraint" || custom_call_target(op) == "Sharding";
}

// The value behind annotations.
const Value* root_of(const Value* value) {
  while (value->owner != nullptr && is_annotation(*value->owner)) value = value->owner->operands[0];
  return value;
}

std::string gspmd_of(const Operation& op) { return string_of(op, "mhlo.sharding", ""); }

class Placer {
 public:
  Placer(const Module& module, const Function& main, std::int64_t partitions)
      : module_(module), main_(main), partitions_(partitions) {}

  std::vector<Place> arguments, results;

  void run() {
    const Block& block = main_.block();
    for (const auto& op : block.operations) demand(*op);
    for (std::size_t i = 0; i < block.arguments.size(); ++i) place_argument(i);
    if (partitions_ > 1) refuse_hidden_computations();
    for (const auto& op : block.operations)
      if (op.get() != block.terminator()) place_operation(*op);
    for (const Value* value : block.terminator()->operands)
      results.push_back(place_of_value(*value));
  }

 private:
  [[noreturn]] void refuse(const Operation& op, std::string_view why) const {
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: {}: the program needs an SPMD partitioner. Give understudy the "
                               "per-chip program: wrap the computation in jax.shard_map over "
                               "every mesh axis",
                               op.name, why));
  }

  Sharding shardy(const Attribute& attribute, const Value& value, const Location& where) const {
    const DialectAttribute* sharding = attribute.dialect();
    if (sharding == nullptr) throw error_at(where, ErrorKind::input, "expected #sdy.sharding<...>");
    return sharding_of(module_, *sharding, value.type.tensor, partitions_, where);
  }

  const std::vector<Attribute>& list(const Operation& op, std::string_view name,
                                     std::size_t count) const {
    const Attribute* found = op.find(name);
    const ArrayAttribute* array = found == nullptr ? nullptr : found->array();
    if (array == nullptr || array->elements.size() != count)
      throw error_at(op.location, ErrorKind::input,
                     fmt::format("{}: {}: expected {} shardings", op.name, name, count));
    return array->elements;
  }

  // An argument lies as the manual computation that takes it wants it.
  void demand(const Operation& op) {
    if (op.name == "sdy.manual_computation") {
      const auto& shardings = list(op, "in_shardings", op.operands.size());
      for (std::size_t i = 0; i < op.operands.size(); ++i)
        demand(op, *root_of(op.operands[i]), shardy(shardings[i], *op.operands[i], op.location));
    } else if (custom_call_target(op) == "SPMDFullToShardShape") {
      const Value& operand = *op.operands[0];
      if (operand.owner != nullptr && is_annotation(*operand.owner))
        demand(
            op, *root_of(&operand),
            sharding_of(gspmd_of(*operand.owner), operand.type.tensor, partitions_, op.location));
    }
  }

  void demand(const Operation& op, const Value& root, Sharding sharding) {
    if (root.block != &main_.block()) return;
    const auto [found, fresh] = demanded_.try_emplace(&root, sharding);
    if (!fresh && !same(found->second, sharding))
      refuse(op, fmt::format("argument {} is wanted in two shardings", root.index));
  }

  void place_argument(std::size_t i) {
    const Value& value = *main_.block().arguments[i];
    arguments.emplace_back();
    places_[&value] = {};
    if (!value.type.is_tensor()) return;
    Place place{false, whole(value.type.tensor.ndims(), partitions_)};
    const auto found = demanded_.find(&value);
    static const std::vector<NamedAttribute> none;
    const auto& attributes =
        i < main_.argument_attributes.size() ? main_.argument_attributes[i] : none;
    const Attribute* gspmd = find_in(attributes, "mhlo.sharding");
    if (found != demanded_.end()) {
      place.sharding = found->second;
    } else if (const Attribute* sdy = find_in(attributes, "sdy.sharding")) {
      place.sharding = shardy(*sdy, value, value.location);
    } else if (gspmd != nullptr && gspmd->get<StringAttribute>() != nullptr) {
      place.sharding = sharding_of(gspmd->get<StringAttribute>()->value, value.type.tensor,
                                   partitions_, value.location);
    }
    arguments.back() = place;
    places_[&value] = std::move(place);
  }

  // Manual computations below calls and regions: their operands' places are not followed.
  void refuse_hidden_computations() const {
    const auto all = operations_in_order(module_);
    for (const Operation* op : all) {
      const auto& top = main_.block().operations;
      if (op->name == "sdy.manual_computation" &&
          std::ranges::none_of(top, [&](const auto& it) { return it.get() == op; }))
        refuse(*op, "a manual computation that does not stand in @main itself");
    }
  }

  const Place& place_of_value(const Value& value) const {
    const auto found = places_.find(&value);
    UNDERSTUDY_ASSERT(found != places_.end());
    return found->second;
  }

  void place_operation(const Operation& op) {
    const auto target = custom_call_target(op);
    if (op.name == "sdy.manual_computation") return place_manual(op);
    if (is_annotation(op)) return place_annotation(op);
    if (target == "SPMDFullToShardShape") return place_full_to_shard(op);
    if (target == "SPMDShardToFullShape") return place_shard_to_full(op);
    bool local = false;
    see_operands(op, op, local);
    for (const auto& result : op.results)
      places_[result.get()] = {local, whole(result->type.tensor.ndims(), partitions_)};
  }

  // Also what the regions of `top` take from outside.
  void see_operands(const Operation& top, const Operation& op, bool& local) const {
    for (const Value* operand : op.operands) {
      const auto found = places_.find(operand);
      if (found == places_.end()) continue;
      if (!found->second.local && !is_whole(found->second.sharding))
        refuse(top, "it works on a global array that is sharded over the chips");
      local = local || found->second.local;
    }
    for (const auto& region : op.regions)
      for (const auto& block : region->blocks)
        for (const auto& nested : block->operations) see_operands(top, *nested, local);
  }

  void place_manual(const Operation& op) {
    refuse_partial(op);
    const auto& in = list(op, "in_shardings", op.operands.size());
    const Block& block = op.block();
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const Value& operand = *op.operands[i];
      const Sharding wanted = shardy(in[i], operand, op.location);
      if (!same(place_of_value(operand).sharding, wanted))
        refuse(op, fmt::format("operand {} lies differently from its in_sharding", i));
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

  // Axes that stay with the partitioner inside the body.
  void refuse_partial(const Operation& op) const {
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

  void check_local(const Operation& op, std::string_view what, const TensorType& got,
                   const TensorType& wanted) const {
    if (got == wanted) return;
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} is {}, but its sharding makes it {}", op.name, what,
                               text_of(got), text_of(wanted)));
  }

  void place_annotation(const Operation& op) {
    const Value& operand = *op.operands[0];
    const Place place = place_of_value(operand);
    if (!place.local && !(op.name != "sdy.sharding_constraint" && is_manual(gspmd_of(op)))) {
      const Attribute* sdy = op.find("sharding");
      const Sharding wanted =
          op.name == "sdy.sharding_constraint" && sdy != nullptr
              ? shardy(*sdy, operand, op.location)
              : sharding_of(gspmd_of(op), operand.type.tensor, partitions_, op.location);
      if (!same(place.sharding, wanted)) refuse(op, "it asks for another sharding");
    }
    places_[op.results[0].get()] = place;
  }

  void place_full_to_shard(const Operation& op) {
    const Value& operand = *op.operands[0];
    check_local(op, "the result", op.results[0]->type.tensor,
                local_type(operand.type.tensor, place_of_value(operand).sharding, op.location));
    places_[op.results[0].get()] = {true, {}};
  }

  void place_shard_to_full(const Operation& op) {
    const TensorType& type = op.results[0]->type.tensor;
    Sharding sharding = sharding_of(gspmd_of(op), type, partitions_, op.location);
    check_local(op, "the operand", op.operands[0]->type.tensor,
                local_type(type, sharding, op.location));
    places_[op.results[0].get()] = {false, std::move(sharding)};
  }

  const Module& module_;
  const Function& main_;
  std::int64_t partitions_;
  std::unordered_map<const Value*, Sharding> demanded_;
  std::unordered_map<const Value*, Place> places_;
};

}  // namespace

const Attribute* find_in(const std::vector<NamedAttribute>& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (key == name) return &value;
  return nullptr;
}

Places places_of(const Module& module, const Function& main, std::int64_t partitions) {
  Placer placer(module, main, partitions);
  placer.run();
  return {std::move(placer.arguments), std::move(placer.results)};
}

}  // namespace understudy::program::passes
