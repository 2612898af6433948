// SPDX-License-Identifier: Apache-2.0
#include "program/executable/narrow_integers.h"

namespace understudy::program {
namespace {

constexpr int kByte = 8;  // bits

unsigned mask_of(ElementType type) { return (1U << bit_width(type)) - 1; }

}  // namespace

bool is_narrow_integer(ElementType type) { return is_integer(type) && bit_width(type) < kByte; }

void widen(ElementType type, std::span<std::byte> values) {
  const unsigned mask = mask_of(type);
  const unsigned sign = is_signed_integer(type) ? (mask + 1) / 2 : 0;
  // (x ^ sign) - sign extends the sign; without one it changes nothing.
  for (std::byte& value : values)
    value = static_cast<std::byte>(((static_cast<unsigned>(value) & mask) ^ sign) - sign);
}

void clear_other_bits(ElementType type, std::span<std::byte> values) {
  const auto mask = static_cast<std::byte>(mask_of(type));
  for (std::byte& value : values) value &= mask;
}

}  // namespace understudy::program
