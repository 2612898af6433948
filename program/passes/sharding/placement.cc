// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/placement.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "program/passes/module/attributes.h"
#include "program/passes/sharding/followed_calls.h"

namespace understudy::program::passes {

namespace {

// Decides how each value of @main is laid out over the chips, and finds what only a partitioner can
// follow. understudy runs per-chip programs only. Outside manual computations a value is a
// global array: it must be whole on every chip, or tiled exactly as the next manual computation
// expects it. Nothing in @main may move data between chips implicitly.
//
// The input forms are Shardy (sdy.manual_computation) and GSPMD (custom calls SPMDFullToShardShape
// and SPMDShardToFullShape around local code).
std::string gspmd_of(const Operation& op) { return string_of(op, "mhlo.sharding", ""); }

class Placer {
 public:
  Placer(const Module& module, const Function& main, std::int64_t partitions,
         bool arguments_are_placed)
      : module_(module),
        main_(main),
        partitions_(partitions),
        arguments_are_placed_(arguments_are_placed),
        annotations_(module, partitions),
        calls_(module, main) {}

  std::vector<Place> arguments, results;
  std::vector<UnsupportedAnnotation> objections() { return std::move(objections_); }

  // Arguments first: a manual computation decides the tiles of the arguments that it takes,
  // before any operation is checked. Operations follow in program order, so every operand has a
  // place before its use. All objections are collected, to report them at once.
  void run() {
    const Block& block = main_.block();
    demand(block);
    for (std::size_t i = 0; i < block.arguments.size(); ++i) place_argument(i);
    place(block);
    for (std::size_t i = 0; i < block.terminator()->operands.size(); ++i) place_result(i);
    for (UnsupportedAnnotation& one : annotations_.below(main_, calls_.functions()))
      objections_.push_back(std::move(one));
  }

 private:
  void refuse(const Operation& op, std::string why) {
    // An operation with several sharded operands would repeat the same objection.
    const bool known = !objections_.empty() &&
                       objections_.back().location.offset == op.location.offset &&
                       objections_.back().why == why;
    if (!known) objections_.push_back({op.location, op.name, std::move(why)});
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

  void demand(const Block& block) {
    for (const auto& op : block.operations) {
      if (const Function* callee = calls_.callee(*op)) {
        calls_.enter(*op, *callee);
        demand(callee->block());
      } else {
        demand(*op);
      }
    }
  }

  void place(const Block& block) {
    for (const auto& op : block.operations) {
      if (op.get() == block.terminator()) continue;
      place_operation(*op);
      compare_annotations(*op);
    }
  }

  // The signature of the function may only confirm the places of its arguments and results.
  void place_call(const Operation& op, const Function& callee) {
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

  void confirm(const std::vector<std::vector<NamedAttribute>>& attributes, std::size_t i,
               const Value& value, const Operation& call) {
    if (i >= attributes.size() || !value.type.is_tensor()) return;
    std::string why =
        annotations_.objection(attributes[i], 0, value.type, place_of_value(value), call.location);
    if (!why.empty()) refuse(call, std::move(why));
  }

  // An argument gets the sharding that the manual computation needs: loading the argument already
  // splits it, so no data moves between chips.
  void demand(const Operation& op) {
    if (op.name == "sdy.manual_computation") {
      const auto& shardings = list(op, "in_shardings", op.operands.size());
      for (std::size_t i = 0; i < op.operands.size(); ++i)
        demand(op, *calls_.root_of(op.operands[i]),
               shardy(shardings[i], *op.operands[i], op.location));
    } else if (custom_call_target(op) == "SPMDFullToShardShape") {
      const Value& operand = *op.operands[0];
      if (operand.owner != nullptr && is_annotation(*operand.owner))
        demand(
            op, *calls_.root_of(&operand),
            sharding_of(gspmd_of(*operand.owner), operand.type.tensor, partitions_, op.location));
    }
  }

  void demand(const Operation& op, const Value& root, Sharding sharding) {
    // Only block arguments have a free choice. The result of an operation has its own place.
    if (root.block != &main_.block()) return;
    const auto [found, fresh] = demanded_.try_emplace(&root, sharding);
    if (!fresh && !same(found->second, sharding))
      refuse(op, fmt::format("argument {} is required in two different shardings", root.index));
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
    // Precedence: the manual computation, then the argument's Shardy attribute, then its GSPMD
    // attribute.
    if (found != demanded_.end()) {
      place.sharding = found->second;
    } else if (const Attribute* sdy = find_in(attributes, "sdy.sharding")) {
      place.sharding = shardy(*sdy, value, value.location);
    } else if (gspmd != nullptr && gspmd->get<StringAttribute>() != nullptr) {
      place.sharding = sharding_of(gspmd->get<StringAttribute>()->value, value.type.tensor,
                                   partitions_, value.location);
    }
    arguments.back() = place;
    compare_argument(attributes, value, place);
    places_[&value] = std::move(place);
  }

  // An argument annotated as replicated may still be loaded in the tiles that its computation
  // takes: each chip would read only its own tile anyway. So an objection counts only if the
  // annotation also contradicts a replicated argument, or the arguments are loaded already.
  void compare_argument(const std::vector<NamedAttribute>& attributes, const Value& value,
                        const Place& place) {
    const Place everywhere{false, whole(value.type.tensor.ndims(), partitions_)};
    std::string why = annotations_.objection(attributes, 0, value.type, place, value.location);
    if (why.empty()) return;
    if (!arguments_are_placed_ &&
        annotations_.objection(attributes, 0, value.type, everywhere, value.location).empty())
      return;
    objections_.push_back({value.location,
                           fmt::format("argument {} of @{}", value.index, main_.name),
                           std::move(why)});
  }

  // A result has the distribution of its value; its annotation may only confirm it.
  void place_result(std::size_t i) {
    const Operation& end = *main_.block().terminator();
    const Value& value = *end.operands[i];
    results.push_back(place_of_value(value));
    if (i >= main_.result_attributes.size()) return;
    std::string why = annotations_.objection(main_.result_attributes[i], 0, value.type,
                                             results.back(), end.location);
    if (!why.empty())
      objections_.push_back(
          {i < end.operand_locations.size() ? end.operand_locations[i] : end.location,
           fmt::format("result {} of @{}", i, main_.name), std::move(why)});
  }

  void compare_annotations(const Operation& op) {
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      const Value& result = *op.results[i];
      std::string why = annotations_.objection(op.attributes, i, result.type,
                                               place_of_value(result), op.location);
      if (!why.empty()) return refuse(op, std::move(why));
    }
  }

  const Place& place_of_value(const Value& value) const {
    const auto found = places_.find(&value);
    UNDERSTUDY_ASSERT(found != places_.end());
    return found->second;
  }

  void place_operation(const Operation& op) {
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
  void see_operands(const Operation& top, const Operation& op, bool& local) {
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
  void place_manual(const Operation& op) {
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
  void refuse_partial(const Operation& op) {
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
  void check_local(const Operation& op, std::string_view what, const TensorType& got,
                   const TensorType& wanted) const {
    if (got == wanted || !objections_.empty()) return;
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} is {}, but its sharding requires {}", op.name, what,
                               text_of(got), text_of(wanted)));
  }

  void place_annotation(const Operation& op) {
    places_[op.results[0].get()] = place_of_value(*op.operands[0]);
  }

  void place_full_to_shard(const Operation& op) {
    const Value& operand = *op.operands[0];
    if (is_partly_manual(gspmd_of(op))) refuse(op, "not every mesh axis is manual");
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
  bool arguments_are_placed_;
  Annotations annotations_;
  FollowedCalls calls_;
  std::vector<UnsupportedAnnotation> objections_;
  std::unordered_map<const Value*, Sharding> demanded_;
  std::unordered_map<const Value*, Place> places_;
};

}  // namespace

Places places_of(const Module& module, const Function& main, std::int64_t partitions,
                 bool arguments_are_placed) {
  Placer placer(module, main, partitions, arguments_are_placed);
  placer.run();
  return {std::move(placer.arguments), std::move(placer.results), placer.objections()};
}

void refuse_objections(const Places& places) {
  if (places.objections.empty()) return;
  const UnsupportedAnnotation& first = places.objections[0];
  // One error at the first place; every further place is a note.
  Error error = error_at(first.location, ErrorKind::unsupported,
                         fmt::format("{}: {}: the program needs an SPMD partitioner. Give "
                                     "understudy the per-chip program: wrap the computation in "
                                     "jax.shard_map over every mesh axis",
                                     first.name, first.why));
  for (std::size_t i = 1; i < places.objections.size(); ++i) {
    const UnsupportedAnnotation& one = places.objections[i];
    error.note(fmt::format("{}: {}: {}", text_of(place_of(one.location)), one.name, one.why));
  }
  throw error;
}

}  // namespace understudy::program::passes
