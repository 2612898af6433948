// SPDX-License-Identifier: Apache-2.0
// Decoders of table entries, one file per dialect, and their shared parts. Each reads one entry
// from its code to its end and returns the same structure as the text reader (program/ir/ops.def).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/bytecode/tables.h"

namespace understudy::program::bytecode {

// Dialects whose entries are read; nullptr for others.
struct Dialect {
  std::string_view name;
  Attribute (*attribute)(Cursor& in, Tables& tables);
  Type (*type)(Cursor& in, Tables& tables);
};
const Dialect* find_dialect(std::string_view name);

Attribute builtin_attribute(Cursor& in, Tables& tables);
Type builtin_type(Cursor& in, Tables& tables);
Attribute vhlo_attribute(Cursor& in, Tables& tables);
Type vhlo_type(Cursor& in, Tables& tables);
Attribute sdy_attribute(Cursor& in, Tables& tables);
// The mesh of #sdy.mesh, without a name; nothing where it is none.
std::optional<Mesh> sdy_mesh_of(const Attribute& attribute);
// Parts of dialects that have files of their own (vhlo_mesh.cc, sdy_rule.cc).
Attribute vhlo_sub_axis(Cursor& in, Tables& tables);
Attribute vhlo_axis_reference(Cursor& in, Tables& tables);
Attribute vhlo_mesh_axis(Cursor& in, Tables& tables);
Attribute vhlo_mesh(Cursor& in, Tables& tables);
Attribute vhlo_mesh_groups(Cursor& in, Tables& tables);
Attribute sdy_dimension_mapping(Cursor& in, Tables& tables);
Attribute sdy_tensor_mapping(Cursor& in, Tables& tables);
Attribute sdy_sharding_rule(Cursor& in, Tables& tables);

// One row per code: its decoder, or the name of an attribute that is not supported.
struct AttributeCode {
  std::string_view name;
  Attribute (*decode)(Cursor& in, Tables& tables);
};
// Without a decoder: a scalar of this MLIR name, or, after a '!', a type that is not supported.
struct TypeCode {
  std::string_view name;
  Type (*decode)(Cursor& in, Tables& tables);
};
Attribute decode_attribute(std::span<const AttributeCode> codes, std::string_view dialect,
                           Cursor& in, Tables& tables);
Type decode_type(std::span<const TypeCode> codes, std::string_view dialect, Cursor& in,
                 Tables& tables);

// ---- makers (makers.cc)
Attribute array_of(std::vector<Attribute> elements);
Attribute dictionary_of(std::vector<NamedAttribute> entries);  // sorted by name
Attribute dialect_of(std::string dialect, std::string mnemonic,
                     std::vector<NamedAttribute> parameters);
Attribute raw_of(std::string dialect, std::string mnemonic, std::string text);
Attribute number_of(std::int64_t value);  // i64
Attribute numbers_of(const std::vector<std::int64_t>& values);
Attribute boolean_of(bool value);
Attribute text_attribute(std::string text);
// The text of an attribute that must be one.
const std::string& text_in(const Attribute& attribute, const Cursor& in, std::string_view what);

// ---- lists (makers.cc)
std::vector<Attribute> attributes_in(Cursor& in, Tables& tables, std::string_view what);
std::vector<Type> types_in(Cursor& in, Tables& tables, std::string_view what);
std::vector<std::int64_t> numbers_in(Cursor& in, std::string_view what);  // svarints
std::vector<NamedAttribute> entries_in(Cursor& in, Tables& tables);       // of a dictionary

// ---- numbers and literals (numbers.cc)
// An integer of `width` bits, zero-extended.
std::uint64_t bits_in(Cursor& in, int width, std::string_view what);
double float64_in(Cursor& in, std::string_view what);
// IntegerAttribute and FloatAttribute of a type that is read first.
Attribute integer_in(Cursor& in, Tables& tables);
Attribute float_in(Cursor& in, Tables& tables);
// The elements of a literal, as bytecode stores them.
Attribute dense_of(const LiteralType& type, std::string_view blob, const Cursor& in);

// ---- types (shapes.cc, quantized.cc)
inline constexpr std::size_t kMostDimensions = 64;
Type scalar_type(std::string_view mlir_name);
std::optional<ElementType> scalar_of(const Type& type);
Shape shape_in(Cursor& in);
// tensor<SHAPExELEMENT> or, with an encoding, tensor<SHAPExELEMENT, ENCODING>.
Type tensor_of(Shape shape, const Type& element, const Cursor& in,
               const Attribute* encoding = nullptr);
std::string shape_text(const Shape& shape);  // "2x?x"
// The tensor that a literal of this type holds; 64-bit integers for elements of type index.
std::optional<LiteralType> literal_of(const Type& type);
Type function_of(std::vector<Type> inputs, std::vector<Type> results);
Type quantized_in(Cursor& in, Tables& tables);
Type per_axis_quantized_in(Cursor& in, Tables& tables);
// Types that the builtin and the versioned dialect encode alike.
Type index_in(Cursor& in, Tables& tables);
Type none_in(Cursor& in, Tables& tables);
Type function_in(Cursor& in, Tables& tables);
Type complex_in(Cursor& in, Tables& tables);
Type tensor_in(Cursor& in, Tables& tables);
Type encoded_tensor_in(Cursor& in, Tables& tables);
Type tuple_in(Cursor& in, Tables& tables);
Type unranked_in(Cursor& in, Tables& tables);

}  // namespace understudy::program::bytecode
