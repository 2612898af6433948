// SPDX-License-Identifier: Apache-2.0
// Numbers as bits: how one element of a literal is stored and read back. Signed integers narrower
// than their byte are sign-extended, unsigned ones zero-extended. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir/element_type.h"

namespace understudy::program {

// The value nearest to `value` (ties to even) that a float type has; beyond its range infinity, or
// NaN where the type has no infinity.
double rounded(ElementType element, double value);

// Bits of the nearest value, and the value of bits. Requires a float type (not complex).
std::uint64_t bits_of_float(ElementType element, double value);
double float_of_bits(ElementType element, std::uint64_t bits);

// Appends the low byte_size(element) bytes, little-endian. Requires: not complex.
void append_bits(ElementType element, std::uint64_t bits, std::vector<std::byte>& out);
// The stored bits of element `index`. Requires: not complex.
std::uint64_t stored_bits(ElementType element, std::span<const std::byte> data, std::size_t index);

// The bits of an integer (sign and magnitude) in this element type; nothing where it does not fit.
std::optional<std::uint64_t> bits_of_integer(ElementType element, bool negative,
                                             std::uint64_t magnitude);

// The shortest text that reads back to the same bits: "1.0e+00", "0x7FC00000", "-3", "true".
std::string text_of_bits(ElementType element, std::uint64_t bits);

}  // namespace understudy::program
