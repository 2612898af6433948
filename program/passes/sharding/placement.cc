// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/placement.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/passes/module/attributes.h"
#include "program/passes/sharding/placer.h"

namespace understudy::program::passes {

// Arguments first: a manual computation decides the tiles of the arguments that it takes,
// before any operation is checked. Operations follow in program order, so every operand has a
// place before its use. All objections are collected, to report them at once.
void Placer::run() {
  const Block& block = main_.block();
  demand(block);
  for (std::size_t i = 0; i < block.arguments.size(); ++i) place_argument(i);
  place(block);
  for (std::size_t i = 0; i < block.terminator()->operands.size(); ++i) place_result(i);
  for (UnsupportedAnnotation& one : annotations_.below(main_, calls_.functions()))
    objections_.push_back(std::move(one));
}

std::string Placer::gspmd_of(const Operation& op) { return string_of(op, "mhlo.sharding", ""); }

void Placer::refuse(const Operation& op, std::string why) {
  // An operation with several sharded operands would repeat the same objection.
  const bool known = !objections_.empty() &&
                     objections_.back().location.offset == op.location.offset &&
                     objections_.back().why == why;
  if (!known) objections_.push_back({op.location, op.name, std::move(why)});
}

Sharding Placer::shardy(const Attribute& attribute, const Value& value,
                        const Location& where) const {
  const DialectAttribute* sharding = attribute.dialect();
  if (sharding == nullptr) throw error_at(where, ErrorKind::input, "expected #sdy.sharding<...>");
  return sharding_of(module_, *sharding, value.type.tensor, partitions_, where);
}

const std::vector<Attribute>& Placer::list(const Operation& op, std::string_view name,
                                           std::size_t count) const {
  const Attribute* found = op.find(name);
  const ArrayAttribute* array = found == nullptr ? nullptr : found->array();
  if (array == nullptr || array->elements.size() != count)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {}: expected {} shardings", op.name, name, count));
  return array->elements;
}

void Placer::demand(const Block& block) {
  for (const auto& op : block.operations) {
    if (const Function* callee = calls_.callee(*op)) {
      calls_.enter(*op, *callee);
      demand(callee->block());
    } else {
      demand(*op);
    }
  }
}

// An argument gets the sharding that the manual computation needs: loading the argument already
// splits it, so no data moves between chips.
void Placer::demand(const Operation& op) {
  if (op.name == "sdy.manual_computation") {
    const auto& shardings = list(op, "in_shardings", op.operands.size());
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      demand(op, *calls_.root_of(op.operands[i]),
             shardy(shardings[i], *op.operands[i], op.location));
  } else if (custom_call_target(op) == "SPMDFullToShardShape") {
    const Value& operand = *op.operands[0];
    if (operand.owner != nullptr && is_annotation(*operand.owner))
      demand(op, *calls_.root_of(&operand),
             sharding_of(gspmd_of(*operand.owner), operand.type.tensor, partitions_, op.location));
  }
}

void Placer::demand(const Operation& op, const Value& root, Sharding sharding) {
  // Only block arguments have a free choice. The result of an operation has its own place.
  if (root.block != &main_.block()) return;
  const auto [found, fresh] = demanded_.try_emplace(&root, sharding);
  if (!fresh && !same(found->second, sharding))
    refuse(op, fmt::format("argument {} is required in two different shardings", root.index));
}

void Placer::place_argument(std::size_t i) {
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
void Placer::compare_argument(const std::vector<NamedAttribute>& attributes, const Value& value,
                              const Place& place) {
  const Place everywhere{false, whole(value.type.tensor.ndims(), partitions_)};
  std::string why = annotations_.objection(attributes, 0, value.type, place, value.location);
  if (why.empty()) return;
  if (!arguments_are_placed_ &&
      annotations_.objection(attributes, 0, value.type, everywhere, value.location).empty())
    return;
  objections_.push_back(
      {value.location, fmt::format("argument {} of @{}", value.index, main_.name), std::move(why)});
}

// A result has the distribution of its value; its annotation may only confirm it.
void Placer::place_result(std::size_t i) {
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

const Place& Placer::place_of_value(const Value& value) const {
  const auto found = places_.find(&value);
  UNDERSTUDY_ASSERT(found != places_.end());
  return found->second;
}

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
