// SPDX-License-Identifier: Apache-2.0
// The element types of StableHLO (spec, section "Types") and how understudy stores them. Every
// element takes whole bytes: pred, i2, i4, ui2, ui4 and the f8/f6/f4 families take one byte each.
// bf16 and f16 are their IEEE-like bit patterns, complex is (real, imaginary). Pure values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "program/ir/kinds.h"

namespace understudy::program {

std::string_view mlir_name(ElementType type);  // "i1", "ui8", "f32", "complex<f32>"
std::optional<ElementType> element_type_of_mlir(std::string_view name);
std::string_view numpy_name(ElementType type);  // "bool", "uint8", "bfloat16"
std::optional<ElementType> element_type_of_numpy(std::string_view name);

std::size_t byte_size(ElementType type);  // bytes of one stored element
int bit_width(ElementType type);          // bits of the value: 1 for pred, 4 for i4, 64 for c64

bool is_pred(ElementType type);
bool is_signed_integer(ElementType type);
bool is_unsigned_integer(ElementType type);
bool is_integer(ElementType type);  // signed or unsigned, not pred
bool is_float(ElementType type);    // f4..f64, not complex
bool is_complex(ElementType type);

}  // namespace understudy::program
