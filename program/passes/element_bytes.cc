// SPDX-License-Identifier: Apache-2.0
#include "program/passes/element_bytes.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::program::passes {

namespace {

void append(std::vector<std::byte>& bytes, std::uint64_t bits, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<std::byte>(bits >> (8 * i) & 0xFF));
}

// Round to nearest even from f32; the constants of passes are small normal numbers.
std::uint16_t bf16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

std::uint16_t f16_bits(float value) {
  if (value == 0) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const std::int32_t exponent = static_cast<std::int32_t>(bits >> 23 & 0xFF) - 127 + 15;
  if (exponent <= 0) return sign;
  if (exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7C00);
  const std::uint32_t wide = static_cast<std::uint32_t>(exponent) << 23 | (bits & 0x7FFFFF);
  return static_cast<std::uint16_t>(sign + ((wide + 0xFFF + (wide >> 13 & 1)) >> 13));
}

}  // namespace

void append_integer(std::vector<std::byte>& bytes, ElementType element, std::int64_t value) {
  append(bytes, static_cast<std::uint64_t>(value), byte_size(element));
}

std::vector<std::byte> bytes_of(ElementType element, double value) {
  std::vector<std::byte> bytes;
  const auto narrow = static_cast<float>(value);
  switch (element) {
    case ElementType::bf16:
      append(bytes, bf16_bits(narrow), 2);
      return bytes;
    case ElementType::f16:
      append(bytes, f16_bits(narrow), 2);
      return bytes;
    case ElementType::f32:
      append(bytes, std::bit_cast<std::uint32_t>(narrow), 4);
      return bytes;
    case ElementType::f64:
      append(bytes, std::bit_cast<std::uint64_t>(value), 8);
      return bytes;
    case ElementType::c64:
      append(bytes, std::bit_cast<std::uint32_t>(narrow), 4);
      append(bytes, 0, 4);
      return bytes;
    case ElementType::c128:
      append(bytes, std::bit_cast<std::uint64_t>(value), 8);
      append(bytes, 0, 8);
      return bytes;
    default:
      break;
  }
  if (!is_integer(element) && !is_pred(element) && value != 0)
    throw Error(ErrorKind::internal,
                fmt::format("no constant {} of type {}", value, mlir_name(element)));
  append_integer(bytes, element, static_cast<std::int64_t>(value));
  return bytes;
}

std::vector<std::int64_t> integers_at(const TensorType& type, std::span<const std::byte> bytes) {
  const std::size_t size = byte_size(type.element);
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < type.elements(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(i) * size, size);
    const auto unused = static_cast<int>(64 - 8 * size);
    const auto raised = static_cast<std::int64_t>(bits << unused);
    values.push_back(is_signed_integer(type.element) ? raised >> unused
                                                     : static_cast<std::int64_t>(bits));
  }
  return values;
}

}  // namespace understudy::program::passes
