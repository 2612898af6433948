// SPDX-License-Identifier: Apache-2.0
#include "program/passes/element_bytes.h"

#include <algorithm>
#include <cstring>

#include "program/ir/literal.h"

namespace understudy::program::passes {

namespace {

void append(std::vector<std::byte>& bytes, std::uint64_t bits, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    // Little-endian, byte by byte.
    bytes.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xFF));
}

}  // namespace

bool are_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

void append_integer(std::vector<std::byte>& bytes, ElementType element, std::int64_t value) {
  append(bytes, static_cast<std::uint64_t>(value), byte_size(element));
}

// Real numbers as any element type: complex numbers get an imaginary part of 0, integers truncate.
std::vector<std::byte> bytes_of(ElementType element, double value) {
  std::vector<std::byte> bytes;
  const bool complex = is_complex(element);
  if (is_float(element) || complex) {
    const ElementType part = !complex                      ? element
                             : element == ElementType::c64 ? ElementType::f32
                                                           : ElementType::f64;
    append_bits(part, bits_of_float(part, value), bytes);
    if (complex) append_bits(part, 0, bytes);
    return bytes;
  }
  append_integer(bytes, element, static_cast<std::int64_t>(value));
  return bytes;
}

std::vector<std::int64_t> integers_at(const TensorType& type, std::span<const std::byte> bytes) {
  const std::size_t size = byte_size(type.element);
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < type.elements(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(i) * size, size);
    // Shifted up and down again, which extends the sign.
    const auto unused = static_cast<int>(64 - 8 * size);
    const auto raised = static_cast<std::int64_t>(bits << unused);
    values.push_back(is_signed_integer(type.element) ? raised >> unused
                                                     : static_cast<std::int64_t>(bits));
  }
  return values;
}

}  // namespace understudy::program::passes
