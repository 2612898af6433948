// SPDX-License-Identifier: Apache-2.0
// The builtin dialect: attributes of modules and meshes, discardable attributes, and the types that
// Shardy's operations use.
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
namespace {

// varint count, count x varint attribute.
Attribute read_array(Cursor& in, Tables& tables) {
  return array_of(attributes_in(in, tables, "an element of an array"));
}

// varint count, count x (varint name attribute, varint value attribute).
Attribute read_dictionary(Cursor& in, Tables& tables) {
  return dictionary_of(entries_in(in, tables));
}

// varint string index.
Attribute read_string(Cursor& in, Tables& tables) {
  return text_attribute(tables.string(in, "text"));
}

// varint string index, varint type: the type has no meaning for text.
Attribute read_typed_string(Cursor& in, Tables& tables) {
  Attribute out = read_string(in, tables);
  tables.type(in, "the type of text");
  return out;
}

Attribute read_symbol(Cursor& in, Tables& tables) {
  const Attribute& name = tables.attribute(in, "a symbol");
  // Copies of table entries are charged: a small file could name one large entry a million times.
  tables.budget().charge(name, in);
  return {SymbolAttribute{text_in(name, in, "a symbol")}};
}

// varint root attribute, varint count, count x varint symbol: @root::@nested.
Attribute read_nested_symbol(Cursor& in, Tables& tables) {
  const Attribute& root = tables.attribute(in, "a symbol");
  std::string name = text_in(root, in, "a symbol");
  for (const Attribute& part : attributes_in(in, tables, "a part of a symbol")) {
    const auto* symbol = part.get<SymbolAttribute>();
    if (symbol == nullptr) in.fail("a part of a symbol must be a symbol");
    name += "::" + symbol->name;
  }
  return {SymbolAttribute{std::move(name)}};
}

Attribute read_type(Cursor& in, Tables& tables) {
  const Type& type = tables.type(in, "a type");
  tables.budget().charge(type, in);
  return {TypeAttribute{type}};
}

Attribute read_unit(Cursor& /*in*/, Tables& /*tables*/) { return {UnitAttribute{}}; }

// A location used as an attribute has no meaning for execution; the text reader drops it too.
// tables.location() reads those of operations.
Attribute read_location(Cursor& in, Tables& /*tables*/) {
  // Taken as a whole: the entry's size bounds it.
  in.take(in.remaining(), "a location");
  return {UnitAttribute{}};
}

// varint type, varint resource number.
Attribute read_resource(Cursor& in, Tables& tables) {
  const LiteralType type = tables.literal_type(in);
  const Cursor at = in;
  return tables.resource(in.varint("the number of a resource"), type, at);
}

// varint element type, varint count, varint bytes, the bytes.
Attribute read_dense_array(Cursor& in, Tables& tables) {
  const Cursor at = in;
  const auto element = scalar_of(tables.type(in, "the element type of an array"));
  if (!element) at.fail("unknown element type of an array");
  const std::size_t count = in.count("the size of an array");
  const std::string_view blob = in.take(in.varint("the size of an array"), "an array");
  const std::size_t width = byte_size(*element);
  // The size is stated twice, and both must agree.
  if (blob.size() != count * width) at.fail(fmt::format("{} bytes for {}", blob.size(), count));
  const auto* bytes = reinterpret_cast<const std::byte*>(blob.data());
  return {
      DenseAttribute{TensorType{*element, {static_cast<std::int64_t>(count)}}, true, false,
                     std::make_shared<const std::vector<std::byte>>(bytes, bytes + blob.size())}};
}

// varint type, varint bytes, the bytes.
Attribute read_dense(Cursor& in, Tables& tables) {
  const LiteralType type = tables.literal_type(in);
  const Cursor at = in;
  return dense_of(type, in.take(in.varint("the size of a literal"), "a literal"), at);
}

// Indexed by the codes of the builtin dialect's bytecode. nullptr: known, but refused with its
// name.
constexpr std::array<AttributeCode, 23> kAttributes = {{
    {"array", read_array},
    {"dictionary", read_dictionary},
    {"string", read_string},
    {"typed string", read_typed_string},
    {"symbol", read_symbol},
    {"nested symbol", read_nested_symbol},
    {"type", read_type},
    {"unit", read_unit},
    {"integer", integer_in},
    {"float", float_in},
    {"call site location", read_location},
    {"file location", read_location},
    {"fused location", read_location},
    {"fused location", read_location},
    {"name location", read_location},
    {"unknown location", read_location},
    {"dense resource", read_resource},
    {"dense array", read_dense_array},
    {"dense elements", read_dense},
    {"dense strings", nullptr},
    {"sparse elements", nullptr},
    {"distinct attribute", nullptr},
    {"file range location", read_location},
}};

// ---- types

Type read_integer_type(Cursor& in, Tables& /*tables*/) {
  constexpr std::uint64_t kWidest = 1u << 24;  // as in MLIR
  const std::uint64_t at = in.offset();
  // Width in the upper bits, signedness in the lowest two.
  const std::uint64_t bits = in.varint("an integer type");
  constexpr std::array<std::string_view, 3> kSigns = {"i", "si", "ui"};
  const std::uint64_t sign = bits & 3;
  if (sign >= kSigns.size() || (bits >> 2) > kWidest) in.fail_at(at, "expected an integer type");
  return scalar_type(fmt::format("{}{}", kSigns[sign], bits >> 2));
}

// Indexed by code. A row without a decoder is a scalar of that name; "!" marks a type that is
// refused.
constexpr std::array<TypeCode, 33> kTypes = {{
    {"integer", read_integer_type},
    {"index", index_in},
    {"function", function_in},
    {"bf16", nullptr},
    {"f16", nullptr},
    {"f32", nullptr},
    {"f64", nullptr},
    {"f80", nullptr},
    {"f128", nullptr},
    {"complex", complex_in},
    {"!memref", nullptr},
    {"!memref", nullptr},
    {"none", none_in},
    {"tensor", tensor_in},
    {"encoded tensor", encoded_tensor_in},
    {"tuple", tuple_in},
    {"!memref", nullptr},
    {"!memref", nullptr},
    {"unranked tensor", unranked_in},
    {"!vector", nullptr},
    {"!vector", nullptr},
    {"tf32", nullptr},
    {"f8E5M2", nullptr},
    {"f8E4M3", nullptr},
    {"f8E4M3FN", nullptr},
    {"f8E5M2FNUZ", nullptr},
    {"f8E4M3FNUZ", nullptr},
    {"f8E4M3B11FNUZ", nullptr},
    {"f8E3M4", nullptr},
    {"f4E2M1FN", nullptr},
    {"f6E2M3FN", nullptr},
    {"f6E3M2FN", nullptr},
    {"f8E8M0FNU", nullptr},
}};

}  // namespace

Attribute builtin_attribute(Cursor& in, Tables& tables) {
  return decode_attribute(kAttributes, "builtin", in, tables);
}

Type builtin_type(Cursor& in, Tables& tables) { return decode_type(kTypes, "builtin", in, tables); }

}  // namespace understudy::program::bytecode
