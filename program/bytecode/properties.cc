// SPDX-License-Identifier: Apache-2.0
// Properties of versioned operations as attributes of the stablehlo dialect.
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/bytecode/operations.h"
#include "program/ir/literal.h"

namespace understudy::program::bytecode {
namespace {

// Lists of dimensions and window sizes have one entry per dimension. A splat could claim any length
// in a few bytes.
constexpr std::int64_t kLongestList = 1024;

class Conversion {
 public:
  Conversion(const KnownOp& known, Operation& op, Budget& budget, const Cursor& in)
      : known_(known), op_(op), budget_(budget), in_(in) {}

  void property(const Property& property, const Attribute& value);
  void finish();

 private:
  [[noreturn]] void refuse(std::string_view name, std::string_view wanted) const {
    in_.fail(fmt::format("{}: property '{}' must be {}", known_.name, name, wanted));
  }
  const DenseAttribute& short_list(std::string_view name, const Attribute& value) const;
  Attribute listed(std::string_view name, const Attribute& value);
  Attribute field(std::string_view name, const Attribute& value);
  Attribute symbol(std::string_view name, const Attribute& value) const;
  std::int64_t integer(std::string_view name, const Attribute& value) const;
  void finish_algorithm();

  const KnownOp& known_;
  Operation& op_;
  Budget& budget_;
  const Cursor& in_;
  std::vector<NamedAttribute> fields_, algorithm_;
  std::int64_t channel_ = 0, channel_kind_ = 0;
  bool has_channel_kind_ = false;
};

// A one-dimensional dense literal of integers or flags, of bounded length.
const DenseAttribute& Conversion::short_list(std::string_view name, const Attribute& value) const {
  const auto* dense = value.get<DenseAttribute>();
  if (dense == nullptr || dense->type.ndims() != 1) refuse(name, "a list of integers");
  const ElementType element = dense->type.element;
  if (!is_integer(element) && !is_pred(element)) refuse(name, "a list of integers");
  if (dense->type.shape[0] > kLongestList) refuse(name, "a shorter list");
  return *dense;
}

// array<...> attributes have no splat form, so a splat is expanded.
Attribute Conversion::listed(std::string_view name, const Attribute& value) {
  const DenseAttribute& dense = short_list(name, value);
  DenseAttribute out{dense.type, true, false, dense.data};
  // A list of one element looks the same either way.
  if (dense.is_splat && dense.type.shape[0] != 1) {
    const std::uint64_t bits = stored_bits(dense.type.element, *dense.data, 0);
    // Charged before the list is made.
    budget_.charge(static_cast<std::uint64_t>(dense.type.bytes()), in_);
    std::vector<std::byte> data;
    for (std::int64_t i = 0; i < dense.type.shape[0]; ++i) {
      append_bits(dense.type.element, bits, data);
    }
    out.data = std::make_shared<const std::vector<std::byte>>(std::move(data));
  }
  return {std::move(out)};
}

// Dimension numbers: single integers as they are, lists as arrays of integers.
Attribute Conversion::field(std::string_view name, const Attribute& value) {
  // A single dimension, such as index_vector_dim.
  if (value.get<IntegerAttribute>() != nullptr) return value;
  const DenseAttribute& dense = short_list(name, value);
  budget_.charge(static_cast<std::uint64_t>(dense.type.shape[0]) * sizeof(Attribute), in_);
  return numbers_of(integers_of(value));
}

Attribute Conversion::symbol(std::string_view name, const Attribute& value) const {
  const auto* text = value.get<StringAttribute>();
  if (text == nullptr) refuse(name, "a string");
  return {SymbolAttribute{text->value}};
}

std::int64_t Conversion::integer(std::string_view name, const Attribute& value) const {
  const auto* number = value.get<IntegerAttribute>();
  if (number == nullptr) refuse(name, "an integer");
  return number->value;
}

// One property of the bytecode as an attribute of the text form. Fields of structures and of the
// algorithm are only collected; finish() builds them when all are known.
void Conversion::property(const Property& property, const Attribute& value) {
  const std::string_view name = property.name;
  switch (property.form) {
    case Form::same:
      budget_.charge(value, in_);
      return op_.set(name, value);
    case Form::list:
      return op_.set(name, listed(name, value));
    case Form::unit:
      // False is the absence of a unit attribute.
      if (integer(name, value) != 0) op_.set(name, {UnitAttribute{}});
      return;
    case Form::channel:
      channel_ = integer(name, value);
      return;
    case Form::kind:
      channel_kind_ = integer(name, value);
      has_channel_kind_ = true;
      return;
    case Form::symbol:
      budget_.charge(value, in_);
      return op_.set(name, symbol(name, value));
    case Form::symbols: {
      if (value.array() == nullptr) refuse(name, "an array");
      budget_.charge(value, in_);
      std::vector<Attribute> symbols;
      for (const Attribute& each : value.array()->elements) symbols.push_back(symbol(name, each));
      return op_.set(name, array_of(std::move(symbols)));
    }
    case Form::field:
      fields_.emplace_back(name, field(name, value));
      return;
    case Form::algorithm:
      budget_.charge(value, in_);
      algorithm_.emplace_back(name, value);
      return;
    case Form::skip:
      // Attributes that have no counterpart in the text form.
      return;
  }
}

// Fields in the order of the text format. An absent algorithm is written as seven properties of
// type `none` (StableHLO 1.6 and later).
void Conversion::finish_algorithm() {
  constexpr std::array<std::string_view, 7> kOrder = {
      "lhs_precision_type",          "rhs_precision_type",  "accumulation_type",
      "lhs_component_count",         "rhs_component_count", "num_primitive_operations",
      "allow_imprecise_accumulation"};
  std::vector<NamedAttribute> ordered;
  for (const std::string_view name : kOrder) {
    for (const auto& [key, value] : algorithm_) {
      const auto* type = value.get<TypeAttribute>();
      const bool none = type != nullptr && type->type.kind == Type::Kind::none;
      if (key == name && !none) ordered.emplace_back(key, value);
    }
  }
  if (ordered.empty()) return;
  op_.set("algorithm", dialect_of("stablehlo", "dot_algorithm", std::move(ordered)));
}

void Conversion::finish() {
  if (!known_.structure.empty()) {
    op_.set(known_.structure,
            dialect_of("stablehlo", std::string(known_.mnemonic), std::move(fields_)));
  }
  finish_algorithm();
  // Collectives store only the channel number, 0 for none; the type is lost and read as 0. Send
  // and recv store both.
  if (channel_ == 0 && !has_channel_kind_) return;
  op_.set("channel_handle",
          dialect_of("stablehlo", "channel_handle",
                     {{"handle", number_of(channel_)}, {"type", number_of(channel_kind_)}}));
}

}  // namespace

void convert_properties(const KnownOp& known, const std::vector<NamedAttribute>& properties,
                        Operation& op, Budget& budget, const Cursor& in) {
  Conversion conversion(known, op, budget, in);
  // In the order of our table, so that attributes come out in the same order for every file.
  for (const Property& property : known.properties) {
    for (const auto& [name, value] : properties) {
      if (name == property.name) conversion.property(property, value);
    }
  }
  conversion.finish();
}

}  // namespace understudy::program::bytecode
