// SPDX-License-Identifier: Apache-2.0
// Values, operations, regions and their types.
#include <algorithm>
#include <fmt/format.h>

#include "program/hlo/convert_parts.h"
#include "program/ir/canonicalise.h"

namespace understudy::program::hlo {
namespace {

// Inlining may double a program with every level of fusions; far more operations than any compiler
// emits are refused.
constexpr std::uint64_t kMostOperations = 1'000'000;

std::unique_ptr<Value> value_of(Type type, const Location& where, std::size_t index) {
  auto value = std::make_unique<Value>();
  value->type = std::move(type);
  value->location = where;
  value->index = static_cast<std::uint32_t>(index);
  return value;
}

std::string why_not(const HloShape& shape) {
  if (shape.is_dynamic()) return "bounded dynamic shapes are not supported";
  // The first obstacle is enough: one shape gives one line of the report.
  if (!shape.text.empty()) return fmt::format("element type {}", shape.text);
  for (const HloShape& part : shape.parts)
    if (std::string why = why_not(part); !why.empty()) return why;
  return "";
}

}  // namespace

void add_arguments(Block& block, const std::vector<Type>& types, const Location& where) {
  for (const Type& type : types) {
    auto value = value_of(type, where, block.arguments.size());
    value->block = &block;
    block.arguments.push_back(std::move(value));
  }
}

Values arguments_of(const Block& block) {
  Values out;
  for (const auto& argument : block.arguments) out.push_back(argument.get());
  return out;
}

bool append_types(const HloShape& shape, std::vector<Type>& out) {
  switch (shape.kind) {
    case HloShape::Kind::token:
      out.push_back(Type::token());
      return true;
    case HloShape::Kind::array:
      // The type is appended even where it is not exact, because a caller that only collects errors
      // needs as many types as leaves.
      out.push_back(Type::of(TensorType{shape.element, shape.dimensions}));
      return shape.text.empty() && !shape.is_dynamic();
    case HloShape::Kind::opaque:
      return false;
    case HloShape::Kind::tuple:
      break;
  }
  return std::all_of(shape.parts.begin(), shape.parts.end(),
                     [&](const HloShape& part) { return append_types(part, out); });
}

std::vector<Type> Converter::types_of(const HloShape& shape) const {
  std::vector<Type> out;
  if (!append_types(shape, out))
    // types_of() is const for its many readers; only the list of unsupported things changes, right
    // before the throw.
    const_cast<Converter*>(this)->unsupported(
        *frame_->at, why_not(shape).empty() ? text_of(shape) : why_not(shape));
  return out;
}

std::vector<Type> Converter::scalars_of(std::uint32_t index) const {
  const Computation& called = computation(index);
  std::vector<Type> out;
  // Reducers and comparators take scalars, but the parameters' own shapes are used: scalars_of()
  // then also fits a map or a tuple of accumulators.
  for (const std::uint32_t parameter : called.parameters()) {
    const std::vector<Type> types = types_of(called.instructions[parameter].shape);
    out.insert(out.end(), types.begin(), types.end());
  }
  return out;
}

Operation& Converter::emit(std::string_view name, Values operands, std::vector<Type> results,
                           std::vector<NamedAttribute> attributes) {
  if (++emitted_ > kMostOperations)
    refuse(fmt::format("the module has more than {} operations once its computations are inlined",
                       kMostOperations));
  // The placeholder belongs to no block, so a use that slips through would be a dangling operand of
  // the printed program.
  for (const Value* operand : operands)
    if (manual_values_.contains(operand))
      refuse("a local value of a manual computation is used outside of its body");
  auto op = std::make_unique<Operation>();
  op->name = name;
  op->location = here();
  op->operands = std::move(operands);
  op->attributes = std::move(attributes);
  for (Type& type : results) {
    auto value = value_of(std::move(type), op->location, op->results.size());
    value->owner = op.get();
    op->results.push_back(std::move(value));
  }
  // Defaults and spelling become those of the text parser, so later code sees one form, whichever
  // format the program came in.
  canonicalise(*op);
  block_->operations.push_back(std::move(op));
  return *block_->operations.back();
}

Operation& Converter::emit_result(std::string_view name, Values operands,
                                  std::vector<NamedAttribute> attributes) {
  Operation& op = emit(name, std::move(operands), types_of(result_shape()), std::move(attributes));
  Values results;
  for (const auto& result : op.results) results.push_back(result.get());
  bind(std::move(results));
  return op;
}

Value& Converter::constant(DenseAttribute literal) {
  const TensorType type = literal.type;
  return *emit("stablehlo.constant", {}, {Type::of(type)}, {{"value", {std::move(literal)}}})
              .results[0];
}

Value& Converter::reshape(Value& value, const Shape& shape) {
  if (!value.type.is_tensor()) refuse("expected an array");
  if (value.type.tensor.shape == shape) return value;
  return *emit("stablehlo.reshape", {&value},
               {Type::of(TensorType{value.type.tensor.element, shape})})
              .results[0];
}

std::unique_ptr<Region> Converter::new_region(const std::vector<Type>& arguments) {
  auto region = std::make_unique<Region>();
  region->blocks.push_back(std::make_unique<Block>());
  add_arguments(*region->blocks[0], arguments, here());
  return region;
}

void Converter::terminate(std::string_view name, const Values& values) { emit(name, values, {}); }

// Owned by the converter, as no block holds it; emit_manual() puts the globals in its place.
Value& Converter::placeholder(const Type& type) {
  placeholders_.push_back(value_of(type, here(), 0));
  return *placeholders_.back();
}

void Converter::add_region(Operation& op, std::uint32_t index, const std::vector<Type>& arguments,
                           std::string_view terminator) {
  op.regions.push_back(new_region(arguments));
  const During<Block*> inside(block_, op.regions.back()->blocks[0].get());
  terminate(terminator, inlined(index, arguments_of(*block_)));
}

void Converter::add_branch(Operation& op, std::uint32_t index, const Values& outside) {
  // An HLO branch takes one parameter; a StableHLO branch takes none and uses values of the
  // enclosing scope, so the parameter is bound to those values.
  op.regions.push_back(new_region({}));
  const During<Block*> inside(block_, op.regions.back()->blocks[0].get());
  terminate("stablehlo.return", inlined(index, outside));
}

const ConvertTable& convert_table() {
  static const ConvertTable kTable = [] {
    ConvertTable table;
    add_elementwise(table);
    add_movement(table);
    add_algebra(table);
    add_control(table);
    add_collectives(table);
    add_transfers(table);
    add_custom_calls(table);
    return table;
  }();
  return kTable;
}

}  // namespace understudy::program::hlo
