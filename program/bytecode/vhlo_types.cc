// SPDX-License-Identifier: Apache-2.0
// The types of the versioned dialect.
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
namespace {

Type read_complex(Cursor& in, Tables& tables) {
  return scalar_type(fmt::format("complex<{}>", text_of(tables.type(in, "an element type"))));
}

Type read_function(Cursor& in, Tables& tables) {
  std::vector<Type> inputs = types_in(in, tables, "an input type");
  return function_of(std::move(inputs), types_in(in, tables, "a result type"));
}

Type read_index(Cursor& /*in*/, Tables& /*tables*/) { return {Type::Kind::index, {}, {}, {}}; }
Type read_none(Cursor& /*in*/, Tables& /*tables*/) { return {Type::Kind::none, {}, {}, {}}; }
Type read_token(Cursor& /*in*/, Tables& /*tables*/) { return Type::token(); }
Type read_witness(Cursor& /*in*/, Tables& /*tables*/) { return Type::opaque("!shape.witness"); }

Type read_tensor(Cursor& in, Tables& tables) {
  Shape shape = shape_in(in);
  return tensor_of(std::move(shape), tables.type(in, "an element type"), in);
}

Type read_encoded_tensor(Cursor& in, Tables& tables) {
  const Attribute& encoding = tables.attribute(in, "an encoding");
  tables.budget().charge(encoding, in);
  Shape shape = shape_in(in);
  return tensor_of(std::move(shape), tables.type(in, "an element type"), in, &encoding);
}

Type read_tuple(Cursor& in, Tables& tables) {
  return Type::tuple(types_in(in, tables, "a part of a tuple"));
}

Type read_unranked(Cursor& in, Tables& tables) {
  return Type::opaque(fmt::format("tensor<*x{}>", text_of(tables.type(in, "an element type"))));
}

Type read_buffer(Cursor& in, Tables& tables) {
  const Shape shape = shape_in(in);
  return Type::opaque(
      fmt::format("memref<{}{}>", shape_text(shape), text_of(tables.type(in, "an element type"))));
}

Type read_future(Cursor& in, Tables& tables) {
  return {Type::Kind::future, {}, types_in(in, tables, "a type of a future"), {}};
}

constexpr std::array<TypeCode, 43> kTypes = {{
    {"i1", nullptr},
    {"complex", read_complex},
    {"bf16", nullptr},
    {"f16", nullptr},
    {"f32", nullptr},
    {"f64", nullptr},
    {"f8E4M3FN", nullptr},
    {"f8E5M2", nullptr},
    {"function", read_function},
    {"index", read_index},
    {"i4", nullptr},
    {"i8", nullptr},
    {"i16", nullptr},
    {"i32", nullptr},
    {"i64", nullptr},
    {"ui4", nullptr},
    {"ui8", nullptr},
    {"ui16", nullptr},
    {"ui32", nullptr},
    {"ui64", nullptr},
    {"tensor", read_tensor},
    {"encoded tensor", read_encoded_tensor},
    {"token", read_token},
    {"tuple", read_tuple},
    {"quantized", quantized_in},
    {"unranked tensor", read_unranked},
    {"witness", read_witness},
    {"f8E4M3FNUZ", nullptr},
    {"f8E5M2FNUZ", nullptr},
    {"f8E4M3B11FNUZ", nullptr},
    {"quantized per axis", per_axis_quantized_in},
    {"i2", nullptr},
    {"ui2", nullptr},
    {"none", read_none},
    {"tf32", nullptr},
    {"f8E4M3", nullptr},
    {"f8E3M4", nullptr},
    {"f4E2M1FN", nullptr},
    {"f6E2M3FN", nullptr},
    {"f6E3M2FN", nullptr},
    {"f8E8M0FNU", nullptr},
    {"buffer", read_buffer},
    {"future", read_future},
}};

}  // namespace

Type vhlo_type(Cursor& in, Tables& tables) { return decode_type(kTypes, "vhlo", in, tables); }

}  // namespace understudy::program::bytecode
