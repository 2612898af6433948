// SPDX-License-Identifier: Apache-2.0
// The types of the versioned dialect.
#include <array>
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
namespace {

Type read_token(Cursor& /*in*/, Tables& /*tables*/) { return Type::token(); }
Type read_witness(Cursor& /*in*/, Tables& /*tables*/) { return Type::opaque("!shape.witness"); }

Type read_buffer(Cursor& in, Tables& tables) {
  const Shape shape = shape_in(in);
  return Type::opaque(
      fmt::format("memref<{}{}>", shape_text(shape), text_of(tables.type(in, "an element type"))));
}

// List of the types that the future holds (VHLO 1.15 and later).
Type read_future(Cursor& in, Tables& tables) {
  return {Type::Kind::future, {}, types_in(in, tables, "a type of a future"), {}};
}

// Indexed by the codes of the VHLO dialect, in the order in which types were added: from code 27 on
// after version 0.9.
constexpr std::array<TypeCode, 43> kTypes = {{
    {"i1", nullptr},
    {"complex", complex_in},
    {"bf16", nullptr},
    {"f16", nullptr},
    {"f32", nullptr},
    {"f64", nullptr},
    {"f8E4M3FN", nullptr},
    {"f8E5M2", nullptr},
    {"function", function_in},
    {"index", index_in},
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
    {"tensor", tensor_in},
    {"encoded tensor", encoded_tensor_in},
    {"token", read_token},
    {"tuple", tuple_in},
    {"quantized", quantized_in},
    {"unranked tensor", unranked_in},
    {"witness", read_witness},
    {"f8E4M3FNUZ", nullptr},
    {"f8E5M2FNUZ", nullptr},
    {"f8E4M3B11FNUZ", nullptr},
    {"quantized per axis", per_axis_quantized_in},
    {"i2", nullptr},
    {"ui2", nullptr},
    {"none", none_in},
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
