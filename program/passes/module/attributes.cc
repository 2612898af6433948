// SPDX-License-Identifier: Apache-2.0
#include "program/passes/module/attributes.h"

#include <fmt/format.h>

namespace understudy::program::passes {

namespace {

Error malformed(const Operation& op, std::string_view attribute, std::string_view expected) {
  return error_at(op.location, ErrorKind::input,
                  fmt::format("{}: {}: expected {}", op.name, attribute, expected));
}

const Attribute* field_of(const Operation& op, std::string_view attribute, std::string_view field) {
  const Attribute* found = op.find(attribute);
  if (found == nullptr) return nullptr;
  if (const DialectAttribute* structured = found->dialect()) return structured->find(field);
  if (const DictionaryAttribute* dictionary = found->dictionary()) return dictionary->find(field);
  throw malformed(op, attribute, "a structured attribute");
}

// The integers of a table; one integer stands for `count` equal ones.
Shape spread(Shape values, std::size_t count) {
  if (values.size() == 1 && count != 1) values.assign(count, values[0]);
  return values;
}

Precision precision_of(const Operation& op, const std::string& word) {
  if (word.empty() || word == "DEFAULT") return Precision::standard;
  if (word == "HIGH") return Precision::high;
  if (word == "HIGHEST") return Precision::highest;
  throw malformed(op, "precision_config", "DEFAULT, HIGH or HIGHEST, got " + word);
}

// The precision that a dot algorithm means for f32 operands on this emulator: one bf16 pass is
// DEFAULT, three are HIGH, more, or any other operand type, are HIGHEST.
std::optional<Precision> precision_of_algorithm(const Operation& op) {
  const Attribute* found = op.find("algorithm");
  if (found == nullptr || found->dialect() == nullptr) return std::nullopt;
  const DialectAttribute& algorithm = *found->dialect();
  const Attribute* type = algorithm.find("lhs_precision_type");
  const auto* element = type == nullptr ? nullptr : type->get<TypeAttribute>();
  // An algorithm of another operand type is computed at full precision here.
  if (element != nullptr && element->type.tensor.element != ElementType::bf16)
    return Precision::highest;
  const Attribute* operations = algorithm.find("num_primitive_operations");
  const auto passes = operations == nullptr ? 1 : number_of(*operations, 1);
  if (passes <= 1) return Precision::standard;
  return passes <= 3 ? Precision::high : Precision::highest;
}

}  // namespace

// Enumerations are written as words, strings, or wrapped in an attribute of their dialect.
std::string word_of(const Attribute& attribute) {
  if (const auto* word = attribute.get<EnumAttribute>()) return word->word;
  if (const auto* text = attribute.get<StringAttribute>()) return text->value;
  const DialectAttribute* wrapped = attribute.dialect();
  if (wrapped == nullptr || wrapped->parameters.empty()) return {};
  // The last parameter is the value; those before it name the enumeration.
  return word_of(wrapped->parameters.back().second);
}

std::string word_of(const Operation& op, std::string_view attribute, std::string_view fallback) {
  const Attribute* found = op.find(attribute);
  if (found == nullptr) return std::string(fallback);
  std::string word = word_of(*found);
  if (word.empty()) throw malformed(op, attribute, "an enumeration's word");
  return word;
}

std::string string_of(const Operation& op, std::string_view attribute, std::string_view fallback) {
  const Attribute* found = op.find(attribute);
  if (found == nullptr) return std::string(fallback);
  const auto* text = found->get<StringAttribute>();
  if (text == nullptr) throw malformed(op, attribute, "a string");
  return text->value;
}

std::string symbol_of(const Operation& op, std::string_view attribute) {
  const Attribute* found = op.find(attribute);
  if (found != nullptr) {
    if (const auto* symbol = found->get<SymbolAttribute>()) return symbol->name;
    if (const auto* text = found->get<StringAttribute>()) return text->value;
  }
  throw malformed(op, attribute, "a symbol");
}

Shape dimensions_of(const Operation& op, std::string_view attribute, std::string_view field) {
  const Attribute* found = field_of(op, attribute, field);
  return found == nullptr ? Shape{} : integers_of(*found);
}

std::int64_t number_of(const Operation& op, std::string_view attribute, std::string_view field) {
  const Attribute* found = field_of(op, attribute, field);
  return found == nullptr ? 0 : number_of(*found, 0);
}

// Accepts a dense scalar too: old artifacts write numbers that way.
std::int64_t number_of(const Attribute& attribute, std::int64_t fallback) {
  if (const auto* integer = attribute.get<IntegerAttribute>()) return integer->value;
  if (const auto* dense = attribute.get<DenseAttribute>()) {
    const Shape values = integers_of(Attribute{*dense});
    if (values.size() == 1) return values[0];
  }
  return fallback;
}

Shape integers_or(const Operation& op, std::string_view attribute, std::size_t count,
                  std::int64_t fallback) {
  if (op.find(attribute) == nullptr) return Shape(count, fallback);
  Shape values = spread(integers_of(op, attribute), count);
  if (values.size() != count)
    throw malformed(op, attribute, fmt::format("{} integers, got {}", count, values.size()));
  return values;
}

// Columns 0 and 1 of an N x 2 table: low and high edges of padding.
std::pair<Shape, Shape> pairs_or(const Operation& op, std::string_view attribute, std::size_t count,
                                 std::int64_t fallback) {
  const Shape flat = integers_or(op, attribute, 2 * count, fallback);
  std::pair<Shape, Shape> columns;
  for (std::size_t i = 0; i < count; ++i) {
    columns.first.push_back(flat[2 * i]);
    columns.second.push_back(flat[2 * i + 1]);
  }
  return columns;
}

// The rows of a two-dimensional dense attribute, splats expanded.
std::vector<Shape> rows_of(const Operation& op, const Attribute& attribute) {
  const auto* dense = attribute.get<DenseAttribute>();
  if (dense == nullptr || dense->type.ndims() != 2)
    throw malformed(op, "table", "a dense table of two dimensions");
  const auto rows = static_cast<std::size_t>(dense->type.shape[0]);
  const auto columns = static_cast<std::size_t>(dense->type.shape[1]);
  const Shape flat = spread(integers_of(attribute), rows * columns);
  if (flat.size() != rows * columns) throw malformed(op, "table", "a full table");
  std::vector<Shape> table(rows);
  for (std::size_t i = 0; i < flat.size(); ++i) table[i / columns].push_back(flat[i]);
  return table;
}

// A dot algorithm overrides precision_config. One entry of precision_config is for both operands.
std::pair<Precision, Precision> precisions_of(const Operation& op) {
  if (const auto precision = precision_of_algorithm(op)) return {*precision, *precision};
  const Attribute* found = op.find("precision_config");
  if (found == nullptr) return {Precision::standard, Precision::standard};
  const ArrayAttribute* array = found->array();
  if (array == nullptr) throw malformed(op, "precision_config", "a list");
  if (array->elements.empty()) return {Precision::standard, Precision::standard};
  // One entry stands for both operands, so front and back may be the same.
  return {precision_of(op, word_of(array->elements.front())),
          precision_of(op, word_of(array->elements.back()))};
}

std::int64_t channel_of(const Operation& op) {
  const Attribute* handle = op.find("channel_handle");
  if (handle == nullptr) return integer_of(op, "channel_id", 0);
  return handle->dialect() != nullptr ? number_of(op, "channel_handle", "handle")
                                      : number_of(*handle, 0);
}

Shape row_major_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  // The last dimension has stride 1.
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

}  // namespace understudy::program::passes
