// SPDX-License-Identifier: Apache-2.0
#include "program/executable/narrow_integers.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace understudy::program {
namespace {

// Every byte that a host may have.
template <int bits, bool is_signed>
void expect_values(ElementType type) {
  std::array<std::byte, 256> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i);
  widen(type, values);
  for (int i = 0; i < 256; ++i) {
    const int low = i % (1 << bits);
    const int value = is_signed && low >= (1 << bits) / 2 ? low - (1 << bits) : low;
    EXPECT_EQ(static_cast<std::int8_t>(values[static_cast<std::size_t>(i)]), value) << i;
  }
  clear_other_bits(type, values);
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(static_cast<int>(values[static_cast<std::size_t>(i)]), i % (1 << bits)) << i;
}

TEST(NarrowIntegers, AreValuesOnChipsAndLowBitsOnHosts) {
  expect_values<4, true>(ElementType::i4);
  expect_values<4, false>(ElementType::ui4);
  expect_values<2, true>(ElementType::i2);
  expect_values<2, false>(ElementType::ui2);
}

TEST(NarrowIntegers, AreThoseOfFewerThanEightBits) {
  EXPECT_FALSE(is_narrow_integer(ElementType::pred));
  EXPECT_FALSE(is_narrow_integer(ElementType::i8));
  EXPECT_FALSE(is_narrow_integer(ElementType::f4e2m1fn));
  EXPECT_TRUE(is_narrow_integer(ElementType::ui2));
}

}  // namespace
}  // namespace understudy::program
