// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/element_types.h"

#include <array>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::pjrt {
namespace {

using enum program::ElementType;

struct ElementRow {
  int type;  // PJRT_Buffer_Type
  program::ElementType element;
};
// The numbers are fixed by pjrt_c_api.h. Missing ones, such as 23 (a token), are no element types
// of StableHLO.
constexpr std::array<ElementRow, program::kElementTypes> kElements = {{
    {1, pred},        {2, i8},          {3, i16},
    {4, i32},         {5, i64},         {6, ui8},
    {7, ui16},        {8, ui32},        {9, ui64},
    {10, f16},        {11, f32},        {12, f64},
    {13, bf16},       {14, c64},        {15, c128},
    {16, f8e5m2},     {17, f8e4m3fn},   {18, f8e4m3b11fnuz},
    {19, f8e5m2fnuz}, {20, f8e4m3fnuz}, {21, i4},
    {22, ui4},        {24, i2},         {25, ui2},
    {26, f8e4m3},     {27, f8e3m4},     {28, f8e8m0fnu},
    {29, f4e2m1fn},   {32, f6e2m3fn},   {33, f6e3m2fn},
}};

}  // namespace

program::ElementType element_of(abi::BufferType type) {
  for (const ElementRow& row : kElements)
    if (row.type == static_cast<int>(type)) return row.element;
  throw Error(ErrorKind::unsupported,
              fmt::format("element type {} of the PJRT C API", static_cast<int>(type)));
}

abi::BufferType buffer_type_of(program::ElementType element) {
  for (const ElementRow& row : kElements)
    if (row.element == element) return static_cast<abi::BufferType>(row.type);
  throw Error(ErrorKind::internal, "an element type without a number in the PJRT C API");
}

}  // namespace understudy::pjrt
