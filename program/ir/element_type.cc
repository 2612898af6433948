// SPDX-License-Identifier: Apache-2.0
#include "program/ir/element_type.h"

#include <array>

namespace understudy::program {
namespace {

enum class Family : std::uint8_t { pred, sign, unsign, floating, complex };

struct ElementRow {
  std::string_view mlir, numpy;
  std::uint8_t bytes, bits;
  Family family;
};

// One row per element type, in the order of the enumeration: MLIR and numpy names, bytes in memory,
// bits of the value. Types narrower than a byte occupy one.
constexpr std::array<ElementRow, kElementTypes> kElements = {{
    {"i1", "bool", 1, 1, Family::pred},
    {"i2", "int2", 1, 2, Family::sign},
    {"i4", "int4", 1, 4, Family::sign},
    {"i8", "int8", 1, 8, Family::sign},
    {"i16", "int16", 2, 16, Family::sign},
    {"i32", "int32", 4, 32, Family::sign},
    {"i64", "int64", 8, 64, Family::sign},
    {"ui2", "uint2", 1, 2, Family::unsign},
    {"ui4", "uint4", 1, 4, Family::unsign},
    {"ui8", "uint8", 1, 8, Family::unsign},
    {"ui16", "uint16", 2, 16, Family::unsign},
    {"ui32", "uint32", 4, 32, Family::unsign},
    {"ui64", "uint64", 8, 64, Family::unsign},
    {"f4E2M1FN", "float4_e2m1fn", 1, 4, Family::floating},
    {"f6E2M3FN", "float6_e2m3fn", 1, 6, Family::floating},
    {"f6E3M2FN", "float6_e3m2fn", 1, 6, Family::floating},
    {"f8E3M4", "float8_e3m4", 1, 8, Family::floating},
    {"f8E4M3", "float8_e4m3", 1, 8, Family::floating},
    {"f8E4M3B11FNUZ", "float8_e4m3b11fnuz", 1, 8, Family::floating},
    {"f8E4M3FN", "float8_e4m3fn", 1, 8, Family::floating},
    {"f8E4M3FNUZ", "float8_e4m3fnuz", 1, 8, Family::floating},
    {"f8E5M2", "float8_e5m2", 1, 8, Family::floating},
    {"f8E5M2FNUZ", "float8_e5m2fnuz", 1, 8, Family::floating},
    {"f8E8M0FNU", "float8_e8m0fnu", 1, 8, Family::floating},
    {"bf16", "bfloat16", 2, 16, Family::floating},
    {"f16", "float16", 2, 16, Family::floating},
    {"f32", "float32", 4, 32, Family::floating},
    {"f64", "float64", 8, 64, Family::floating},
    {"complex<f32>", "complex64", 8, 64, Family::complex},
    {"complex<f64>", "complex128", 16, 128, Family::complex},
}};

const ElementRow& row_of(ElementType type) { return kElements[static_cast<std::size_t>(type)]; }

template <std::string_view ElementRow::*column>
std::optional<ElementType> find(std::string_view name) {
  // Linear: 30 short names.
  for (std::size_t i = 0; i < kElements.size(); ++i) {
    if (kElements[i].*column == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view mlir_name(ElementType type) { return row_of(type).mlir; }
std::optional<ElementType> element_type_of_mlir(std::string_view name) {
  return find<&ElementRow::mlir>(name);
}
std::string_view numpy_name(ElementType type) { return row_of(type).numpy; }
std::optional<ElementType> element_type_of_numpy(std::string_view name) {
  return find<&ElementRow::numpy>(name);
}
std::size_t byte_size(ElementType type) { return row_of(type).bytes; }
int bit_width(ElementType type) { return row_of(type).bits; }
bool is_pred(ElementType type) { return row_of(type).family == Family::pred; }
bool is_signed_integer(ElementType type) { return row_of(type).family == Family::sign; }
bool is_unsigned_integer(ElementType type) { return row_of(type).family == Family::unsign; }
bool is_integer(ElementType type) { return is_signed_integer(type) || is_unsigned_integer(type); }
bool is_float(ElementType type) { return row_of(type).family == Family::floating; }
bool is_complex(ElementType type) { return row_of(type).family == Family::complex; }

}  // namespace understudy::program
